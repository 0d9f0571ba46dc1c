#pragma once

#include <memory>
#include <span>
#include <vector>

#include "thalweg/operators/aggregate/aggregate_set.h"
#include "thalweg/operators/aggregate/scratch_records.h"

namespace thalweg::operators {

/// The layout of records that hold nothing but the aggregates, which are bound to it.
stream::RecordLayout bound_layout(AggregateSet& aggregates);

/// Aggregates of frames that are computed from nothing, each from its own rows. Keeps nothing
/// between calls. Owned by an operator; task thread.
class FreshFrames {
 public:
  explicit FreshFrames(const std::vector<expression::AggregateCall>& calls);

  std::vector<ColumnBuilder> make_result_builders() const {
    return aggregates_.make_result_builders();
  }

  /// Appends the results over rows [begins[i], ends[i]) of `batch` for each i, to one builder for
  /// each call.
  void append_results(const Batch& batch,
                      std::span<const int32_t> begins,
                      std::span<const int32_t> ends,
                      std::span<ColumnBuilder> results);

 private:
  /// Frames are computed together until they have so many rows.
  static constexpr size_t kRowsAtOnce = 16'384;
  static constexpr size_t kFramesAtOnce = 4096;

  AggregateSet aggregates_;
  stream::RecordLayout layout_;
  ScratchRecords scratch_;
  std::vector<int32_t> rows_;
  std::vector<std::byte*> records_;
};

}  // namespace thalweg::operators
