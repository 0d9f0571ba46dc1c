#include "thalweg/planner/rules/rule.h"

#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/logical_build.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

namespace {

template <typename T>
LogicalPtr copy_as(const LogicalNode& node, std::vector<LogicalPtr> inputs) {
  auto copy = std::make_shared<T>(as<T>(node));
  copy->inputs = std::move(inputs);
  return copy;
}

}  // namespace

LogicalPtr with_inputs(const LogicalNode& node, std::vector<LogicalPtr> inputs) {
  switch (node.kind) {
    case LogicalNodeKind::kScan:
      return copy_as<LogicalScan>(node, std::move(inputs));
    case LogicalNodeKind::kWatermarkAssigner:
      return copy_as<LogicalWatermarkAssigner>(node, std::move(inputs));
    case LogicalNodeKind::kValues:
      return copy_as<LogicalValues>(node, std::move(inputs));
    case LogicalNodeKind::kProject:
      return copy_as<LogicalProject>(node, std::move(inputs));
    case LogicalNodeKind::kFilter:
      return copy_as<LogicalFilter>(node, std::move(inputs));
    case LogicalNodeKind::kAggregate:
      return copy_as<LogicalAggregate>(node, std::move(inputs));
    case LogicalNodeKind::kWindowFunction:
      return copy_as<LogicalWindowFunction>(node, std::move(inputs));
    case LogicalNodeKind::kChangelogFunction:
      return copy_as<LogicalChangelogFunction>(node, std::move(inputs));
    case LogicalNodeKind::kCorrelate:
      return copy_as<LogicalCorrelate>(node, std::move(inputs));
    case LogicalNodeKind::kSetOperation:
      return copy_as<LogicalSetOperation>(node, std::move(inputs));
    case LogicalNodeKind::kSort:
      return copy_as<LogicalSort>(node, std::move(inputs));
    case LogicalNodeKind::kOver:
      return copy_as<LogicalOver>(node, std::move(inputs));
    case LogicalNodeKind::kSink:
      return copy_as<LogicalSink>(node, std::move(inputs));
    case LogicalNodeKind::kCustomSource:
      return copy_as<LogicalCustomSource>(node, std::move(inputs));
    case LogicalNodeKind::kCustomOperator:
      return copy_as<LogicalCustomOperator>(node, std::move(inputs));
    case LogicalNodeKind::kCustomSink:
      return copy_as<LogicalCustomSink>(node, std::move(inputs));
    case LogicalNodeKind::kCalc:
      return copy_as<LogicalCalc>(node, std::move(inputs));
    case LogicalNodeKind::kExpand:
      return copy_as<LogicalExpand>(node, std::move(inputs));
    case LogicalNodeKind::kWindowAggregate:
      return copy_as<LogicalWindowAggregate>(node, std::move(inputs));
    case LogicalNodeKind::kGroupWindowAggregate:
      return copy_as<LogicalGroupWindowAggregate>(node, std::move(inputs));
  }
  unreachable("logical node");
}

LogicalPtr transform_plan(const LogicalPtr& plan,
                          const std::function<LogicalPtr(const LogicalPtr&)>& rewrite) {
  std::vector<LogicalPtr> inputs;
  bool changed = false;
  for (const LogicalPtr& input : plan->inputs) {
    inputs.push_back(transform_plan(input, rewrite));
    changed = changed || inputs.back() != input;
  }
  return rewrite(changed ? with_inputs(*plan, std::move(inputs)) : plan);
}

LogicalPtr make_calc(LogicalPtr input,
                     std::vector<ExpressionPtr> projections,
                     ExpressionPtr condition,
                     const std::vector<std::string>& names) {
  if (!condition && is_identity(projections, input->schema)) {
    return input;
  }
  if (const auto* below = if_a<LogicalCalc>(*input)) {
    bool may_merge = true;
    for (const ExpressionPtr& projection : below->projections) {
      may_merge = may_merge && is_deterministic(*projection);
    }
    if (may_merge) {
      for (ExpressionPtr& projection : projections) {
        projection = substitute(projection, below->projections);
      }
      condition = condition ? substitute(condition, below->projections) : nullptr;
      return make_calc(
          below->inputs[0], std::move(projections), both(below->condition, condition), names);
    }
  }
  auto calc = std::make_shared<LogicalCalc>();
  for (size_t i = 0; i < projections.size(); ++i) {
    calc->schema.push_back({names[i], projections[i]->type});
  }
  calc->inputs.push_back(std::move(input));
  calc->projections = std::move(projections);
  calc->condition = std::move(condition);
  return calc;
}

}  // namespace thalweg::planner
