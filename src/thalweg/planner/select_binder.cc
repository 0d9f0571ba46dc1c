#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/aggregate_binder.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/order_binder.h"
#include "thalweg/planner/query_binder.h"
#include "thalweg/planner/select_items.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

namespace {

/// SELECT without groups: one projection over the rows.
BoundSelect bind_plain(const PlannerContext& context,
                       BoundFrom from,
                       const std::vector<SelectColumn>& columns,
                       const SelectClauses& clauses) {
  ExpressionBinder binder(context, from.scope, "SELECT");
  std::vector<ExpressionPtr> projections;
  for (const SelectColumn& column : columns) {
    projections.push_back(column.expr ? binder.bind(*column.expr) : column.bound);
  }
  BoundSelect result;
  result.visible_columns = projections.size();
  std::vector<std::string> names = names_of_columns(columns);
  if (clauses.order_by != nullptr) {
    OrderBinder order(columns, clauses.distinct);
    result.sort_keys = order.bind(*clauses.order_by, binder, projections, names);
  }
  result.plan = make_project(std::move(from.plan), std::move(projections), make_unique(names));
  return result;
}

}  // namespace

BoundSelect QueryBinder::bind_clauses(BoundFrom from, const SelectClauses& clauses) {
  if (clauses.where) {
    ExpressionBinder binder(context_, from.scope, "WHERE");
    ExpressionPtr condition = binder.bind_condition(*clauses.where);
    from.plan = make_filter(std::move(from.plan), std::move(condition));
  }
  const std::vector<SelectColumn> columns = expand_items(*clauses.items, from.scope);
  bool grouped = clauses.is_grouped || clauses.having != nullptr;
  for (const SelectColumn& column : columns) {
    grouped = grouped || (column.expr && contains_aggregate(*column.expr, context_));
  }
  BoundSelect result = grouped ? bind_grouped(context_, std::move(from), columns, clauses)
                               : bind_plain(context_, std::move(from), columns, clauses);
  if (clauses.distinct) {
    result.plan = make_distinct(std::move(result.plan));
  }
  return result;
}

}  // namespace thalweg::planner
