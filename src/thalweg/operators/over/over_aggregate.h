#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "thalweg/expression/aggregate_function.h"
#include "thalweg/expression/over_frame.h"
#include "thalweg/operators/sort/sort_key.h"
#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// When the rows of an OVER window get their results.
enum class OverMode : uint8_t {
  /// Streaming by one ascending row-time attribute: a row waits until the watermark passes it.
  kEventTime,
  /// Streaming by one ascending processing-time attribute: rows stand in the order they come.
  kProcessingTime,
  /// Streaming by other columns: a row is sent at once, and later rows that come before it in the
  /// order change what was sent.
  kUpdating,
  /// Batch: the input comes sorted by the partition keys and then by `order` (a Sort stands below),
  /// so that the rows of a partition come together; each partition is sent once it is whole.
  kBatch,
};

/// f(x) OVER (PARTITION BY keys ORDER BY order ROWS | RANGE frame). Output columns: the input's,
/// then one for each call. Rows of one partition come to one subtask.
struct OverAggregateSpec {
  Schema input;
  /// Empty: one partition for all rows.
  std::vector<ColumnIndex> partition_keys;
  /// Streaming by time: the time attribute alone, of precision up to 3. Batch: may be empty, then
  /// all rows of a partition are peers.
  std::vector<SortKey> order;
  /// Functions with a partition kernel pass it over. Streaming: it ends at the current row.
  expression::OverFrame frame;
  /// Where a function `takes_order`, the columns of `order` stand behind its own arguments.
  std::vector<expression::AggregateCall> calls;
  OverMode mode = OverMode::kEventTime;
  /// kUpdating: an update is sent as -U and +U, or as +U alone.
  bool generate_update_before = true;
  /// kUpdating: the input holds -U or -D rows.
  bool needs_retract = false;
  /// table.exec.state.ttl: a partition is forgotten this long after its last row; rows that still
  /// wait for the watermark are not.
  std::optional<int64_t> ttl_ms = std::nullopt;
};

std::shared_ptr<const stream::OperatorFactory> make_over_aggregate(OverAggregateSpec spec);

}  // namespace thalweg::operators
