#pragma once

#include <string>
#include <vector>

#include "thalweg/expression/expression.h"
#include "thalweg/planner/planner_context.h"
#include "thalweg/planner/scope.h"
#include "thalweg/sql/ast_query.h"

namespace thalweg::planner {

/// One column of a SELECT list after `*` is expanded.
struct SelectColumn {
  /// Null for columns that came from `*`; they are in `bound`.
  sql::ExprPtr expr;
  expression::ExpressionPtr bound;
  std::string name;
  bool has_alias = false;
};

/// Expands stars and names what has no name: the column's own, else EXPR$n.
std::vector<SelectColumn> expand_items(const std::vector<sql::SelectItem>& items,
                                       const Scope& scope);

std::vector<std::string> names_of_columns(const std::vector<SelectColumn>& columns);

/// True when an aggregate function is called in it, not counting calls with OVER (but their
/// operands) and subqueries.
bool contains_aggregate(const sql::Expr& expr, const PlannerContext& context);

/// True when a call with OVER is in it, not counting subqueries.
bool contains_over(const sql::Expr& expr);

}  // namespace thalweg::planner
