#pragma once

#include "thalweg/operators/window/session_windows.h"
#include "thalweg/operators/window/window_table_function.h"

namespace thalweg::operators {

/// TABLE(SESSION(...)) that is not aggregated: rows wait until their session closes, then leave in
/// the order they came.
class SessionTableFunction final : public SessionWindows {
 public:
  explicit SessionTableFunction(const WindowTableFunctionSpec& spec);
};

}  // namespace thalweg::operators
