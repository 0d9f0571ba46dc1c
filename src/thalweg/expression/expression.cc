#include "thalweg/expression/expression.h"

#include <algorithm>
#include <cmath>

#include "thalweg/common/check.h"
#include "thalweg/expression/scalar_function.h"
#include "thalweg/expression/type_inference.h"

namespace thalweg::expression {

namespace {

void collect_columns(const Expression& expression, std::vector<ColumnIndex>& columns) {
  if (expression.kind == ExpressionKind::kColumn) {
    columns.push_back(expression.column);
  }
  for (const ExpressionPtr& operand : expression.operands) {
    collect_columns(*operand, columns);
  }
}

/// Zeros of both signs are equal numbers, but compute differently.
bool same_literal(const Value& left, const Value& right) {
  const auto* one = std::get_if<double>(&left.data);
  const auto* other = std::get_if<double>(&right.data);
  if (one != nullptr && other != nullptr && std::signbit(*one) != std::signbit(*other)) {
    return false;
  }
  return left == right;
}

ExpressionPtr cast_when_needed(const ExpressionPtr& operand, const DataType& type) {
  if (operand->type.equals_ignoring_nullability(type)) {
    return operand;
  }
  return make_cast(
      operand, type.as_nullable(operand->type.is_nullable()), false, operand->position);
}

}  // namespace

ExpressionPtr make_literal(DataType type, Value value, SourcePosition position) {
  Expression expression;
  expression.kind = ExpressionKind::kLiteral;
  expression.type = std::move(type);
  expression.literal = std::move(value);
  expression.position = position;
  return std::make_shared<const Expression>(std::move(expression));
}

ExpressionPtr make_column(ColumnIndex column, DataType type, SourcePosition position) {
  Expression expression;
  expression.kind = ExpressionKind::kColumn;
  expression.type = std::move(type);
  expression.column = column;
  expression.position = position;
  return std::make_shared<const Expression>(std::move(expression));
}

ExpressionPtr make_cast(ExpressionPtr operand,
                        DataType target,
                        bool is_try,
                        SourcePosition position) {
  require_cast(operand->type, target, position);
  Expression expression;
  expression.kind = is_try ? ExpressionKind::kTryCast : ExpressionKind::kCast;
  expression.type = is_try ? target.as_nullable() : std::move(target);
  expression.operands.push_back(std::move(operand));
  expression.position = position;
  return std::make_shared<const Expression>(std::move(expression));
}

ExpressionPtr make_form(ExpressionKind kind,
                        DataType type,
                        std::vector<ExpressionPtr> operands,
                        SourcePosition position) {
  if (kind == ExpressionKind::kCase) {
    check(operands.size() % 2 == 1, "CASE without an otherwise");
    for (size_t i = 1; i < operands.size(); i += 2) {
      operands[i] = cast_when_needed(operands[i], type);
    }
    operands.back() = cast_when_needed(operands.back(), type);
  } else if (kind == ExpressionKind::kCoalesce) {
    for (ExpressionPtr& operand : operands) {
      operand = cast_when_needed(operand, type);
    }
  }
  Expression expression;
  expression.kind = kind;
  expression.type = std::move(type);
  expression.operands = std::move(operands);
  expression.position = position;
  return std::make_shared<const Expression>(std::move(expression));
}

bool is_constant(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::kLiteral:
      return true;
    case ExpressionKind::kColumn:
    case ExpressionKind::kCurrentWatermark:
      return false;
    case ExpressionKind::kCall:
      // JSON that was folded into a literal would be quoted when it goes into other JSON; Flink
      // does not fold it either.
      if (!expression.function->is_deterministic || expression.function->is_dynamic ||
          expression.function->makes_json || expression.function->is_foreign) {
        return false;
      }
      break;
    default:
      break;
  }
  return std::all_of(expression.operands.begin(),
                     expression.operands.end(),
                     [](const ExpressionPtr& operand) { return is_constant(*operand); });
}

std::vector<ColumnIndex> referenced_columns(const Expression& expression) {
  std::vector<ColumnIndex> columns;
  collect_columns(expression, columns);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

ExpressionPtr remap_columns(const ExpressionPtr& expression, const std::vector<int32_t>& mapping) {
  if (expression->kind == ExpressionKind::kColumn) {
    const auto index = static_cast<size_t>(expression->column.value);
    check(index < mapping.size() && mapping[index] >= 0, "column without a mapping");
    return make_column({mapping[index]}, expression->type, expression->position);
  }
  if (expression->operands.empty()) {
    return expression;
  }
  Expression copy = *expression;
  bool changed = false;
  for (ExpressionPtr& operand : copy.operands) {
    ExpressionPtr mapped = remap_columns(operand, mapping);
    changed = changed || mapped != operand;
    operand = std::move(mapped);
  }
  return changed ? std::make_shared<const Expression>(std::move(copy)) : expression;
}

/// Intervals of different units are of one type, but a number becomes another interval in each.
static bool same_units(const DataType& left, const DataType& right) {
  return !left.is_interval() || !right.is_interval() ||
         left.interval_leading() == right.interval_leading();
}

bool equal(const Expression& left, const Expression& right) {
  if (&left == &right) {
    return true;
  }
  if (left.kind != right.kind || left.type != right.type || !same_units(left.type, right.type) ||
      left.column != right.column || left.function != right.function ||
      !same_literal(left.literal, right.literal) || left.operands.size() != right.operands.size()) {
    return false;
  }
  return std::equal(
      left.operands.begin(),
      left.operands.end(),
      right.operands.begin(),
      [](const ExpressionPtr& one, const ExpressionPtr& other) { return equal(*one, *other); });
}

}  // namespace thalweg::expression
