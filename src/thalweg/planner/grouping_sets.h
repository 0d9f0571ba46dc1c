#pragma once

#include <vector>

#include "thalweg/sql/ast_query.h"

namespace thalweg::planner {

/// The grouping sets that a GROUP BY clause stands for, each a list of expressions: one set for a
/// plain GROUP BY, the cross product of GROUPING SETS, CUBE and ROLLUP otherwise. CUBE counts down
/// from the full set, as Flink numbers them.
std::vector<std::vector<sql::ExprPtr>> expand_grouping(
    const std::vector<sql::GroupingElement>& elements);

}  // namespace thalweg::planner
