// Rows that are decoded already, through the engine's operators: what the engine itself costs,
// without formats.
//
// usage: engine_lane [--rows N] [--keys K] [--parallelism P] [--repeat R] [--step-us S] [--case
// NAME] Prints a line for each case, or the one named, between tabs: its name, rows per CPU-second
// with the cost of reading (a count) taken off, CPU-seconds of the whole and of the count, wall
// seconds of the whole; each the least of R runs. A row of the dense table comes S microseconds of
// event time behind the one before it.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>

#include <sys/resource.h>

#include "thalweg/engine/process.h"
#include "thalweg/engine/session.h"
#include "thalweg/types/column_builder.h"

namespace thalweg {

namespace {

constexpr int64_t kDenseStepUs = 100;
constexpr int64_t kSparseStepUs = 1'000'000;

struct Options {
  int64_t rows = 20'000'000;
  int64_t keys = 10'000;
  int64_t parallelism = 1;
  int64_t repeat = 1;
  int64_t step_us = kDenseStepUs;
  /// Of one case; all when empty.
  std::string_view name = {};
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Gives the same prepared batches round and round, event times moved on each round, until `rows`
/// rows are out.
class ReplayReader final : public stream::SourceReader {
 public:
  ReplayReader(std::shared_ptr<const std::vector<Batch>> batches, int64_t rows, int64_t round_ms)
      : batches_(std::move(batches)), rows_left_(rows), round_ms_(round_ms) {}

  void add_splits(std::vector<stream::Split> splits) override {
    has_split_ = has_split_ || !splits.empty();
  }

  void no_more_splits() override {}

  stream::PollResult poll(int64_t max_wait_ms) override {
    static_cast<void>(max_wait_ms);
    if (!has_split_ || rows_left_ <= 0) {
      return {.kind = stream::PollResult::Kind::kEnd};
    }
    const Batch& prepared = (*batches_)[next_ % batches_->size()];
    const auto round = static_cast<int64_t>(next_ / batches_->size());
    ++next_;
    rows_left_ -= prepared.row_count();
    std::vector<ColumnPtr> columns = prepared.columns();
    auto times = Column::make(columns[2]->type(), prepared.row_count());
    const auto source = columns[2]->values<int64_t>();
    auto target = times->mutable_values<int64_t>();
    for (size_t i = 0; i < source.size(); ++i) {
      target[i] = source[i] + round * round_ms_;
    }
    columns[2] = times;
    return {.kind = stream::PollResult::Kind::kBatch,
            .batch = Batch(prepared.row_count(), std::move(columns))};
  }

  std::vector<stream::Split> snapshot() const override { return {}; }

 private:
  std::shared_ptr<const std::vector<Batch>> batches_;
  int64_t rows_left_;
  int64_t round_ms_;
  size_t next_ = 0;
  bool has_split_ = false;
};

class ReplaySource final : public stream::TableSource {
 public:
  ReplaySource(std::shared_ptr<const std::vector<Batch>> batches,
               int64_t rows,
               int64_t round_ms,
               int64_t splits)
      : batches_(std::move(batches)), rows_(rows), round_ms_(round_ms), splits_(splits) {}

  stream::Boundedness boundedness() const override { return stream::Boundedness::kBounded; }

  std::vector<stream::Split> discover_splits() override {
    std::vector<stream::Split> splits;
    for (int64_t i = 0; i < splits_; ++i) {
      splits.push_back({std::to_string(i), ""});
    }
    return splits;
  }

  std::unique_ptr<stream::SourceReader> create_reader() const override {
    return std::make_unique<ReplayReader>(batches_, rows_ / splits_, round_ms_);
  }

 private:
  std::shared_ptr<const std::vector<Batch>> batches_;
  int64_t rows_;
  int64_t round_ms_;
  int64_t splits_;
};

/// 'connector' = 'replay', 'rows' = N, 'step-us' = event time between rows, 'splits' = S.
class ReplayFactory final : public stream::ConnectorFactory {
 public:
  /// Makes the rows beforehand, so that no run pays for them.
  ReplayFactory(int64_t keys, std::initializer_list<int64_t> steps_us) {
    // Enough of them to meet nearly every key.
    const int64_t in_memory = std::max<int64_t>(1 << 20U, 4 * keys);
    for (const int64_t step_us : steps_us) {
      std::vector<Batch> batches;
      uint64_t random = 42;
      for (int64_t start = 0; start < in_memory; start += kTargetBatchRows) {
        batches.push_back(make_batch(start, step_us, static_cast<uint64_t>(keys), random));
      }
      prepared_[step_us] = std::make_shared<const std::vector<Batch>>(std::move(batches));
    }
  }

  std::string name() const override { return "replay"; }

  std::vector<stream::OptionSpec> option_specs() const override { return {}; }

  std::shared_ptr<stream::TableSource> create_source(
      const stream::TableContext& context) const override {
    const auto option = [&context](const char* key) { return std::stoll(context.options.at(key)); };
    const int64_t step_us = option("step-us");
    const auto& batches = prepared_.at(step_us);
    const auto rows = static_cast<int64_t>(batches->size()) * kTargetBatchRows;
    return std::make_shared<ReplaySource>(
        batches, option("rows"), rows * step_us / 1000, option("splits"));
  }

  std::shared_ptr<stream::TableSink> create_sink(const stream::TableContext&) const override {
    throw Error(ErrorCode::kNotSupported, "replay is a source");
  }

