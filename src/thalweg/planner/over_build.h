#pragma once

#include <vector>

#include "thalweg/planner/logical_plan.h"
#include "thalweg/planner/over_window.h"

namespace thalweg::planner {

/// A window and the calls over it, whose arguments are places in a list of operands.
struct OverWindowCalls {
  OverWindow window;
  std::vector<expression::AggregateCall> calls;
  /// By what number each call is known.
  std::vector<size_t> numbers;
};

struct OverPlan {
  LogicalPtr plan;
  /// Where the results are, by the calls' numbers.
  std::vector<ColumnIndex> results;
  /// Where the operands are; -1 for constants.
  std::vector<ColumnIndex> operands;
};

/// The windows of one SELECT on its rows: first a projection that gives the rows' columns and what
/// operands and windows compute from them. The rows' columns keep their places;
/// `may_keep_all_columns`: see LogicalOver.
OverPlan build_over(LogicalPtr rows,
                    const std::vector<OverWindowCalls>& windows,
                    const std::vector<expression::ExpressionPtr>& operands,
                    bool may_keep_all_columns);

/// What stands below the windows of a SELECT: before any rule, the projection of `build_over`.
const LogicalNode& below_windows(const LogicalOver& over);

/// The names in the plan of a SELECT that only passes columns on: those of the columns; results of
/// calls are called $0, $1 and so on by their place. Otherwise the names that the SELECT gives.
std::vector<std::string> names_over_windows(const LogicalProject& select);

}  // namespace thalweg::planner
