#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "thalweg/expression/aggregate_function.h"
#include "thalweg/stream/operator.h"
#include "thalweg/types/data_type.h"

namespace thalweg::operators {

/// table.exec.mini-batch: results are sent for a bundle of rows instead of for each row.
struct MiniBatch {
  /// Rows; 0 or less: no limit.
  int64_t size = 0;
  int64_t latency_ms = 0;
};

/// GROUP BY without a window. Output columns: the keys, then the aggregates.
struct GroupAggregateSpec {
  /// The operator's input; keys and arguments are columns of it.
  Schema input;
  /// Empty: one group for all rows.
  std::vector<ColumnIndex> keys;
  std::vector<expression::AggregateCall> aggregates;
  /// Whether an update is sent as -U and +U, or as +U alone.
  bool generate_update_before = true;
  /// The input holds -U or -D rows.
  bool needs_retract = false;
  /// A keyless aggregate that never got a row sends one when its input ends.
  bool emit_when_empty = false;
  /// table.exec.state.ttl; with it unchanged results are sent too.
  std::optional<int64_t> ttl_ms = std::nullopt;
  std::optional<MiniBatch> mini_batch = std::nullopt;
  /// Send everything once, when the input ends, as +I.
  bool is_batch = false;
};

std::shared_ptr<const stream::OperatorFactory> make_group_aggregate(GroupAggregateSpec spec);

}  // namespace thalweg::operators
