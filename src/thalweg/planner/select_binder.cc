#include <algorithm>

#include "thalweg/planner/aggregate_binder.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/query_binder.h"
#include "thalweg/planner/select_list.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

namespace {

/// SELECT without groups: one projection over the rows.
BoundSelect bind_plain(const PlannerContext& context,
                       BoundFrom from,
                       const std::vector<SelectColumn>& columns,
                       const SelectClauses& clauses) {
  OverBinder over(context, clauses);
  ExpressionBinder binder(context, from.scope, "SELECT");
  binder.set_over(&over);
  std::vector<ExpressionPtr> projections;
  for (const SelectColumn& column : columns) {
    projections.push_back(column.expr ? binder.bind(*column.expr) : column.bound);
  }
  SelectList list = bind_select_list(std::move(projections), columns, clauses, binder);
  return project_select(std::move(from.plan), std::move(list), over, false);
}

bool is_grouped(const std::vector<SelectColumn>& columns,
                const SelectClauses& clauses,
                const PlannerContext& context) {
  const auto has_aggregate = [&](const sql::ExprPtr& expr) {
    return expr != nullptr && contains_aggregate(*expr, context);
  };
  if (clauses.is_grouped || clauses.having != nullptr || has_aggregate(clauses.qualify)) {
    return true;
  }
  if (clauses.windows != nullptr) {
    for (const sql::NamedWindow& window : *clauses.windows) {
      for (const sql::OrderItem& item : window.spec->order_by) {
        if (has_aggregate(item.expr)) {
          return true;
        }
      }
    }
  }
  return std::any_of(columns.begin(), columns.end(), [&](const SelectColumn& column) {
    return has_aggregate(column.expr);
  });
}

}  // namespace

BoundSelect QueryBinder::bind_clauses(BoundFrom from, const SelectClauses& clauses) {
  if (clauses.where) {
    ExpressionBinder binder(context_, from.scope, "WHERE");
    ExpressionPtr condition = binder.bind_condition(*clauses.where);
    from.plan = make_filter(std::move(from.plan), std::move(condition));
  }
  const std::vector<SelectColumn> columns = expand_items(*clauses.items, from.scope);
  selected_names_ = names_of_columns(columns);
  BoundSelect result = is_grouped(columns, clauses, context_)
                           ? bind_grouped(context_, std::move(from), columns, clauses)
                           : bind_plain(context_, std::move(from), columns, clauses);
  if (clauses.distinct) {
    result.plan = make_distinct(std::move(result.plan));
  }
  return result;
}

}  // namespace thalweg::planner
