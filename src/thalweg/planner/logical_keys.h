#pragma once

#include <vector>

#include "thalweg/planner/logical_plan.h"

namespace thalweg::planner {

/// Whether a node's rows have different values of `columns`: a table's primary key or the keys of a
/// GROUP BY are among them.
bool is_unique_by(const LogicalNode& node, const std::vector<ColumnIndex>& columns);

}  // namespace thalweg::planner
