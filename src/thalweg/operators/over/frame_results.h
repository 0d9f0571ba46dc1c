#pragma once

#include <memory>
#include <vector>

#include "thalweg/expression/aggregate_function.h"
#include "thalweg/expression/over_frame.h"
#include "thalweg/operators/over/frame_bounds.h"
#include "thalweg/types/batch.h"

namespace thalweg::operators {

/// The results of some calls over whole partitions, a column at a time. Keeps nothing from one call
/// to the next. Owned by its operator; task thread.
class FrameResults {
 public:
  virtual ~FrameResults() = default;

  /// One column for each call. `rows` are those of the partitions.
  virtual std::vector<ColumnPtr> compute(const Batch& rows,
                                         const SortedPartitions& partitions,
                                         const FrameBounds& bounds) = 0;
};

/// For calls of functions that look at a frame.
std::unique_ptr<FrameResults> make_frame_results(
    const std::vector<expression::AggregateCall>& calls, const expression::OverFrame& frame);

/// For calls of functions with a partition kernel.
std::unique_ptr<FrameResults> make_partition_results(
    const std::vector<expression::AggregateCall>& calls);

}  // namespace thalweg::operators
