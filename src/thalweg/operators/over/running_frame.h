#pragma once

#include <memory>
#include <span>
#include <vector>

#include "thalweg/operators/over/over_aggregate.h"
#include "thalweg/types/batch.h"

namespace thalweg::operators {

/// Rows that get their results now: those of each partition in the window's order.
struct OrderedRows {
  const Batch& batch;
  /// Each row's partition, and its record.
  std::span<const stream::SlotId> slots;
  std::span<std::byte* const> records;
  std::span<const int64_t> times;

  /// Rows i and i + 1 have one time in one partition.
  bool are_peers(size_t i) const { return slots[i] == slots[i + 1] && times[i] == times[i + 1]; }
};

/// The results of a frame that ends at the current row, where rows come in the window's order and
/// stay: what a partition needs for the rows to come is in its record. Owned by its operator; task
/// thread.
class RunningFrame {
 public:
  virtual ~RunningFrame() = default;

  /// Appends the fields that a record needs; once, before the table is declared.
  virtual void declare_fields(std::vector<stream::StateField>& fields) = 0;
  virtual void bind(stream::KeyedTable& table) = 0;
  /// Adds the rows; one column of results for each call.
  virtual std::vector<ColumnPtr> add_rows(const OrderedRows& rows) = 0;
};

/// With `peers_share` rows of one partition and time, which must come together, have one result,
/// else each its own.
std::unique_ptr<RunningFrame> make_running_frame(const OverAggregateSpec& spec, bool peers_share);

/// Whether rows leave a frame that ends at the current row.
inline bool is_bounded(const expression::OverFrame& frame) {
  return frame.lower.kind != expression::OverBoundKind::kUnboundedPreceding;
}

/// How many rows or milliseconds before the current row a bounded one begins.
int64_t preceding_of(const expression::OverFrame& frame);

}  // namespace thalweg::operators
