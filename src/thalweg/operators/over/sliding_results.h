#pragma once

#include <optional>
#include <vector>

#include "thalweg/operators/aggregate/aggregate_set.h"
#include "thalweg/operators/aggregate/scratch_records.h"
#include "thalweg/operators/over/frame_results.h"
#include "thalweg/operators/over/fresh_frames.h"

namespace thalweg::operators {

/// Frames whose rows leave again. Short ones are computed each from its rows, as all are in Flink;
/// long ones by taking rows back, where that gives the same: not in sums of floating-point numbers.
class SlidingResults final : public FrameResults {
 public:
  explicit SlidingResults(const std::vector<expression::AggregateCall>& calls);

  std::vector<ColumnPtr> compute(const Batch& rows,
                                 const SortedPartitions& partitions,
                                 const FrameBounds& bounds) override;

 private:
  /// Some rows that leave and come, one after the other.
  struct Steps {
    std::vector<int32_t> rows;
    std::vector<RowKind> kinds;
    std::vector<std::byte*> records;
    /// The last step of each frame.
    std::vector<int32_t> results;
  };

  std::vector<ColumnPtr> fresh_results(FreshFrames& frames,
                                       const Batch& rows,
                                       const FrameBounds& bounds);
  std::vector<ColumnPtr> stepwise_results(const Batch& rows,
                                          const SortedPartitions& partitions,
                                          const FrameBounds& bounds);
  /// From frame [begin, end) to the one of `row`.
  void step_to(const FrameBounds& bounds, int32_t row, std::byte* record);
  void add_step(int32_t row, RowKind kind, std::byte* record);
  /// Appends the results of the steps' frames.
  void run_steps(const Batch& rows, std::span<ColumnBuilder> results);

  /// For each call: it can be computed by taking rows back.
  std::vector<bool> is_stepwise_;
  std::optional<FreshFrames> fresh_;
  /// Of the others, both ways.
  std::optional<FreshFrames> short_;
  std::optional<AggregateSet> stepwise_;
  std::optional<stream::RecordLayout> layout_;
  std::optional<ScratchRecords> scratch_;
  Steps steps_;
  int32_t begin_ = 0;
  int32_t end_ = 0;
};

}  // namespace thalweg::operators
