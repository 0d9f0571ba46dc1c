// Runs a SQL script whose sources of 'connector' = 'replay' give rows that were decoded beforehand:
// what the engine itself costs. Flink's half of this is benchmarks/peers/flink.
//
// usage: replay_lane SCRIPT.sql [RUNS]
// Each INSERT is run RUNS times, each CREATE TABLE ... AS once; the CPU seconds of each run go to
// standard error ("cpu 1.2345").

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include <sys/resource.h>

#include "thalweg/engine/process.h"
#include "thalweg/engine/session.h"
#include "thalweg/sql/script.h"

namespace thalweg {

namespace {

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

using Batches = std::shared_ptr<const std::vector<Batch>>;

/// Gives the prepared batches in order, and that `rounds` times.
class ReplayReader final : public stream::SourceReader {
 public:
  ReplayReader(Batches batches, std::optional<std::vector<int32_t>> projection, int64_t rounds)
      : batches_(std::move(batches)), projection_(std::move(projection)), rounds_left_(rounds) {}

  void add_splits(std::vector<stream::Split> splits) override {
    has_split_ = has_split_ || !splits.empty();
  }

  void no_more_splits() override {}

  stream::PollResult poll(int64_t max_wait_ms) override {
    static_cast<void>(max_wait_ms);
    if (next_ == batches_->size()) {
      next_ = 0;
      --rounds_left_;
    }
    if (!has_split_ || rounds_left_ <= 0 || batches_->empty()) {
      return {.kind = stream::PollResult::Kind::kEnd};
    }
    const Batch& prepared = (*batches_)[next_++];
    std::vector<ColumnPtr> columns;
    if (projection_) {
      for (const int32_t column : *projection_) {
        columns.push_back(prepared.columns()[static_cast<size_t>(column)]);
      }
    } else {
      columns = prepared.columns();
    }
    return {.kind = stream::PollResult::Kind::kBatch,
            .batch = Batch(prepared.row_count(), std::move(columns))};
  }

  std::vector<stream::Split> snapshot() const override { return {}; }

 private:
  Batches batches_;
  std::optional<std::vector<int32_t>> projection_;
  int64_t rounds_left_;
  size_t next_ = 0;
  bool has_split_ = false;
};

class ReplaySource final : public stream::TableSource {
 public:
  ReplaySource(Batches batches, std::optional<std::vector<int32_t>> projection, int64_t rounds)
      : batches_(std::move(batches)), projection_(std::move(projection)), rounds_(rounds) {}

  stream::Boundedness boundedness() const override { return stream::Boundedness::kBounded; }

  std::vector<stream::Split> discover_splits() override { return {{"0", ""}}; }

  std::unique_ptr<stream::SourceReader> create_reader() const override {
    return std::make_unique<ReplayReader>(batches_, projection_, rounds_);
  }

 private:
  Batches batches_;
  std::optional<std::vector<int32_t>> projection_;
  int64_t rounds_;
};

/// What the reader of a file asks for while it is read beforehand.
class LoneReader final : public stream::ReaderContext {
 public:
  int32_t subtask() const override { return 0; }

  int32_t parallelism() const override { return 1; }

  ProcessingTime now() const override { return {}; }

  stream::Counter& counter(const std::string& name) override { return counters_[name]; }

  void wake() override {}

 private:
  std::map<std::string, stream::Counter> counters_;
};

/// 'connector' = 'replay': all 'rows' records of the file 'path' in 'format', 'rounds' times (1),
/// decoded whole before the first row is sent, once for each file.
class ReplayFactory final : public stream::ConnectorFactory {
 public:
  /// `files` opens the file.
  explicit ReplayFactory(const stream::ConnectorFactory& files) : files_(files) {}

  std::string name() const override { return "replay"; }

  std::vector<stream::OptionSpec> option_specs() const override { return {}; }

  std::shared_ptr<stream::TableSource> create_source(
      const stream::TableContext& context) const override {
    const std::string& path = context.options.at("path");
    Batches& batches = prepared_[path];
    if (batches == nullptr) {
      batches = read(context, std::stoll(context.options.at("rows")));
    }
    const auto rounds = context.options.find("rounds");
    return std::make_shared<ReplaySource>(
        batches,
        context.projection,
        rounds == context.options.end() ? 1 : std::stoll(rounds->second));
  }

  std::shared_ptr<stream::TableSink> create_sink(const stream::TableContext&) const override {
    throw Error(ErrorCode::kNotSupported, "replay is a source");
  }

 private:
  Batches read(stream::TableContext table, int64_t rows) const {
    table.projection.reset();
    table.options["connector"] = files_.name();
    table.options.erase("rows");
    table.options.erase("rounds");
    const auto source = files_.create_source(table);
    const auto reader = source->create_reader();
    LoneReader context;
    reader->open(context);
    reader->add_splits(source->discover_splits());
    reader->no_more_splits();
    std::vector<Batch> batches;
    int64_t missing = rows;
    for (;;) {
      stream::PollResult result = reader->poll(1000);
      if (result.failure) {
        throw Error(*result.failure);
      }
      if (result.kind == stream::PollResult::Kind::kEnd) {
        break;
      }
      missing -= result.batch.row_count();
      if (result.batch.row_count() > 0) {
        batches.push_back(std::move(result.batch));
      }
    }
    reader->close();
    if (missing != 0) {
      throw Error(
          ErrorCode::kValidation,
          fmt::format("{} has {} records, not {}", table.options.at("path"), rows - missing, rows));
    }
    return std::make_shared<const std::vector<Batch>>(std::move(batches));
  }

  const stream::ConnectorFactory& files_;
  /// By path. A session makes its sources on one thread.
  mutable std::map<std::string, Batches> prepared_;
};

/// Runs a statement and waits for the job that it starts, if any.
void run(engine::Session& session, const std::string& statement) {
  const double before = cpu_seconds();
  engine::Result result = session.execute(statement, /*client=*/true);
  if (result.job == nullptr) {
    return;
  }
  while (!result.job->wait_for(1000)) {
  }
  if (const auto failure = result.job->failure()) {
    throw Error(*failure);
  }
  std::fprintf(stderr, "cpu %.4f\n", cpu_seconds() - before);
}

void run_script(const char* path, int64_t runs) {
  std::stringstream script;
  script << std::ifstream(path).rdbuf();
  auto process = std::make_shared<engine::Process>();
  process->connectors.add(
      std::make_unique<ReplayFactory>(process->connectors.connector("filesystem")));
  engine::Session session(process, {});
  for (const sql::ScriptStatement& statement : sql::split_script(script.str())) {
    const bool is_insert = statement.text.starts_with("INSERT");
    if (is_insert) {
      // Reads the file; the runs don't.
      session.explain({statement.text}, {});
    }
    for (int64_t i = 0; i < (is_insert ? runs : 1); ++i) {
      run(session, statement.text);
    }
  }
}

}  // namespace

}  // namespace thalweg

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: replay_lane SCRIPT.sql [RUNS]\n");
    return 2;
  }
  try {
    thalweg::run_script(argv[1], argc > 2 ? std::atoll(argv[2]) : 1);
  } catch (const thalweg::Error& error) {
    std::fprintf(stderr, "%s\n", thalweg::render(error).c_str());
    return 1;
  }
  return 0;
}
