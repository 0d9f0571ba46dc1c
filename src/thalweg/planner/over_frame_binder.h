#pragma once

#include "thalweg/planner/over_window.h"

namespace thalweg::planner {

/// Sets the frame that `spec` writes, ROWS or RANGE, in a window whose order is bound.
void bind_over_frame(const sql::WindowSpec& spec, ExpressionBinder& row, OverWindow& window);

}  // namespace thalweg::planner
