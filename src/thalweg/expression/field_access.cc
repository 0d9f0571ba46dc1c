#include "thalweg/expression/field_access.h"

#include "thalweg/expression/scalar_function.h"

namespace thalweg::expression {

bool is_field_access(const Expression& expression) {
  return expression.kind == ExpressionKind::kCall && expression.function->name() == "." &&
         expression.operands[1]->kind == ExpressionKind::kLiteral;
}

bool is_part_of_input(const Expression& expression) {
  return expression.kind == ExpressionKind::kColumn ||
         (is_field_access(expression) && is_part_of_input(*expression.operands[0]));
}

}  // namespace thalweg::expression
