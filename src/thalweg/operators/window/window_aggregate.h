#pragma once

#include <memory>
#include <vector>

#include "thalweg/expression/aggregate_function.h"
#include "thalweg/operators/window/window_spec.h"
#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// GROUP BY keys and a window. Output columns: the keys, the aggregates, the window columns; each
/// key and window once, +I, when the window ends.
struct WindowAggregateSpec {
  Schema input;
  std::vector<ColumnIndex> keys;
  std::vector<expression::AggregateCall> aggregates;
  WindowSpec window;
  std::vector<WindowColumn> columns;
  /// The input holds -U or -D rows; a window that they empty sends nothing.
  bool needs_retract = false;
  /// Send everything when the input ends; no row is late.
  bool is_batch = false;
};

std::shared_ptr<const stream::OperatorFactory> make_window_aggregate(WindowAggregateSpec spec);

}  // namespace thalweg::operators
