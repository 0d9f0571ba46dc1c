#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "thalweg/operators/over/over_aggregate.h"
#include "thalweg/operators/over/partition_expiry.h"
#include "thalweg/operators/over/running_frame.h"
#include "thalweg/operators/over/waiting_rows.h"

namespace thalweg::operators {

/// OVER where rows wait until their time is over: by row time (Flink's RowTime*PrecedingFunction),
/// and by processing time in a bounded RANGE, where all rows of a millisecond share a frame (its
/// ProcTimeRangeBoundedPrecedingFunction). The table "partitions" has what the frames need. Rows
/// are sent by time, then as they came; in RANGE those of one partition and time together. One per
/// subtask, task thread.
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
  void close() override;

 private:
  void declare_state(stream::OperatorContext& context);
  int64_t& last_time(std::byte* record) const;
  /// Rows of the partition that wait, counted where idle partitions are forgotten.
  int64_t& waiting_count(std::byte* record) const;

  /// The rows between two marks, without those that are late by the watermark alone.
  void read_run(const Batch& batch, int32_t begin, int32_t end);
  /// Chooses those for keeping that are not late.
  void choose_rows(const Batch& batch, stream::Output& output);
  /// The watermark has passed what some partitions found last are kept for.
  bool are_partitions_over() const;
  /// Lets the chosen rows wait.
  void keep_chosen(const Batch& batch);
  void touch_chosen(const Batch& batch);
  /// Computes and sends the rows up to the watermark, or the present.
  void fire(int64_t time_ms, stream::Output& output);
  void send(TimedBatch due, int64_t time_ms, stream::Output& output);

  std::vector<ColumnPtr> keys_of(const Batch& batch, std::span<const int32_t> rows) const;
  /// Fills slots_ and records_; new ones are started.
  void find_partitions(std::span<const ColumnPtr> keys, size_t size);
  void start_partition(std::byte* record);
  /// The partitions found last are computed up to these times.
  void touch_partitions(std::span<const int64_t> times);
  /// Puts rows of one partition and time together.
  void group_peers(TimedBatch& due);
  void reorder(TimedBatch& due, std::span<const int32_t> rows);
  /// The marks before the next row that is due by `time_ms`, to lie between rows of these times.
  std::vector<Mark> take_marks(std::span<const int64_t> times, int64_t time_ms);

  void forget_past(int64_t time_ms);
  void forget_idle(ProcessingTime now);

  OverAggregateSpec spec_;
  bool is_row_time_;
  bool is_bounded_;
  WaitingRows waiting_;
  std::unique_ptr<RunningFrame> frame_;
  /// By the frame's length where that is a time, in the time of the rows.
  std::optional<PartitionExpiry> past_expiry_;
  /// By the time to live, in that of the clock.
  std::optional<PartitionExpiry> idle_expiry_;
  stream::OperatorContext* context_ = nullptr;
  stream::KeyedTable* table_ = nullptr;
  stream::KeyedTimers* past_timers_ = nullptr;
  stream::KeyedTimers* idle_timers_ = nullptr;
  stream::OperatorListState* watermark_state_ = nullptr;
  stream::Counter* late_rows_ = nullptr;
  size_t last_time_offset_ = 0;
  size_t waiting_count_offset_ = 0;
  EventTime watermark_ = kMinEventTime;
  /// Those not yet sent on.
  std::vector<EventTime> watermarks_;

  struct Run {
    std::vector<int32_t> rows;
    std::vector<int64_t> times;
  };

  // Of the batch that is read, and of the rows that are computed.
  Run run_;
  std::vector<int32_t> chosen_;
  std::vector<int64_t> times_;
  std::vector<stream::SlotId> slots_;
  std::vector<std::byte*> records_;
  std::vector<uint8_t> inserted_;
};

}  // namespace thalweg::operators
