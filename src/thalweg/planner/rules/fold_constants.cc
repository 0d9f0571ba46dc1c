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

namespace {

/// A literal where another type of its family is wanted: plans write it as the query does.
bool is_adapted_literal(const Expression& expr) {
  if (expr.kind != ExpressionKind::kCast || !expr.is_implicit ||
      expr.operands[0]->kind != ExpressionKind::kLiteral || expr.operands[0]->literal.is_null()) {
    return false;
  }
  const DataType& from = expr.operands[0]->type;
  return (from.is_numeric() && expr.type.is_numeric()) ||
         (from.is_character() && expr.type.is_character());
}

/// A literal in a column that may be NULL: Calcite keeps the cast, of a literal of the right type.
ExpressionPtr nullable_literal(const Expression& cast, const PlannerContext& context) {
  const DataType type = cast.type.not_null();
  const ExpressionPtr& literal = cast.operands[0];
  if (literal->type == type) {
    return std::make_shared<const Expression>(cast);
  }
  const ExpressionPtr folded =
      fold(expression::make_cast(literal, type, false, cast.position), context);
  return expression::make_cast(folded, cast.type, false, cast.position);
}

ExpressionPtr fold(const ExpressionPtr& expr, const PlannerContext& context, bool adapts_literals) {
  expression::EvaluationContext evaluation;
  evaluation.time_zone = context.time_zone();
  evaluation.is_batch = context.is_batch();
  return transform(expr, [&](const ExpressionPtr& node) -> ExpressionPtr {
    if (!may_be_literal(*node) || has_internal_call(*node) || !expression::is_constant(*node) ||
        (!adapts_literals && is_adapted_literal(*node))) {
      return node;
    }
    if (!adapts_literals && node->kind == ExpressionKind::kCast && node->type.is_nullable() &&
        node->operands[0]->kind == ExpressionKind::kLiteral &&
        !node->operands[0]->literal.is_null()) {
      return nullable_literal(*node, context);
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

}  // namespace

ExpressionPtr fold(const ExpressionPtr& expr, const PlannerContext& context) {
  return fold(expr, context, true);
}

ExpressionPtr fold_for_plan(const ExpressionPtr& expr, const PlannerContext& context) {
  return fold(expr, context, false);
}

LogicalPtr fold_constants(const LogicalPtr& plan, const PlannerContext& context) {
  return transform_plan(plan, [&](const LogicalPtr& node) -> LogicalPtr {
    if (const auto* project = if_a<LogicalProject>(*node)) {
      auto copy = std::make_shared<LogicalProject>(*project);
      for (ExpressionPtr& projection : copy->projections) {
        projection = fold_for_plan(projection, context);
      }
      return copy;
    }
    if (const auto* filter = if_a<LogicalFilter>(*node)) {
      auto copy = std::make_shared<LogicalFilter>(*filter);
      copy->condition = fold_for_plan(copy->condition, context);
      return copy;
    }
    if (const auto* correlate = if_a<LogicalCorrelate>(*node)) {
      auto copy = std::make_shared<LogicalCorrelate>(*correlate);
      for (ExpressionPtr& argument : copy->arguments) {
        argument = fold_for_plan(argument, context);
      }
      return copy;
    }
    return node;
  });
}

}  // namespace thalweg::planner
