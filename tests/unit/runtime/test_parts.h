#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "thalweg/runtime/job.h"
#include "thalweg/types/column_builder.h"

/// Small sources, operators and sinks for the tests of the runtime.
namespace thalweg::test {

/// Rows (key BIGINT, value BIGINT).
Batch pairs(const std::vector<std::pair<int64_t, int64_t>>& rows);

/// Gives the numbers [0, count) of each split as (number % keys, number), `batch` rows at a time.
class CountingSource final : public stream::TableSource {
 public:
  struct Settings {
    int32_t splits = 1;
    int64_t count = 1000;
    int64_t keys = 10;
    int32_t batch = 100;
    bool bounded = true;
    /// A watermark of the last number after each batch.
    bool watermarks = false;
    /// Fails behind this many rows of a split, until `failures` are used up.
    int64_t fail_after = -1;
    /// Waits this long before each batch.
    int64_t pause_ms = 0;
    /// Gives nothing behind this many rows of a split until `release` says so.
    int64_t hold_at = -1;
  };

  explicit CountingSource(Settings settings) : settings_(settings) {}

  stream::Boundedness boundedness() const override;
  std::vector<stream::Split> discover_splits() override;
  std::unique_ptr<stream::SourceReader> create_reader() const override;

  const Settings& settings() const { return settings_; }

  mutable std::atomic<int64_t> failures{1};
  /// While false, readers give nothing.
  std::atomic<bool> open{true};
  std::function<bool()> release;
  /// Rows that readers gave, replayed ones too.
  mutable std::atomic<int64_t> given{0};

 private:
  Settings settings_;
};

/// Rows given by hand, in batches with marks.
class HandSource final : public stream::TableSource {
 public:
  stream::Boundedness boundedness() const override { return stream::Boundedness::kUnbounded; }

  std::vector<stream::Split> discover_splits() override;
  std::unique_ptr<stream::SourceReader> create_reader() const override;

  void feed(Batch batch);
  void end();
  stream::PollResult poll() const;

 private:
  mutable std::mutex mutex_;
  mutable std::deque<Batch> batches_;
  bool ended_ = false;
};

/// Keeps what was written, as text: "+I 1 2", "WM 5" is not kept.
class CollectSink final : public stream::TableSink {
 public:
  stream::ChangelogMode accepted(const stream::ChangelogMode& requested) const override {
    return requested;
  }

  std::unique_ptr<stream::SinkWriter> create_writer() const override;

  std::vector<std::string> rows() const;
  std::vector<std::string> sorted_rows() const;

  int64_t count() const { return count_.load(); }

  void write(const Batch& batch) const;

  /// Called with each batch on the task's thread.
  std::function<void(const Batch&)> on_write;
  bool keep = true;

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::string> rows_;
  mutable std::atomic<int64_t> count_{0};
};

/// Rows become visible with their checkpoint, as files or transactions do. Committing twice is
/// seen.
class CommitSink final : public stream::TableSink {
 public:
  stream::ChangelogMode accepted(const stream::ChangelogMode& requested) const override {
    return requested;
  }

  std::unique_ptr<stream::SinkWriter> create_writer() const override;

  /// All rows that were committed, each committable once.
  std::vector<std::string> committed() const;
  void commit(const std::string& committable) const;

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::vector<std::string>> committed_;
};

/// An operator made of functions.
struct FunctionOperator {
  std::function<void(stream::OperatorContext&)> open;
  std::function<void(stream::OperatorContext&, Batch, int32_t, stream::Output&)> batch;
  std::function<void(stream::OperatorContext&, EventTime, stream::Output&)> watermark;
  std::function<void(stream::OperatorContext&, ProcessingTime, stream::Output&)> time;
  std::function<void(stream::OperatorContext&, int32_t, stream::Output&)> end;
  std::function<void(const std::string& split, bool ended)> split = {};
};

std::shared_ptr<const stream::OperatorFactory> operator_of(FunctionOperator functions);
std::shared_ptr<const stream::OperatorFactory> factory_of(
    std::function<std::unique_ptr<stream::Operator>()> create);

/// Adds up column 1 by column 0 and emits (key, sum) at the end of input.
std::shared_ptr<const stream::OperatorFactory> sum_by_key();

/// Sets up graphs: ids count up in the order of the calls.
class GraphBuilder {
 public:
  uint32_t source(std::shared_ptr<stream::TableSource> source, int32_t parallelism = 1);
  uint32_t vertex(std::shared_ptr<const stream::OperatorFactory> first, int32_t parallelism = 1);
  uint32_t sink(std::shared_ptr<const stream::TableSink> sink, int32_t parallelism = 1);
  /// Chains an operator or a sink to a vertex.
  void chain(uint32_t vertex, std::shared_ptr<const stream::OperatorFactory> next);
  void chain_sink(uint32_t vertex, std::shared_ptr<const stream::TableSink> sink);
  void connect(uint32_t from,
               uint32_t to,
               runtime::Partitioning partitioning,
               std::vector<ColumnIndex> keys = {},
               int32_t input = 0);

  runtime::JobGraph graph = {"test job", {}, {}};

 private:
  uint32_t next_operator_ = 1;
};

/// Runs a job to its end; throws its failure.
void run_to_end(runtime::JobGraph graph, runtime::JobOptions options = {});

/// source -> by key -> sum -> sink.
runtime::JobGraph sum_graph(std::shared_ptr<stream::TableSource> source,
                            std::shared_ptr<const stream::TableSink> sink,
                            int32_t parallelism);
/// What sum_graph gives for a CountingSource.
std::vector<std::string> expected_sums(const CountingSource::Settings& settings);

}  // namespace thalweg::test
