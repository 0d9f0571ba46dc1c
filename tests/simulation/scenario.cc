#include "simulation/scenario.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "thalweg/runtime/checkpoint_store.h"

namespace thalweg::simulation {

namespace {

using runtime::JobOptions;
using runtime::JobStatus;
using runtime::Partitioning;
using runtime::RestartStrategy;

/// Real time after which a job is taken to wait for ever.
constexpr int64_t kHangMs = 60'000;

constexpr int64_t kWindowSize = 20;

/// Emits (key, n) for the n-th row of a key, and (-1 - key, value) for the row itself: a lost or a
/// repeated row shows in both, lost state in the first.
class CountRows final : public stream::Operator {
 public:
  explicit CountRows(FaultPlan& faults) : faults_(faults) {}

  void open(stream::OperatorContext& context) override {
    table_ = &context.keyed_table({.name = "counts",
                                   .key = {{"key", DataType::big_int()}},
                                   .value = {{"count", DataType::big_int().not_null()}}});
  }

  void on_batch(Batch batch, int32_t, stream::Output& output) override {
    faults_.batch_seen();
    const auto rows = static_cast<size_t>(batch.row_count());
    std::vector<stream::SlotId> slots(rows);
    std::vector<std::byte*> records(rows);
    table_->find_or_insert(
        {.columns = std::span(batch.columns()).subspan(0, 1)}, slots, records, {});
    std::vector<std::pair<int64_t, int64_t>> results;
    for (size_t row = 0; row < rows; ++row) {
      const auto key = batch.column(0).at<int64_t>(static_cast<int32_t>(row));
      auto& count = *reinterpret_cast<int64_t*>(records[row] + table_->layout().offset(0));
      results.emplace_back(key, ++count);
      results.emplace_back(-1 - key, batch.column(1).at<int64_t>(static_cast<int32_t>(row)));
    }
    output.emit(test::pairs(results));
  }

 private:
  FaultPlan& faults_;
  stream::KeyedTable* table_ = nullptr;
};

/// Emits (window's end * 100 + key, rows) when the watermark reaches the end of a window.
class CountWindows final : public stream::Operator {
 public:
  explicit CountWindows(FaultPlan& faults) : faults_(faults) {}

  void open(stream::OperatorContext& context) override {
    table_ = &context.keyed_table({.name = "windows",
                                   .key = {{"key", DataType::big_int()}},
                                   .has_namespace = true,
                                   .value = {{"count", DataType::big_int().not_null()}}});
    timers_ = &context.event_timers(*table_);
  }

  void on_batch(Batch batch, int32_t, stream::Output& output) override {
    faults_.batch_seen();
    stream::for_each_run(
        batch,
        [&](int32_t begin, int32_t end) { add(batch.slice(begin, end)); },
        [&](EventTime watermark) { on_watermark(watermark, output); });
  }

  void on_watermark(EventTime watermark, stream::Output& output) override {
    std::vector<stream::Timer> due;
    while (timers_->pop_due(watermark.ms, due)) {
      std::vector<std::pair<int64_t, int64_t>> results;
      std::vector<stream::SlotId> fired;
      for (const stream::Timer& timer : due) {
        std::vector<ColumnBuilder> key;
        key.emplace_back(DataType::big_int());
        table_->append_keys(std::vector{timer.slot}, key);
        int64_t count = 0;
        std::memcpy(&count, table_->read(timer.slot) + table_->layout().offset(0), sizeof(count));
        results.emplace_back(
            table_->namespace_of(timer.slot) * 100 + key[0].finish()->at<int64_t>(0), count);
        fired.push_back(timer.slot);
      }
      table_->erase(fired);
      output.emit(test::pairs(results));
    }
    output.emit_watermark(watermark);
  }

