#pragma once

#include <string>
#include <vector>

#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/over_binder.h"
#include "thalweg/planner/query_binder.h"
#include "thalweg/planner/select_items.h"

namespace thalweg::planner {

/// What a SELECT computes from its rows: the visible columns, what ORDER BY needs besides, the
/// condition of QUALIFY.
struct SelectList {
  std::vector<expression::ExpressionPtr> projections;
  std::vector<std::string> names;
  size_t visible_columns = 0;
  std::vector<LogicalSortKey> sort_keys;
  /// The last column is the condition.
  bool is_qualified = false;
};

/// Adds ORDER BY and QUALIFY to the bound `columns`.
SelectList bind_select_list(std::vector<expression::ExpressionPtr> projections,
                            const std::vector<SelectColumn>& columns,
                            const SelectClauses& clauses,
                            ExpressionBinder& binder);

/// The list over the rows, with the windows of OVER between.
BoundSelect project_select(LogicalPtr rows, SelectList list, OverBinder& over, bool is_grouped);

}  // namespace thalweg::planner
