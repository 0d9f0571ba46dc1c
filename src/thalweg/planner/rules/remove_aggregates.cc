#include <algorithm>

#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/insert_cast.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/logical_keys.h"
#include "thalweg/planner/rules/rule.h"

namespace thalweg::planner {

using expression::AggregateCall;
using expression::ExpressionPtr;

namespace {

/// Of one row they give its own value.
bool is_itself_of_one_row(const AggregateCall& call) {
  const std::string& name = call.function->name();
  return !call.distinct && call.filter.value < 0 && call.arguments.size() == 1 &&
         !call.function->is_foreign && (name == "SUM" || name == "MIN" || name == "MAX");
}

LogicalPtr without_aggregate(const LogicalPtr& node) {
  const auto* aggregate = if_a<LogicalAggregate>(*node);
  if (aggregate == nullptr || aggregate->keys.empty() || !aggregate->grouping_sets.empty() ||
      !std::all_of(aggregate->calls.begin(), aggregate->calls.end(), is_itself_of_one_row) ||
      !is_unique_by(*node->inputs[0], aggregate->keys)) {
    return node;
  }
  const LogicalPtr& input = node->inputs[0];
  std::vector<ExpressionPtr> columns;
  for (const ColumnIndex key : aggregate->keys) {
    columns.push_back(column_of(input->schema, static_cast<size_t>(key.value)));
  }
  for (const AggregateCall& call : aggregate->calls) {
    const auto argument = static_cast<size_t>(call.arguments[0].value);
    columns.push_back(coerce(column_of(input->schema, argument), call.signature.result));
  }
  return make_project(input, std::move(columns), names_of(node->schema));
}

}  // namespace

LogicalPtr remove_aggregates(const LogicalPtr& plan) {
  return transform_plan(plan, without_aggregate);
}

}  // namespace thalweg::planner
