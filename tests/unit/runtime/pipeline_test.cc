#include <map>
#include <set>
#include <thread>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "runtime/test_parts.h"

namespace thalweg {

using namespace test;
using runtime::JobOptions;
using runtime::JobStatus;
using runtime::Partitioning;

TEST_CASE("a chain of source, operator and sink keeps the order of rows") {
  auto source = std::make_shared<CountingSource>(CountingSource::Settings{.count = 1000});
  auto sink = std::make_shared<CollectSink>();
  GraphBuilder builder;
  const uint32_t one = builder.source(source);
  builder.chain(one, operator_of({}));
  builder.chain_sink(one, sink);
  run_to_end(std::move(builder.graph));
  const std::vector<std::string> rows = sink->rows();
  REQUIRE(rows.size() == 1000);
  CHECK(rows[0] == "+I 0 0");
  CHECK(rows[999] == "+I 9 999");
}

TEST_CASE("sums by key are the same at every parallelism and batch size") {
  for (const int32_t parallelism : {1, 2, 4}) {
    for (const int32_t batch : {1, 7, 3000}) {
      CAPTURE(parallelism);
      CAPTURE(batch);
      const CountingSource::Settings settings{
          .splits = 3, .count = 2000, .keys = 37, .batch = batch};
      auto source = std::make_shared<CountingSource>(settings);
      auto sink = std::make_shared<CollectSink>();
      JobOptions options;
      options.batch_rows = batch;
      run_to_end(sum_graph(source, sink, parallelism), options);
      CHECK(sink->sorted_rows() == expected_sums(settings));
    }
  }
}

TEST_CASE("every partitioning delivers every row") {
  struct Case {
    Partitioning partitioning;
    int32_t from;
    int32_t to;
    int64_t copies;
  };

  for (const Case& one : {Case{Partitioning::kForward, 3, 3, 1},
                          Case{Partitioning::kHash, 2, 4, 1},
                          Case{Partitioning::kRebalance, 2, 3, 1},
                          Case{Partitioning::kRoundRobin, 2, 3, 1},
                          Case{Partitioning::kRescale, 2, 4, 1},
                          Case{Partitioning::kRescale, 4, 2, 1},
                          Case{Partitioning::kRescale, 2, 3, 1},
                          Case{Partitioning::kShuffle, 2, 3, 1},
                          Case{Partitioning::kBroadcast, 2, 3, 3},
                          Case{Partitioning::kSingleton, 3, 1, 1}}) {
    auto source = std::make_shared<CountingSource>(
        CountingSource::Settings{.splits = 4, .count = 500, .watermarks = true});
    auto sink = std::make_shared<CollectSink>();
    GraphBuilder builder;
    const uint32_t from = builder.source(source, one.from);
    const uint32_t to = builder.sink(sink, one.to);
    builder.connect(from, to, one.partitioning, {{1}});
    run_to_end(std::move(builder.graph));
    CHECK(sink->count() == 4 * 500 * one.copies);
  }
}

TEST_CASE("rows go to the subtask of their number, and a number beyond fails the job") {
  for (const int32_t parallelism : {1, 3}) {
    CAPTURE(parallelism);
    // Numbers are INT: the chain behind the source puts one in place of the key, which counts to 2.
    FunctionOperator numbering;
    numbering.batch = [](auto&, const Batch& batch, int32_t, stream::Output& output) {
      ColumnBuilder numbers(DataType::integer());
      for (int32_t row = 0; row < batch.row_count(); ++row) {
        numbers.append(static_cast<int32_t>(batch.column(0).at<int64_t>(row)));
      }
      output.emit(Batch(batch.row_count(), {numbers.finish(), batch.column_ptr(1)}));
    };
    std::mutex mutex;
    std::map<int32_t, std::set<int32_t>> seen;
    FunctionOperator noting;
    noting.batch = [&](stream::OperatorContext& context, const Batch& batch, int32_t, auto&) {
      const std::lock_guard lock(mutex);
      for (int32_t row = 0; row < batch.row_count(); ++row) {
        seen[context.subtask()].insert(batch.column(0).at<int32_t>(row));
      }
    };
    GraphBuilder builder;
    const uint32_t from = builder.source(std::make_shared<CountingSource>(
        CountingSource::Settings{.splits = 2, .count = 300, .keys = 3}));
    builder.chain(from, operator_of(numbering));
    const uint32_t to = builder.vertex(operator_of(noting), parallelism);
    builder.connect(from, to, Partitioning::kByNumber, {{0}});
    if (parallelism == 1) {
      CHECK_THROWS_WITH_AS(run_to_end(std::move(builder.graph)),
                           doctest::Contains("partitions are numbered"),
                           Error);
    } else {
      run_to_end(std::move(builder.graph));
      CHECK(seen == std::map<int32_t, std::set<int32_t>>{{0, {0}}, {1, {1}}, {2, {2}}});
    }
  }
}

TEST_CASE("an operator of two inputs sees the lower watermark, and each end") {
  auto left = std::make_shared<HandSource>();
  auto right = std::make_shared<HandSource>();
  std::mutex mutex;
  std::vector<std::string> seen;
  const auto note = [&](std::string what) {
    const std::lock_guard lock(mutex);
    seen.push_back(std::move(what));
  };
  const auto take = [&] {
    const std::lock_guard lock(mutex);
    return std::exchange(seen, {});
  };
  FunctionOperator functions;
  functions.batch = [&](auto&, const Batch& batch, int32_t input, auto&) {
    std::string marks;
    for (const Mark& mark : batch.marks()) {
      marks += fmt::format(" @{}={}", mark.row, mark.watermark.ms);
    }
    note(fmt::format("{}: {} rows{}", input, batch.row_count(), marks));
  };
  functions.watermark = [&](auto&, EventTime watermark, auto&) {
    note(watermark == kMaxEventTime ? "WM max" : fmt::format("WM {}", watermark.ms));
  };
  functions.end = [&](auto&, int32_t input, auto&) { note(fmt::format("end {}", input)); };
  GraphBuilder builder;
  const uint32_t from_left = builder.source(left);
  const uint32_t from_right = builder.source(right);
  const uint32_t join = builder.vertex(operator_of(functions));
  builder.connect(from_left, join, Partitioning::kForward, {}, 0);
  builder.connect(from_right, join, Partitioning::kForward, {}, 1);
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  const auto job = runtime->submit(std::move(builder.graph), {});

  Batch first = pairs({{1, 1}, {1, 2}});
  first.set_marks({{1, {10}}, {2, {20}}});
  left->feed(first);
  job->settle();
  CHECK(take() == std::vector<std::string>{"0: 2 rows"});

  Batch second = pairs({{1, 1}, {1, 2}, {1, 3}});
  second.set_marks({{0, {5}}, {2, {15}}, {3, {30}}});
  right->feed(second);
  job->settle();
  CHECK(take() == std::vector<std::string>{"1: 3 rows @0=5 @2=15 @3=20"});

  left->end();
  job->settle();
  CHECK(take() == std::vector<std::string>{"WM 30", "end 0"});
  right->end();
  job->wait_for(-1);
  CHECK(take() == std::vector<std::string>{"WM max", "end 1"});
  CHECK(job->status() == JobStatus::kFinished);
}

TEST_CASE("a chain hears of each split before its first row and after its last") {
  auto source = std::make_shared<CountingSource>(
      CountingSource::Settings{.splits = 2, .count = 200, .batch = 100});
  std::vector<std::string> seen;
  FunctionOperator functions;
  functions.split = [&](const std::string& split, bool ended) {
    seen.push_back((ended ? "ended " : "added ") + split);
  };
  functions.batch = [&](auto&, const Batch& batch, int32_t, auto&) {
    seen.push_back(fmt::format("{} from {}", batch.row_count(), *batch.origin().split));
  };
  GraphBuilder builder;
  const uint32_t one = builder.source(source);
  builder.chain(one, operator_of({}));
  builder.chain(one, operator_of(functions));
  run_to_end(std::move(builder.graph));
  CHECK(seen == std::vector<std::string>{"added split-0",
                                         "added split-1",
                                         "100 from split-1",
                                         "100 from split-0",
                                         "100 from split-1",
                                         "ended split-1",
                                         "100 from split-0",
                                         "ended split-0"});
}

TEST_CASE("rows before a bad record are written, then the job fails with it") {
  for (const int32_t parallelism : {1, 3}) {
    auto source = std::make_shared<CountingSource>(
        CountingSource::Settings{.count = 1000, .fail_after = 555});
    auto sink = std::make_shared<CollectSink>();
    GraphBuilder builder;
    const uint32_t from = builder.source(source);
    const uint32_t middle = builder.vertex(operator_of({}), parallelism);
    const uint32_t to = builder.sink(sink);
    builder.connect(from, middle, Partitioning::kHash, {{0}});
    builder.connect(middle, to, Partitioning::kSingleton);
    MemoryBudget budget("process");
    const auto runtime = runtime::make_runtime(budget);
    const auto job = runtime->submit(std::move(builder.graph), {});
    job->wait_for(-1);
    CHECK(job->status() == JobStatus::kFailed);
    REQUIRE(job->failure().has_value());
    CHECK(job->failure()->code() == ErrorCode::kBadRecord);
    CHECK(sink->count() == 555);
  }
}

TEST_CASE("processing-time alarms and timers fire by the job's clock") {
  auto clock = std::make_shared<ManualClock>(ProcessingTime{1000});
  auto source = std::make_shared<HandSource>();
  auto sink = std::make_shared<CollectSink>();
  stream::KeyedTable* table = nullptr;
  stream::KeyedTimers* timers = nullptr;
  FunctionOperator functions;
  functions.open = [&](stream::OperatorContext& context) {
    table = &context.keyed_table({.name = "keys", .key = {{"key", DataType::big_int()}}});
    timers = &context.processing_timers(*table);
  };
  functions.batch = [&](stream::OperatorContext& context, const Batch& batch, int32_t, auto&) {
    std::vector<stream::SlotId> slots(static_cast<size_t>(batch.row_count()));
    table->find_or_insert({.columns = std::span(batch.columns()).subspan(0, 1)}, slots, {}, {});
    for (const stream::SlotId slot : slots) {
      timers->add(context.now().ms + 500, slot);
    }
  };
  functions.time = [&](stream::OperatorContext&, ProcessingTime now, stream::Output& output) {
    std::vector<stream::Timer> due;
    while (timers->pop_due(now.ms, due)) {
      for (const stream::Timer& timer : due) {
        std::vector<ColumnBuilder> key;
        key.emplace_back(DataType::big_int());
        table->append_keys(std::vector{timer.slot}, key);
        output.emit(pairs({{key[0].finish()->at<int64_t>(0), timer.time_ms}}));
      }
    }
  };
  GraphBuilder builder;
  const uint32_t from = builder.source(source);
  const uint32_t timed = builder.vertex(operator_of(functions));
  builder.connect(from, timed, Partitioning::kSingleton);
  builder.chain_sink(timed, sink);
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  JobOptions options;
  options.clock = clock;
  const auto job = runtime->submit(std::move(builder.graph), options);
  source->feed(pairs({{7, 0}, {3, 0}, {7, 0}}));
  job->settle();
  clock->advance_to({1499});
  job->settle();
  CHECK(sink->count() == 0);
  clock->advance_to({1500});
  job->settle();
  CHECK(sink->rows() == std::vector<std::string>{"+I 3 1500", "+I 7 1500"});
  job->cancel();
  job->wait_for(-1);
  CHECK(job->status() == JobStatus::kCancelled);
}

TEST_CASE("cancelling wakes a task that waits in emit") {
  auto source = std::make_shared<CountingSource>(CountingSource::Settings{.count = 1'000'000});
  std::atomic<bool> blocked{false};
  std::atomic<bool> released{false};
  auto sink = std::make_shared<CollectSink>();
  sink->on_write = [&](const Batch&) {
    blocked = true;
    while (!released) {
      std::this_thread::yield();
    }
  };
  GraphBuilder builder;
  const uint32_t from = builder.source(source);
  const uint32_t to = builder.sink(sink);
  builder.connect(from, to, Partitioning::kForward);
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  const auto job = runtime->submit(std::move(builder.graph), {});
  while (!blocked) {
    std::this_thread::yield();
  }
  job->cancel();
  released = true;
  job->wait_for(-1);
  CHECK(job->status() == JobStatus::kCancelled);
  CHECK(source->given < 1'000'000);
}

TEST_CASE("cancelling is told to a writer that waits outside the engine") {
  class WaitingSink final : public stream::TableSink {
   public:
    stream::ChangelogMode accepted(const stream::ChangelogMode& requested) const override {
      return requested;
    }

    std::unique_ptr<stream::SinkWriter> create_writer() const override {
      class Writer final : public stream::SinkWriter {
       public:
        explicit Writer(std::atomic<bool>& waits) : waits_(waits) {}

        void open(stream::WriterContext& context) override { context_ = &context; }

        void write(const Batch&) override {
          waits_ = true;
          while (!context_->is_cancelled()) {
            std::this_thread::yield();
          }
          throw Error(ErrorCode::kJobCancelled, "heard");
        }

       private:
        std::atomic<bool>& waits_;
        stream::WriterContext* context_ = nullptr;
      };

      return std::make_unique<Writer>(waits);
    }

    mutable std::atomic<bool> waits{false};
  };

  auto sink = std::make_shared<WaitingSink>();
  GraphBuilder builder;
  const uint32_t from = builder.source(
      std::make_shared<CountingSource>(CountingSource::Settings{.count = 1'000'000}));
  builder.chain_sink(from, sink);
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  const auto job = runtime->submit(std::move(builder.graph), {});
  while (!sink->waits) {
    std::this_thread::yield();
  }
  job->cancel();
  job->wait_for(-1);
  CHECK(job->status() == JobStatus::kCancelled);
}

TEST_CASE("cancelling is told to a source that looks for splits") {
  class WaitingSource final : public stream::TableSource {
   public:
    stream::Boundedness boundedness() const override { return stream::Boundedness::kUnbounded; }

    std::vector<stream::Split> discover_splits() override {
      waits = true;
      while (!cancelled) {
        std::this_thread::yield();
      }
      throw Error(ErrorCode::kJobCancelled, "heard");
    }

    void cancel() override { cancelled = true; }

    std::unique_ptr<stream::SourceReader> create_reader() const override { return nullptr; }

    std::atomic<bool> waits{false};
    std::atomic<bool> cancelled{false};
  };

  const auto source = std::make_shared<WaitingSource>();
  GraphBuilder builder;
  builder.chain_sink(builder.source(source), std::make_shared<CollectSink>());
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  const auto job = runtime->submit(std::move(builder.graph), {});
  while (!source->waits) {
    std::this_thread::yield();
  }
  job->cancel();
  job->wait_for(-1);
  CHECK(job->status() == JobStatus::kCancelled);
}

TEST_CASE("several jobs run in one runtime") {
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  const CountingSource::Settings settings{.count = 5000};
  std::vector<std::shared_ptr<CollectSink>> sinks;
  std::vector<std::shared_ptr<runtime::Job>> jobs;
  for (int i = 0; i < 4; ++i) {
    sinks.push_back(std::make_shared<CollectSink>());
    jobs.push_back(runtime->submit(
        sum_graph(std::make_shared<CountingSource>(settings), sinks.back(), 2), {}));
  }
  for (const auto& job : jobs) {
    CHECK(job->wait_for(60'000));
    CHECK(job->status() == JobStatus::kFinished);
  }
  for (const auto& sink : sinks) {
    CHECK(sink->sorted_rows() == expected_sums(settings));
  }
  CHECK(runtime->jobs().size() == 4);
  CHECK(budget.used_bytes() == 0);

  // An ended job keeps its numbers, not its source and sink; unwatched ones are forgotten.
  CHECK(sinks.back().use_count() == 1);
  CHECK(jobs.back()->metrics().size() == 2 * 3);
  jobs.clear();
  const auto last =
      runtime->submit(sum_graph(std::make_shared<CountingSource>(settings), sinks.back(), 2), {});
  CHECK(runtime->jobs().size() == 1);
  last->wait_for(-1);
}

TEST_CASE("metrics count the rows of every operator") {
  auto source = std::make_shared<CountingSource>(CountingSource::Settings{.count = 300});
  auto sink = std::make_shared<CollectSink>();
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  const auto job = runtime->submit(sum_graph(source, sink, 1), {});
  job->wait_for(-1);
  const std::vector<runtime::OperatorMetrics> metrics = job->metrics();
  REQUIRE(metrics.size() == 3);
  CHECK(metrics[0].values.at(stream::metric::kRowsOut) == 300);
  CHECK(metrics[1].values.at(stream::metric::kRowsIn) == 300);
  CHECK(metrics[1].values.at(stream::metric::kRowsOut) == 10);
  CHECK(metrics[2].values.at(stream::metric::kRowsIn) == 10);
}

}  // namespace thalweg
