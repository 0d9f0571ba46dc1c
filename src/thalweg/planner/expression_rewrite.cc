#include "thalweg/planner/expression_rewrite.h"

#include <algorithm>

#include "thalweg/expression/scalar_function.h"

namespace thalweg::planner {

using expression::Expression;
using expression::ExpressionKind;
using expression::ExpressionPtr;

ExpressionPtr transform(const ExpressionPtr& expr,
                        const std::function<ExpressionPtr(const ExpressionPtr&)>& rewrite) {
  if (expr->operands.empty()) {
    return rewrite(expr);
  }
  Expression copy = *expr;
  bool changed = false;
  for (ExpressionPtr& operand : copy.operands) {
    ExpressionPtr next = transform(operand, rewrite);
    changed = changed || next != operand;
    operand = std::move(next);
  }
  return rewrite(changed ? std::make_shared<const Expression>(std::move(copy)) : expr);
}

ExpressionPtr substitute(const ExpressionPtr& expr, const std::vector<ExpressionPtr>& columns) {
  return transform(expr, [&](const ExpressionPtr& node) {
    return node->kind == ExpressionKind::kColumn ? columns[static_cast<size_t>(node->column.value)]
                                                 : node;
  });
}

ExpressionPtr both(const ExpressionPtr& left, const ExpressionPtr& right) {
  if (!left) {
    return right;
  }
  if (!right) {
    return left;
  }
  std::vector<ExpressionPtr> operands;
  for (const ExpressionPtr& side : {left, right}) {
    if (side->kind == ExpressionKind::kAnd) {
      operands.insert(operands.end(), side->operands.begin(), side->operands.end());
    } else {
      operands.push_back(side);
    }
  }
  const bool nullable = left->type.is_nullable() || right->type.is_nullable();
  return expression::make_form(ExpressionKind::kAnd,
                               DataType::boolean().as_nullable(nullable),
                               std::move(operands),
                               left->position);
}

bool is_deterministic(const Expression& expr) {
  if (expr.kind == ExpressionKind::kCall && !expr.function->is_deterministic &&
      !expr.function->is_dynamic && expr.function->name() != "PROCTIME") {
    return false;
  }
  return std::all_of(expr.operands.begin(), expr.operands.end(), [](const ExpressionPtr& operand) {
    return is_deterministic(*operand);
  });
}

int32_t plain_column(const Expression& expr) {
  return expr.kind == ExpressionKind::kColumn ? expr.column.value : -1;
}

}  // namespace thalweg::planner