 private:
  static Batch make_batch(int64_t start, int64_t step_us, uint64_t keys, uint64_t& random) {
    std::vector<ColumnBuilder> builders = make_builders({{"device", DataType::string()},
                                                         {"v", DataType::float64()},
                                                         {"ts", DataType::timestamp(3)}});
    for (int64_t row = start; row < start + kTargetBatchRows; ++row) {
      random = random * 6364136223846793005ULL + 1442695040888963407ULL;
      builders[0].append_string(fmt::format("dev-{:08d}", (random >> 33U) % keys));
      builders[1].append(static_cast<double>((random >> 20U) % 1000) / 100.0);
      builders[2].append(row * step_us / 1000);
    }
    return finish_batch(builders);
  }

  std::map<int64_t, std::shared_ptr<const std::vector<Batch>>> prepared_;
};

/// What some runs took at least.
struct Cost {
  double cpu_s = 1e9;
  double wall_s = 1e9;
};

Cost run(engine::Session& session, const std::string& insert, int64_t repeat) {
  Cost least;
  for (int64_t i = 0; i < repeat; ++i) {
    const double before = cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    engine::Result result = session.execute(insert);
    while (!result.job->wait_for(1000)) {
    }
    if (const auto failure = result.job->failure()) {
      std::fprintf(stderr, "%s\n", render(*failure).c_str());
      std::exit(1);
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    least = {std::min(least.cpu_s, cpu_seconds() - before), std::min(least.wall_s, wall.count())};
  }
  return least;
}

struct Case {
  const char* name;
  const char* table;
  const char* query;
  bool mini_batch = false;
};

constexpr Case kCases[] = {
    {"tumble, dense",
     "dense",
     "SELECT device, window_start, SUM(v), COUNT(*) FROM TABLE(TUMBLE(TABLE dense, DESCRIPTOR(ts), "
     "INTERVAL '30' SECOND)) "
     "GROUP BY device, window_start, window_end"},
    {"tumble, sparse",
     "sparse",
     "SELECT device, window_start, SUM(v), COUNT(*) FROM TABLE(TUMBLE(TABLE sparse, "
     "DESCRIPTOR(ts), INTERVAL '30' SECOND)) "
     "GROUP BY device, window_start, window_end"},
    {"group by, mini-batch",
     "dense",
     "SELECT device, CAST(NULL AS TIMESTAMP(3)), SUM(v), COUNT(*) FROM dense GROUP BY device",
     true},
    {"group by, row by row",
     "dense",
     "SELECT device, CAST(NULL AS TIMESTAMP(3)), SUM(v), COUNT(*) FROM dense GROUP BY device"},
    {"over, unbounded",
     "dense",
     "SELECT device, ts, SUM(v) OVER w, COUNT(*) OVER w FROM dense "
     "WINDOW w AS (PARTITION BY device ORDER BY ts)"},
    {"over, 10 rows",
     "dense",
     "SELECT device, ts, SUM(v) OVER w, COUNT(*) OVER w FROM dense "
     "WINDOW w AS (PARTITION BY device ORDER BY ts ROWS BETWEEN 9 PRECEDING AND CURRENT ROW)"},
};

void create_tables(engine::Session& session, const Options& options) {
  for (const auto& [table, step_us] :
       {std::pair("dense", options.step_us), std::pair("sparse", kSparseStepUs)}) {
    session.execute(fmt::format(
        "CREATE TABLE {} (device STRING, v DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH "
        "('connector' = 'replay', 'rows' = '{}', 'step-us' = '{}', 'splits' = '{}')",
        table,
        options.rows,
        step_us,
        options.parallelism));
  }
  session.execute(
      "CREATE TABLE out4 (device STRING, start_at TIMESTAMP(3), s DOUBLE, n BIGINT) WITH "
      "('connector' = 'blackhole')");
  session.execute("CREATE TABLE counted (n BIGINT) WITH ('connector' = 'blackhole')");
}

void run_cases(const Options& options) {
  auto process = std::make_shared<engine::Process>();
  process->connectors.add(std::make_unique<ReplayFactory>(
      options.keys, std::initializer_list<int64_t>{options.step_us, kSparseStepUs}));
  engine::Session session(process, {});
  session.config().set("parallelism.default", std::to_string(options.parallelism));
  create_tables(session, options);
  for (const Case& one : kCases) {
    if (!options.name.empty() && options.name != one.name) {
      continue;
    }
    session.config().set("table.exec.mini-batch.enabled", "true");
    session.config().set("table.exec.mini-batch.allow-latency", "1 s");
    session.config().set("table.exec.mini-batch.size", "50000");
    const Cost reading = run(session,
                             fmt::format("INSERT INTO counted SELECT COUNT(*) FROM {}", one.table),
                             options.repeat);
    session.config().set("table.exec.mini-batch.enabled", one.mini_batch ? "true" : "false");
    const Cost whole = run(session, fmt::format("INSERT INTO out4 {}", one.query), options.repeat);
    const double net = std::max(whole.cpu_s - reading.cpu_s, 1e-9);
    std::printf("%s\t%.0f\t%.4f\t%.4f\t%.4f\n",
                one.name,
                static_cast<double>(options.rows) / net,
                whole.cpu_s,
                reading.cpu_s,
                whole.wall_s);
  }
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view key = argv[i];
    if (key == "--case") {
      options.name = argv[i + 1];
      continue;
    }
    int64_t* const number = key == "--rows"          ? &options.rows
                            : key == "--keys"        ? &options.keys
                            : key == "--parallelism" ? &options.parallelism
                            : key == "--repeat"      ? &options.repeat
                            : key == "--step-us"     ? &options.step_us
                                                     : nullptr;
    if (number == nullptr) {
      std::fprintf(stderr, "unknown option %s\n", argv[i]);
      std::exit(2);
    }
    *number = std::atoll(argv[i + 1]);
  }
  return options;
}

}  // namespace

}  // namespace thalweg

int main(int argc, char** argv) {
  thalweg::run_cases(thalweg::read_options(argc, argv));
  return 0;
}
