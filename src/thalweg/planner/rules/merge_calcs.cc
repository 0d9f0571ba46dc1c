#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/over_build.h"
#include "thalweg/planner/rules/rule.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

namespace {

/// A calc over UNION ALL is computed on each side instead.
LogicalPtr push_through_union(const LogicalPtr& plan) {
  const auto* calc = if_a<LogicalCalc>(*plan);
  if (calc == nullptr) {
    return plan;
  }
  const auto* set = if_a<LogicalSetOperation>(*calc->inputs[0]);
  if (set == nullptr || set->operation != SetOperationKind::kUnion || !set->all) {
    return plan;
  }
  auto pushed = std::make_shared<LogicalSetOperation>();
  pushed->schema = calc->schema;
  for (const LogicalPtr& input : set->inputs) {
    pushed->inputs.push_back(push_through_union(
        make_calc(input, calc->projections, calc->condition, names_of(calc->schema))));
  }
  return pushed;
}

LogicalPtr merge(const LogicalPtr& node) {
  if (const auto* project = if_a<LogicalProject>(*node)) {
    return push_through_union(
        make_calc(project->inputs[0], project->projections, nullptr, names_over_windows(*project)));
  }
  if (const auto* filter = if_a<LogicalFilter>(*node)) {
    const LogicalPtr& input = filter->inputs[0];
    return push_through_union(
        make_calc(input, all_columns(input->schema), filter->condition, names_of(input->schema)));
  }
  if (const auto* calc = if_a<LogicalCalc>(*node)) {
    return push_through_union(
        make_calc(calc->inputs[0], calc->projections, calc->condition, names_of(calc->schema)));
  }
  return node;
}

}  // namespace

LogicalPtr merge_calcs(const LogicalPtr& plan) {
  return transform_plan(plan, merge);
}

}  // namespace thalweg::planner
