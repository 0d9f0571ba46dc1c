#include <filesystem>
#include <thread>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "runtime/test_parts.h"
#include "thalweg/runtime/checkpoint_store.h"

namespace thalweg {

using namespace test;
using runtime::HookPoint;
using runtime::JobOptions;
using runtime::JobStatus;
using runtime::Partitioning;
using runtime::RestartStrategy;

namespace {

/// A folder that goes with the test.
struct Folder {
  Folder()
      : path(std::filesystem::temp_directory_path() /
             fmt::format("thalweg-checkpoints-{}", ::getpid())) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }

  ~Folder() { std::filesystem::remove_all(path); }

  std::filesystem::path path;
};

JobOptions checkpointed(const Folder& folder, int64_t interval_ms = 5) {
  JobOptions options;
  options.checkpoint_interval_ms = interval_ms;
  options.checkpoint_dir = folder.path.string();
  options.batch_rows = 64;
  return options;
}

/// Fails the work at the n-th call of one point.
class FailingHook final : public runtime::JobHook {
 public:
  FailingHook(HookPoint point, int32_t call) : point_(point), left_(call) {}

  void reached(HookPoint point, CheckpointId) override {
    if (point == point_ && left_.fetch_sub(1) == 1) {
      throw Error(ErrorCode::kIoFailed, "the test's crash");
    }
  }

  bool has_failed() const { return left_ <= 0; }

