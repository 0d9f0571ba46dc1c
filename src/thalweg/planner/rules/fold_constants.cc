#include "thalweg/common/error.h"
#include "thalweg/expression/evaluator.h"
#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/internal_functions.h"
#include "thalweg/planner/rules/rule.h"

namespace thalweg::planner {

using expression::Expression;
using expression::ExpressionKind;
using expression::ExpressionPtr;

namespace {

/// Nested values, variants and bitmaps have no literal in plans, as in Flink.
bool may_be_literal(const Expression& expr) {
  return expr.kind != ExpressionKind::kLiteral && !expr.type.is_nested() &&
         expr.type.kind() != TypeKind::kOpaque && expr.type.kind() != TypeKind::kNull &&
         expr.type.kind() != TypeKind::kVariant && expr.type.kind() != TypeKind::kBitmap &&
         internal_name(expr).empty();
}

bool has_internal_call(const Expression& expr) {
  if (!internal_name(expr).empty()) {
    return true;
  }
  for (const ExpressionPtr& operand : expr.operands) {
    if (has_internal_call(*operand)) {
      return true;
    }
  }
  return false;
}

}  // namespace

ExpressionPtr fold(const ExpressionPtr& expr, const PlannerContext& context) {
  expression::EvaluationContext evaluation;
  evaluation.time_zone = context.time_zone();
  evaluation.is_batch = context.is_batch();
  return transform(expr, [&](const ExpressionPtr& node) -> ExpressionPtr {
    if (!may_be_literal(*node) || has_internal_call(*node) || !expression::is_constant(*node)) {
      return node;
    }
    try {
      Value value = expression::evaluate_constant(node, evaluation);
      const DataType type = value.is_null() ? node->type.as_nullable() : node->type.not_null();
      return expression::make_literal(type, std::move(value), node->position);
    } catch (const Error& error) {
      // Flink fails at once on a division by zero and leaves other errors to the job.
      if (error.code() == ErrorCode::kDivisionByZero) {
        throw;
      }
      return node;
    }
  });
}

LogicalPtr fold_constants(const LogicalPtr& plan, const PlannerContext& context) {
  return transform_plan(plan, [&](const LogicalPtr& node) -> LogicalPtr {
    if (const auto* project = if_a<LogicalProject>(*node)) {
      auto copy = std::make_shared<LogicalProject>(*project);
      for (ExpressionPtr& projection : copy->projections) {
        projection = fold(projection, context);
      }
      return copy;
    }
    if (const auto* filter = if_a<LogicalFilter>(*node)) {
      auto copy = std::make_shared<LogicalFilter>(*filter);
      copy->condition = fold(copy->condition, context);
      return copy;
    }
    if (const auto* correlate = if_a<LogicalCorrelate>(*node)) {
      auto copy = std::make_shared<LogicalCorrelate>(*correlate);
      for (ExpressionPtr& argument : copy->arguments) {
        argument = fold(argument, context);
      }
      return copy;
    }
    return node;
  });
}

}  // namespace thalweg::planner
