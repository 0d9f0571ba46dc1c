#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "thalweg/expression/over_frame.h"
#include "thalweg/operators/sort/sort_key.h"
#include "thalweg/types/column.h"

namespace thalweg::operators {

/// Whole partitions, one after the other, each in the window's order.
struct SortedPartitions {
  /// Where each begins; then the number of rows.
  std::vector<int32_t> begins;
  /// For each row: it differs from the one before in a column of the order, or in its partition.
  std::vector<uint8_t> starts_peers;

  size_t size() const { return begins.size() - 1; }

  int32_t rows() const { return begins.back(); }
};

/// The frame of each row: rows [begins[i], ends[i]). Both never go back within a partition.
struct FrameBounds {
  std::vector<int32_t> begins;
  std::vector<int32_t> ends;
};

/// Tells whether some row's frame has no rows.
bool has_empty_frame(const FrameBounds& bounds);

/// `order` is the first column of the order, `key` how it is sorted; only RANGE with an offset
/// looks at them.
///
/// NULL is far from every value, as in Flink's RangeBoundComparator: an offset takes the NULLs to
/// each other where it does not lead away from the current row.
FrameBounds find_frame_bounds(const expression::OverFrame& frame,
                              const SortedPartitions& partitions,
                              const Column* order,
                              const SortKey& key);

}  // namespace thalweg::operators
