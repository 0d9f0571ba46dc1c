#include <algorithm>

#include "thalweg/expression/scalar_function.h"
#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/pushdown.h"
#include "thalweg/planner/rules/rule.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

namespace {

bool passes_columns_on(const LogicalCalc& calc) {
  return std::all_of(calc.projections.begin(), calc.projections.end(), [](const auto& projection) {
    return plain_column(*projection) >= 0;
  });
}

/// The source makes the projection itself.
bool is_taken_over(const LogicalCalc& calc) {
  const auto* scan = if_a<LogicalScan>(*calc.inputs[0]);
  return scan != nullptr && push_down_of(scan->table).projection && passes_columns_on(calc);
}

/// A sort of projected rows: the projection afterwards.
LogicalPtr lift(const LogicalPtr& node) {
  const auto* sort = if_a<LogicalSort>(*node);
  const auto* calc = sort == nullptr ? nullptr : if_a<LogicalCalc>(*sort->inputs[0]);
  if (calc == nullptr || calc->condition || is_taken_over(*calc)) {
    return node;
  }
  auto below = std::make_shared<LogicalSort>(*sort);
  for (LogicalSortKey& key : below->keys) {
    key.column.value = plain_column(*calc->projections[static_cast<size_t>(key.column.value)]);
    if (key.column.value < 0) {
      return node;
    }
  }
  const bool may_wait = std::all_of(
      calc->projections.begin(), calc->projections.end(), [](const ExpressionPtr& projection) {
        return is_deterministic(*projection);
      });
  if (!may_wait) {
    return node;
  }
  below->inputs = {calc->inputs[0]};
  below->schema = calc->inputs[0]->schema;
  return make_calc(std::move(below), calc->projections, nullptr, names_of(calc->schema));
}

/// What Flink can hand to a source: no elements of arrays and maps.
bool can_be_handed_over(const expression::Expression& expr) {
  return (expr.kind != expression::ExpressionKind::kCall || expr.function->name() != "[]") &&
         std::all_of(expr.operands.begin(), expr.operands.end(), [](const ExpressionPtr& operand) {
           return can_be_handed_over(*operand);
         });
}

/// The part of a condition that is handed over, or null.
ExpressionPtr handed_over(const ExpressionPtr& condition) {
  if (condition->kind != expression::ExpressionKind::kAnd) {
    return can_be_handed_over(*condition) ? condition : nullptr;
  }
  ExpressionPtr result;
  for (const ExpressionPtr& operand : condition->operands) {
    if (can_be_handed_over(*operand)) {
      result = both(result, operand);
    }
  }
  return result;
}

std::shared_ptr<LogicalScan> copy_of(const LogicalScan& scan) {
  return std::make_shared<LogicalScan>(scan);
}

LogicalPtr push(const LogicalPtr& node) {
  if (node->inputs.size() != 1) {
    return node;
  }
  const auto* scan = if_a<LogicalScan>(*node->inputs[0]);
  if (scan == nullptr) {
    return node;
  }
  const PushDown takes = push_down_of(scan->table);
  if (const auto* calc = if_a<LogicalCalc>(*node); calc != nullptr) {
    if (calc->condition && takes.filter) {
      auto filtered = copy_of(*scan);
      filtered->filter = handed_over(calc->condition);
      return with_inputs(*node, {std::move(filtered)});
    }
    return node;
  }
  const auto* limit = if_a<LogicalSort>(*node);
  if (limit != nullptr && limit->keys.empty() && limit->fetch && takes.limit) {
    auto limited = copy_of(*scan);
    limited->limit = limit->offset.value_or(0) + *limit->fetch;
    return with_inputs(*node, {std::move(limited)});
  }
  return node;
}

}  // namespace

LogicalPtr lift_projections(const LogicalPtr& plan) {
  return transform_plan(plan, lift);
}

LogicalPtr push_into_scans(const LogicalPtr& plan) {
  return transform_plan(plan, push);
}

}  // namespace thalweg::planner