 private:
  HookPoint point_;
  std::atomic<int32_t> left_;
};

/// source -> by key -> running sum of each row -> by key -> committing sink.
runtime::JobGraph running_graph(std::shared_ptr<stream::TableSource> source,
                                std::shared_ptr<const stream::TableSink> sink,
                                int32_t parallelism) {
  class RunningSum final : public stream::Operator {
   public:
    void open(stream::OperatorContext& context) override {
      table_ = &context.keyed_table({.name = "sums",
                                     .key = {{"key", DataType::big_int()}},
                                     .value = {{"sum", DataType::big_int().not_null()}}});
    }

    void on_batch(Batch batch, int32_t, stream::Output& output) override {
      const auto rows = static_cast<size_t>(batch.row_count());
      std::vector<stream::SlotId> slots(rows);
      std::vector<std::byte*> records(rows);
      table_->find_or_insert(
          {.columns = std::span(batch.columns()).subspan(0, 1)}, slots, records, {});
      std::vector<std::pair<int64_t, int64_t>> sums;
      for (size_t row = 0; row < rows; ++row) {
        auto& sum = *reinterpret_cast<int64_t*>(records[row] + table_->layout().offset(0));
        sum += batch.column(1).at<int64_t>(static_cast<int32_t>(row));
        sums.emplace_back(batch.column(0).at<int64_t>(static_cast<int32_t>(row)), sum);
      }
      output.emit(pairs(sums));
    }

   private:
    stream::KeyedTable* table_ = nullptr;
  };

  GraphBuilder builder;
  const uint32_t from = builder.source(std::move(source), parallelism);
  const uint32_t sums =
      builder.vertex(factory_of([] { return std::make_unique<RunningSum>(); }), parallelism);
  const uint32_t to = builder.sink(std::move(sink), parallelism);
  builder.connect(from, sums, Partitioning::kHash, {{0}});
  builder.connect(sums, to, Partitioning::kHash, {{0}});
  return std::move(builder.graph);
}

/// What running_graph commits for a source of one split.
std::vector<std::string> expected_running(const CountingSource::Settings& settings) {
  std::vector<int64_t> sums(static_cast<size_t>(settings.keys));
  std::vector<std::string> rows;
  for (int64_t number = 0; number < settings.count; ++number) {
    const auto key = static_cast<size_t>(number % settings.keys);
    sums[key] += number;
    rows.push_back(fmt::format("+I {} {}", key, sums[key]));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

void wait_until(const std::function<bool()>& condition) {
  while (!condition()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

TEST_CASE("rows are committed once, with checkpoints and a final one") {
  const Folder folder;
  const CountingSource::Settings settings{.count = 20'000, .keys = 20, .pause_ms = 1};
  auto sink = std::make_shared<CommitSink>();
  run_to_end(running_graph(std::make_shared<CountingSource>(settings), sink, 2),
             checkpointed(folder));
  CHECK(sink->committed() == expected_running(settings));
  // A finished job keeps no checkpoints.
  CHECK(std::filesystem::is_empty(folder.path));
}

TEST_CASE("a job that fails goes back to its last checkpoint, wherever it failed") {
  for (const HookPoint point : {HookPoint::kBeforeSnapshot,
                                HookPoint::kAfterSnapshot,
                                HookPoint::kBeforeManifest,
                                HookPoint::kAfterManifest,
                                HookPoint::kBeforeCommit,
                                HookPoint::kAfterCommit}) {
    CAPTURE(static_cast<int>(point));
    const Folder folder;
    const CountingSource::Settings settings{
        .count = 10'000, .keys = 20, .pause_ms = 1, .hold_at = 9000};
    auto source = std::make_shared<CountingSource>(settings);
    auto sink = std::make_shared<CommitSink>();
    JobOptions options = checkpointed(folder);
    auto hook = std::make_shared<FailingHook>(point, 3);
    options.hook = hook;
    source->release = [hook] { return hook->has_failed(); };
    options.restart = {.kind = RestartStrategy::Kind::kFixedDelay, .attempts = 3, .delay_ms = 1};
    run_to_end(running_graph(source, sink, 2), options);
    CHECK(hook->has_failed());
    CHECK(sink->committed() == expected_running(settings));
  }
}

TEST_CASE("a savepoint starts another job, at another parallelism") {
  const Folder folder;
  const CountingSource::Settings settings{.count = 20'000, .keys = 50, .hold_at = 15'000};
  for (const int32_t parallelism : {1, 3}) {
    auto sink = std::make_shared<CommitSink>();
    MemoryBudget budget("process");
    const auto runtime = runtime::make_runtime(budget);
    auto source = std::make_shared<CountingSource>(settings);
    source->release = [] { return false; };
    JobOptions options = checkpointed(folder);
    options.plan = "the plan";
    const auto job = runtime->submit(running_graph(source, sink, 2), options);
    wait_until([&] { return source->given > 3000; });
    const std::string path = job->stop_with_savepoint(folder.path.string(), false);
    CHECK(job->status() == JobStatus::kFinished);
    const runtime::CheckpointManifest manifest = runtime::read_manifest(path);
    CHECK(manifest.plan == "the plan");
    CHECK(manifest.is_savepoint);
    CHECK(manifest.operators[1].tables.at(0).schema ==
          "key (`key` BIGINT) value (`sum` BIGINT NOT NULL)");
    const size_t before = sink->committed().size();
    CHECK(before > 0);
    CHECK(before < 20'000);

    JobOptions resumed = checkpointed(folder);
    resumed.restore_path = path;
    run_to_end(running_graph(std::make_shared<CountingSource>(settings), sink, parallelism),
               resumed);
    CHECK(sink->committed() == expected_running(settings));
    std::filesystem::remove_all(path);
  }
}

TEST_CASE("checkpoints of a failed job stay, are limited in number, and the newest is found") {
  const Folder folder;
  const CountingSource::Settings settings{
      .count = 20'000, .keys = 10, .fail_after = 6000, .pause_ms = 1, .hold_at = 5000};
  auto source = std::make_shared<CountingSource>(settings);
  auto sink = std::make_shared<CommitSink>();
  source->release = [sink] { return !sink->committed().empty(); };
  JobOptions options = checkpointed(folder);
  options.retained_checkpoints = 2;
  CHECK_THROWS_AS(run_to_end(running_graph(source, sink, 2), options), Error);
  const auto job_folder = std::filesystem::directory_iterator(folder.path)->path();
  const auto kept = std::distance(std::filesystem::directory_iterator(job_folder), {});
  CHECK(kept >= 1);
  CHECK(kept <= 2);

  JobOptions resumed = checkpointed(folder);
  resumed.restore_path = folder.path.string();
  run_to_end(running_graph(source, sink, 1), resumed);
  CHECK(sink->committed() == expected_running(settings));
}

TEST_CASE("barriers align over two inputs of different speed") {
  const Folder folder;
  auto fast = std::make_shared<CountingSource>(
      CountingSource::Settings{.count = 30'000, .keys = 10, .batch = 50});
  auto slow = std::make_shared<CountingSource>(
      CountingSource::Settings{.count = 3000, .keys = 10, .batch = 10, .hold_at = 2900});
  auto sink = std::make_shared<CommitSink>();
  GraphBuilder builder;
  const uint32_t left = builder.source(fast);
  const uint32_t right = builder.source(slow, 2);
  const uint32_t merge = builder.vertex(operator_of({}), 2);
  builder.connect(left, merge, Partitioning::kHash, {{0}}, 0);
  builder.connect(right, merge, Partitioning::kHash, {{0}}, 1);
  builder.chain_sink(merge, sink);
  JobOptions options = checkpointed(folder);
  auto hook = std::make_shared<FailingHook>(HookPoint::kAfterSnapshot, 23);
  slow->release = [hook] { return hook->has_failed(); };
  options.hook = hook;
  options.restart = {.kind = RestartStrategy::Kind::kFixedDelay, .attempts = 1, .delay_ms = 1};
  run_to_end(std::move(builder.graph), options);
  const std::vector<std::string> rows = sink->committed();
  CHECK(hook->has_failed());
  CHECK(rows.size() == 33'000);
  CHECK(std::set<std::string>(rows.begin(), rows.end()).size() == 30'000);
}

TEST_CASE("a savepoint of a job without checkpoints") {
  const Folder folder;
  const CountingSource::Settings settings{.count = 50'000, .keys = 10, .hold_at = 2000};
  auto source = std::make_shared<CountingSource>(settings);
  source->release = [] { return false; };
  auto sink = std::make_shared<CollectSink>();
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  const auto job = runtime->submit(sum_graph(source, sink, 2), {});
  wait_until([&] { return source->given > 1000; });
  const std::string path = job->savepoint(folder.path.string());
  job->cancel();
  job->wait_for(-1);
  CHECK_THROWS_AS(job->savepoint(folder.path.string()), Error);
  CHECK(sink->count() == 0);
  JobOptions resumed;
  resumed.restore_path = path;
  run_to_end(sum_graph(std::make_shared<CountingSource>(settings), sink, 3), resumed);
  CHECK(sink->sorted_rows() == expected_sums(settings));
}

TEST_CASE("a checkpoint that can't be written fails the job unless it is borne with") {
  const CountingSource::Settings settings{.count = 3000, .keys = 10, .pause_ms = 1};
  for (const int32_t tolerable : {0, 1000}) {
    JobOptions options;
    options.checkpoint_interval_ms = 2;
    options.checkpoint_dir = "/proc/none";
    options.tolerable_failed_checkpoints = tolerable;
    auto sink = std::make_shared<CollectSink>();
    MemoryBudget budget("process");
    const auto runtime = runtime::make_runtime(budget);
    auto source = std::make_shared<CountingSource>(settings);
    const auto job = runtime->submit(sum_graph(source, sink, 1), options);
    if (tolerable == 0) {
      job->wait_for(-1);
      CHECK(job->status() == JobStatus::kFailed);
      CHECK(job->failure()->code() == ErrorCode::kCheckpointFailed);
    } else {
      wait_until([&] { return sink->count() == 10; });
      CHECK(job->status() == JobStatus::kRunning);
      job->cancel();
    }
  }
}

TEST_CASE("restart strategies") {
  const auto attempts = [](RestartStrategy strategy, int64_t failures) {
    auto source =
        std::make_shared<CountingSource>(CountingSource::Settings{.count = 100, .fail_after = 50});
    source->failures = failures;
    auto sink = std::make_shared<CollectSink>();
    JobOptions options;
    options.restart = strategy;
    MemoryBudget budget("process");
    const auto runtime = runtime::make_runtime(budget);
    const auto job = runtime->submit(sum_graph(source, sink, 1), options);
    job->wait_for(-1);
    return std::pair(job->status(), source->given / 50);
  };
  using Kind = RestartStrategy::Kind;
  CHECK(attempts({.kind = Kind::kNone}, 1) == std::pair(JobStatus::kFailed, int64_t{1}));
  const RestartStrategy twice{.kind = Kind::kFixedDelay, .attempts = 2, .delay_ms = 1};
  CHECK(attempts(twice, 2) == std::pair(JobStatus::kFinished, int64_t{4}));
  CHECK(attempts(twice, 3) == std::pair(JobStatus::kFailed, int64_t{3}));
  const RestartStrategy exponential{.kind = Kind::kExponentialDelay,
                                    .attempts = 0,
                                    .delay_ms = 1,
                                    .max_delay_ms = 4,
                                    .interval_ms = 60'000};
  CHECK(attempts(exponential, 6) == std::pair(JobStatus::kFinished, int64_t{8}));
  const RestartStrategy rate{
      .kind = Kind::kFailureRate, .attempts = 3, .delay_ms = 1, .interval_ms = 60'000};
  CHECK(attempts(rate, 3) == std::pair(JobStatus::kFinished, int64_t{5}));
  CHECK(attempts(rate, 4) == std::pair(JobStatus::kFailed, int64_t{4}));
}

TEST_CASE("another graph is refused unless state may be dropped") {
  const Folder folder;
  const CountingSource::Settings settings{.count = 50'000, .keys = 10, .hold_at = 2000};
  auto source = std::make_shared<CountingSource>(settings);
  source->release = [] { return false; };
  auto sink = std::make_shared<CollectSink>();
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  const auto job = runtime->submit(sum_graph(source, sink, 1), {});
  wait_until([&] { return source->given > 100; });
  JobOptions resumed;
  resumed.restore_path = job->savepoint(folder.path.string());
  job->cancel();

  const auto other = [&] {
    GraphBuilder builder;
    const uint32_t from =
        builder.source(std::make_shared<CountingSource>(CountingSource::Settings{.count = 1}));
    builder.chain_sink(from, std::make_shared<CollectSink>());
    return std::move(builder.graph);
  };
  CHECK_THROWS_AS(run_to_end(other(), resumed), Error);
  resumed.allow_non_restored_state = true;
  run_to_end(other(), resumed);
}

}  // namespace thalweg
