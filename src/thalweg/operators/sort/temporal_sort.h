#pragma once

#include <vector>

#include "thalweg/operators/row_log.h"
#include "thalweg/operators/sort/sort.h"

namespace thalweg::operators {

/// Rows by ascending time attribute (Flink's RowTimeSortOperator and ProcTimeSortOperator): kept by
/// their time until it is over, then sent sorted by the other keys. A row is late when rows of its
/// time or later were sent already. Parallelism 1; task thread.
class TemporalSort final : public stream::Operator {
 public:
  explicit TemporalSort(const TemporalSortSpec& spec);

  void open(stream::OperatorContext& context) override;
  void on_batch(Batch batch, int32_t input, stream::Output& output) override;
  void on_watermark(EventTime watermark, stream::Output& output) override;
  void on_processing_time(ProcessingTime now, stream::Output& output) override;
  void on_input_end(int32_t input, stream::Output& output) override;
  void before_snapshot(stream::Output& output) override;

 private:
  void keep_rows(const Batch& batch, int32_t begin, int32_t end);
  void fire(int64_t time_ms, stream::Output& output);
  /// Moves the rows of one time to the batch that is sent next.
  void read_time(const stream::Timer& timer);
  void send(stream::Output& output);

  TemporalSortSpec spec_;
  /// The keys behind the time attribute.
  std::vector<SortKey> later_keys_;
  stream::OperatorContext* context_ = nullptr;
  stream::KeyedTable* table_ = nullptr;
  stream::KeyedTimers* timers_ = nullptr;
  stream::OperatorListState* last_time_state_ = nullptr;
  stream::Counter* late_rows_ = nullptr;
  size_t offset_ = 0;
  EventTime last_time_ = kMinEventTime;
  std::vector<ColumnBuilder> builders_;
  std::vector<RowKind> kinds_;
};

}  // namespace thalweg::operators
