#pragma once

#include <memory>
#include <vector>

#include "thalweg/operators/window/window_spec.h"
#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// A window table function that is not aggregated: each row once for each of its windows, with the
/// window columns after its own. SESSION holds rows back until their session ends.
struct WindowTableFunctionSpec {
  Schema input;
  WindowSpec window;
  /// window_start, window_end, window_time.
  std::vector<WindowColumn> columns;
  /// SESSION(... PARTITION BY ...).
  std::vector<ColumnIndex> partition_keys = {};
  bool is_batch = false;
};

std::shared_ptr<const stream::OperatorFactory> make_window_table_function(
    WindowTableFunctionSpec spec);

}  // namespace thalweg::operators
