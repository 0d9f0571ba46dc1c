#pragma once

#include <optional>
#include <vector>

#include "thalweg/operators/over/over_aggregate.h"
#include "thalweg/operators/over/partition_expiry.h"
#include "thalweg/operators/over/running_frame.h"
#include "thalweg/operators/over/timed_rows.h"

namespace thalweg::operators {

/// OVER where rows wait until their time is over: by row time (Flink's RowTime*PrecedingFunction),
/// and by processing time in a bounded RANGE, where all rows of a millisecond share a frame (its
/// ProcTimeRangeBoundedPrecedingFunction). The table "partitions" has a record for each partition:
/// its waiting rows and what its frame needs. Rows are sent by time, then partition, then as they
/// came. One per subtask, task thread.
///
/// Late is, as in Flink, with an unbounded frame a row that the watermark has passed, with a
/// bounded one a row that is not behind the last computed time of its partition.
class WaitingOver final : public stream::Operator {
 public:
  explicit WaitingOver(const OverAggregateSpec& spec);

  void open(stream::OperatorContext& context) override;
  void on_batch(Batch batch, int32_t input, stream::Output& output) override;
  void on_watermark(EventTime watermark, stream::Output& output) override;
  void on_processing_time(ProcessingTime now, stream::Output& output) override;
  void on_input_end(int32_t input, stream::Output& output) override;
  void before_snapshot(stream::Output& output) override;

 private:
  /// Rows whose time is over, not yet sent, and the watermarks that lie between them.
  struct DueRows {
    std::vector<ColumnBuilder> columns;
    std::vector<stream::SlotId> slots;
    std::vector<int64_t> times;
    std::vector<Mark> marks;
  };

  TimedRows& waiting_rows(std::byte* record);
  int64_t& last_time(std::byte* record) const;

  void keep_rows(const Batch& batch, int32_t begin, int32_t end);
  /// Leaves the rows that have a time and are not late by the watermark.
  void choose_rows(const Batch& batch, int32_t begin, int32_t end);
  void find_partitions(const Batch& batch);
  void keep_row(const Batch& batch, size_t chosen);

  void advance(EventTime watermark, stream::Output& output);
  void take_due(int64_t time_ms, stream::Output& output);
  void take_timer(const stream::Timer& timer);
  void send_due(stream::Output& output);
  /// table.exec.state.ttl is over for some partitions.
  void forget_idle(ProcessingTime now);

  OverAggregateSpec spec_;
  bool is_row_time_;
  bool is_bounded_;
  std::unique_ptr<RunningFrame> frame_;
  /// By the frame's length where it is a time, in the time of the rows; else by the time to live.
  std::optional<PartitionExpiry> expiry_;
  bool expires_by_frame_;
  stream::OperatorContext* context_ = nullptr;
  stream::KeyedTable* table_ = nullptr;
  stream::KeyedTimers* timers_ = nullptr;
  stream::KeyedTimers* idle_timers_ = nullptr;
  stream::OperatorListState* watermark_state_ = nullptr;
  stream::Counter* late_rows_ = nullptr;
  size_t waiting_offset_ = 0;
  size_t last_time_offset_ = 0;
  EventTime watermark_ = kMinEventTime;

  std::vector<int32_t> rows_;
  std::vector<int64_t> times_;
  std::vector<stream::SlotId> slots_;
  std::vector<std::byte*> records_;
  std::vector<uint8_t> inserted_;
  DueRows due_;
  std::vector<stream::Timer> timers_due_;
  std::vector<stream::SlotId> forgotten_;
};

}  // namespace thalweg::operators