 private:
  void add(const Batch& rows) {
    const auto count = static_cast<size_t>(rows.row_count());
    std::vector<int64_t> windows(count);
    for (size_t row = 0; row < count; ++row) {
      const auto value = rows.column(1).at<int64_t>(static_cast<int32_t>(row));
      windows[row] = (value / kWindowSize + 1) * kWindowSize;
    }
    std::vector<stream::SlotId> slots(count);
    std::vector<std::byte*> records(count);
    std::vector<uint8_t> inserted(count);
    table_->find_or_insert(
        {.columns = std::span(rows.columns()).subspan(0, 1), .namespaces = windows},
        slots,
        records,
        inserted);
    for (size_t row = 0; row < count; ++row) {
      ++*reinterpret_cast<int64_t*>(records[row] + table_->layout().offset(0));
      if (inserted[row] != 0) {
        timers_->add(windows[row] - 1, slots[row]);
      }
    }
  }

  FaultPlan& faults_;
  stream::KeyedTable* table_ = nullptr;
  stream::KeyedTimers* timers_ = nullptr;
};

runtime::JobGraph graph_of(const Scenario& scenario,
                           int32_t parallelism,
                           FaultPlan& faults,
                           const std::vector<std::shared_ptr<test::CountingSource>>& sources,
                           std::shared_ptr<const stream::TableSink> sink) {
  test::GraphBuilder builder;
  std::vector<uint32_t> from;
  for (const auto& source : sources) {
    from.push_back(builder.source(source, parallelism));
  }
  const uint32_t counts =
      builder.vertex(test::factory_of([&]() -> std::unique_ptr<stream::Operator> {
                       if (scenario.has_windows) {
                         return std::make_unique<CountWindows>(faults);
                       }
                       return std::make_unique<CountRows>(faults);
                     }),
                     parallelism);
  const uint32_t to = builder.sink(std::move(sink), parallelism);
  for (const uint32_t one : from) {
    builder.connect(one, counts, Partitioning::kHash, {{0}});
  }
  builder.connect(counts, to, Partitioning::kRebalance);
  return std::move(builder.graph);
}

JobOptions options_of(const Scenario& scenario, const std::string& folder, Outcome& outcome) {
  JobOptions options;
  options.checkpoint_interval_ms = scenario.checkpoint_interval_ms;
  options.checkpoint_dir = folder;
  options.batch_rows = scenario.batch_rows;
  options.channel_capacity = scenario.channel_capacity;
  options.buffer_timeout_ms = scenario.buffer_timeout_ms;
  options.tolerable_failed_checkpoints = scenario.tolerable_failed_checkpoints;
  options.simulation_seed = scenario.seed;
  if (scenario.resumes_at == 0) {
    options.restart = {.kind = RestartStrategy::Kind::kFixedDelay, .attempts = 100, .delay_ms = 3};
  }
  options.on_simulated_turn = [&outcome](const std::string& thread, ProcessingTime now) {
    for (const char byte : thread + "@" + std::to_string(now.ms)) {
      outcome.trace_hash = (outcome.trace_hash ^ static_cast<uint8_t>(byte)) * 1099511628211U;
    }
    ++outcome.turns;
  };
  return options;
}

/// The job's failure, if it ended with one. A job that hangs ends the program, as its threads could
/// not be waited for.
std::optional<Error> run_job(runtime::JobGraph graph,
                             JobOptions options,
                             const Scenario& scenario) {
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  const auto job = runtime->submit(std::move(graph), std::move(options));
  if (!job->wait_for(kHangMs)) {
    fmt::print(
        stderr, "FAILED seed {}: the job hangs\n  {}\n", scenario.seed, scenario.to_string());
    std::_Exit(1);
  }
  return job->failure();
}

bool has_checkpoint(const std::string& folder) {
  try {
    runtime::resolve_checkpoint(folder);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Scenario::Scenario(uint64_t seed_of_all) : seed(seed_of_all) {
  std::mt19937_64 random(seed);
  const auto draw = [&random](int64_t lowest, int64_t highest) {
    return lowest + static_cast<int64_t>(random() % static_cast<uint64_t>(highest - lowest + 1));
  };
  const auto draw_small = [&](int64_t lowest, int64_t highest) {
    return static_cast<int32_t>(draw(lowest, highest));
  };
  parallelism = draw_small(1, 3);
  resumes_at = draw(0, 2) == 0 ? draw_small(1, 3) : 0;
  has_windows = draw(0, 1) == 0;
  sources = draw_small(1, 2);
  source.splits = has_windows ? parallelism : draw_small(1, 4);
  source.count = draw(50, 500);
  source.keys = draw(1, 20);
  source.batch = draw_small(1, 30);
  source.watermarks = has_windows;
  batch_rows = draw_small(1, 40);
  channel_capacity = draw_small(1, 4);
  buffer_timeout_ms = draw(0, 20);
  checkpoint_interval_ms = draw(1, 12);
  tolerable_failed_checkpoints = draw_small(0, 2);
  faults = draw_faults(random);
}

std::string Scenario::to_string() const {
  std::string text = fmt::format(
      "{} at parallelism {}{}, {} sources of {} splits of {} rows in batches of {}, {} keys, "
      "checkpoints each {} ms",
      has_windows ? "windows" : "counts",
      parallelism,
      resumes_at == 0 ? "" : fmt::format(" and resumed at {}", resumes_at),
      sources,
      source.splits,
      source.count,
      source.batch,
      source.keys,
      checkpoint_interval_ms);
  for (const Fault& fault : faults) {
    text += "; fails " + fault.to_string();
  }
  return text;
}

Outcome run(const Scenario& scenario, const std::string& folder) {
  Outcome outcome;
  FaultPlan faults(scenario.faults);
  auto sink = std::make_shared<test::CommitSink>();
  test::CountingSource::Settings settings = scenario.source;
  for (const Fault& fault : scenario.faults) {
    if (fault.kind == Fault::Kind::kSource) {
      settings.fail_after = fault.nth;
    }
  }
  std::vector<std::shared_ptr<test::CountingSource>> sources;
  for (int32_t i = 0; i < scenario.sources; ++i) {
    sources.push_back(std::make_shared<test::CountingSource>(settings));
    settings.fail_after = -1;
  }
  int32_t parallelism = scenario.parallelism;
  JobOptions options = options_of(scenario, folder, outcome);
  options.hook = std::shared_ptr<runtime::JobHook>(&faults, [](runtime::JobHook*) {});
  for (size_t process = 0; process <= scenario.faults.size(); ++process) {
    const auto failure =
        run_job(graph_of(scenario, parallelism, faults, sources, sink), options, scenario);
    if (!failure) {
      break;
    }
    if (scenario.resumes_at == 0 || process == scenario.faults.size()) {
      outcome.failure = failure->message();
      break;
    }
    parallelism = scenario.resumes_at;
    options.restore_path = has_checkpoint(folder) ? folder : "";
  }
  outcome.committed = sink->committed();
  outcome.faults_struck = faults.struck();
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::filesystem::remove_all(entry.path());
  }
  return outcome;
}

std::vector<std::string> expected(const Scenario& scenario) {
  std::vector<std::string> rows;
  const test::CountingSource::Settings& source = scenario.source;
  std::map<int64_t, int64_t> counts;
  for (int32_t split = 0; split < source.splits * scenario.sources; ++split) {
    for (int64_t number = 0; number < source.count; ++number) {
      const int64_t key = number % source.keys;
      if (scenario.has_windows) {
        ++counts[(number / kWindowSize + 1) * kWindowSize * 100 + key];
      } else {
        rows.push_back(fmt::format("+I {} {}", key, ++counts[key]));
        rows.push_back(fmt::format("+I {} {}", -1 - key, number));
      }
    }
  }
  if (scenario.has_windows) {
    for (const auto& [window, count] : counts) {
      rows.push_back(fmt::format("+I {} {}", window, count));
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace thalweg::simulation
