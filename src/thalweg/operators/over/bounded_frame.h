#pragma once

#include <optional>
#include <vector>

#include "thalweg/operators/aggregate/aggregate_set.h"
#include "thalweg/operators/over/frame_rows.h"
#include "thalweg/operators/over/fresh_frames.h"
#include "thalweg/operators/over/running_frame.h"

namespace thalweg::operators {

/// ROWS or RANGE from some PRECEDING (or the current row) to CURRENT ROW. The frame's rows, as far
/// as the calls look at them, stay in the partition's record, and one that leaves is taken back.
/// Calls that can't take rows back are computed from the whole frame each time.
class BoundedFrame final : public RunningFrame {
 public:
  BoundedFrame(const OverAggregateSpec& spec, bool peers_share);

  void declare_fields(std::vector<stream::StateField>& fields) override;
  void bind(stream::KeyedTable& table) override;
  std::vector<ColumnPtr> add_rows(const OrderedRows& rows) override;

 private:
  /// Rows that leave frames and come into them, one after the other.
  struct Steps {
    std::vector<ColumnBuilder> rows;
    std::vector<RowKind> kinds;
    std::vector<std::byte*> records;
  };

  /// Whole frames, one after the other, and the results of those before them.
  struct Frames {
    std::vector<ColumnBuilder> rows;
    std::vector<int32_t> begins;
    std::vector<int32_t> ends;
    std::vector<ColumnBuilder> results;
  };

  void clear();
  FrameRows& frame_of(std::byte* record);
  void find_frames(std::span<std::byte* const> records);
  /// Puts a row into its partition's frame and takes out what it drives out.
  void add_row(FrameRows& frame, std::byte* record, int64_t time_ms, int32_t row);
  /// Rows [begin, end) get the results that are there now.
  void end_peers(const FrameRows& frame, size_t begin, size_t end);
  void compute_frames();
  std::vector<ColumnPtr> stepwise_results();
  std::vector<ColumnPtr> fresh_results();

  bool is_rows_;
  bool peers_share_;
  /// Rows or milliseconds before the current row.
  int64_t preceding_;
  /// The columns of the input that the calls look at.
  std::vector<ColumnIndex> columns_;
  /// For each call: can it take rows back.
  std::vector<bool> is_stepwise_;
  std::optional<AggregateSet> stepwise_;
  std::optional<FreshFrames> fresh_;
  stream::KeyedTable* table_ = nullptr;
  size_t frame_field_ = 0;
  size_t frame_offset_ = 0;

  // What one call of add_rows goes through.
  std::vector<ColumnPtr> inputs_;
  std::vector<FrameRows*> frames_of_rows_;
  Steps steps_;
  Frames frames_;
  int32_t frame_count_ = 0;
  /// For each row the last step, and the frame, that its results come from.
  std::vector<int32_t> step_of_row_;
  std::vector<int32_t> frame_of_row_;
  std::vector<int32_t> all_steps_;
};

}  // namespace thalweg::operators
