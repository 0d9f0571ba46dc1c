#include "functions/differential/reference.h"

#include <algorithm>
#include <string_view>

#include "thalweg/expression/row_kernel.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::functions::differential {

using expression::Evaluator;
using expression::Expression;
using expression::ExpressionKind;
using expression::ExpressionPtr;
using expression::RowErrors;

namespace {

bool is_true(const Outcome& outcome) {
  return !outcome.value.is_null() && std::get<bool>(outcome.value.data);
}

template <typename T>
bool compare_as(std::string_view name, const T& left, const T& right) {
  if (name == "=") {
    return left == right;
  }
  if (name == "<>") {
    return left != right;
  }
  if (name == "<") {
    return left < right;
  }
  if (name == "<=") {
    return left <= right;
  }
  return name == ">" ? left > right : left >= right;
}

/// nullopt for what has no simple order.
std::optional<bool> compare(std::string_view name, const Value& left, const Value& right) {
  if (const auto* integer = std::get_if<int64_t>(&left.data)) {
    return compare_as(name, *integer, std::get<int64_t>(right.data));
  }
  if (const auto* wide = std::get_if<Int128>(&left.data)) {
    return compare_as(name, *wide, std::get<Int128>(right.data));
  }
  if (const auto* number = std::get_if<double>(&left.data)) {
    return compare_as(name, *number, std::get<double>(right.data));
  }
  if (const auto* text = std::get_if<std::string>(&left.data)) {
    return compare_as(name, *text, std::get<std::string>(right.data));
  }
  if (const auto* boolean = std::get_if<bool>(&left.data)) {
    return compare_as(name, *boolean, std::get<bool>(right.data));
  }
  return std::nullopt;
}

bool is_comparison(std::string_view name) {
  return name == "=" || name == "<>" || name == "<" || name == "<=" || name == ">" || name == ">=";
}

bool is_arithmetic(const Expression& call) {
  const std::string& name = call.function->name();
  return (name == "MOD" || (name.size() == 1 &&
                            std::string_view("+-*/%").find(name[0]) != std::string_view::npos)) &&
         call.operands.size() == 2 && call.operands[0]->type.is_numeric() &&
         call.operands[1]->type.is_numeric();
}

/// IS NULL and its like; nullopt for other names.
std::optional<bool> test(std::string_view name, const Value& value) {
  if (name == "IS NULL" || name == "IS NOT NULL") {
    return value.is_null() == (name == "IS NULL");
  }
  for (const bool wanted : {true, false}) {
    const std::string word = wanted ? "TRUE" : "FALSE";
    if (name == "IS " + word || name == "IS NOT " + word) {
      const bool holds = !value.is_null() && std::get<bool>(value.data) == wanted;
      return holds == (name == "IS " + word);
    }
  }
  return std::nullopt;
}

/// What a call of simple operands gives by the rules of SQL alone; nullopt for other functions.
std::optional<Outcome> by_rule(const Expression& call, const std::vector<Value>& values) {
  const std::string& name = call.function->name();
  if (values.size() == 1) {
    if (const auto holds = test(name, values[0])) {
      return Outcome{Value(*holds)};
    }
    if (name == "NOT") {
      return values[0].is_null() ? Outcome{} : Outcome{Value(!std::get<bool>(values[0].data))};
    }
  }
  if (is_comparison(name)) {
    if (values[0].is_null() || values[1].is_null()) {
      return Outcome{};
    }
    const auto holds = compare(name, values[0], values[1]);
    return holds ? std::optional(Outcome{Value(*holds)}) : std::nullopt;
  }
  if (is_arithmetic(call)) {
    if (values[0].is_null() || values[1].is_null()) {
      return Outcome{};
    }
    return reference_arithmetic(name == "MOD" ? '%' : name[0],
                                values[0],
                                values[1],
                                call.operands[0]->type,
                                call.operands[1]->type,
                                call.type);
  }
  return std::nullopt;
}

/// A column in the operand's place. Literals stay, which kernels look at beforehand; and functions
/// see that JSON is in the column.
ExpressionPtr as_column(const ExpressionPtr& operand, int32_t index) {
  if (operand->kind == ExpressionKind::kLiteral) {
    return operand;
  }
  ExpressionPtr column = expression::make_column({index}, operand->type);
  if (operand->kind != ExpressionKind::kCall || !operand->function->makes_json) {
    return column;
  }
  expression::ScalarFunction same = *operand->function;
  same.expand = {};
  same.make_kernel = [](const expression::Signature&, std::span<const expression::BoundArgument>) {
    return expression::column_kernel([](std::span<const ColumnPtr> arguments,
                                        int32_t,
                                        const expression::EvaluationContext&,
                                        RowErrors&) { return arguments[0]; });
  };
  Expression json = *operand;
  json.function = std::make_shared<const expression::ScalarFunction>(std::move(same));
  json.operands = {std::move(column)};
  return std::make_shared<const Expression>(std::move(json));
}

}  // namespace

Outcome Reference::evaluate(const ExpressionPtr& expression, const std::vector<Value>& row) {
  if (is_folding_ || expression->kind == ExpressionKind::kLiteral ||
      !expression::is_constant(*expression)) {
    return evaluate_node(expression, row);
  }
  if (divides_by_zero(*expression, row)) {
    return Outcome::failure("division by zero");
  }
  is_folding_ = true;
  Outcome outcome = evaluate_node(expression, row);
  is_folding_ = false;
  if (auto* number = std::get_if<double>(&outcome.value.data); number != nullptr && *number == 0) {
    *number = 0;
  }
  return outcome;
}

bool Reference::divides_by_zero(const Expression& constant, const std::vector<Value>& row) {
  const bool divides = constant.kind == ExpressionKind::kCall && constant.function->name() == "/" &&
                       constant.type.is_approximate();
  if (divides) {
    const Outcome divisor = evaluate(constant.operands[1], row);
    const auto* number = std::get_if<double>(&divisor.value.data);
    if (!divisor.fails && number != nullptr && *number == 0) {
      return true;
    }
  }
  return std::any_of(constant.operands.begin(),
                     constant.operands.end(),
                     [&](const ExpressionPtr& operand) { return divides_by_zero(*operand, row); });
}

Outcome Reference::evaluate_node(const ExpressionPtr& expression, const std::vector<Value>& row) {
  switch (expression->kind) {
    case ExpressionKind::kLiteral:
      return {expression->literal};
    case ExpressionKind::kColumn:
      return {row[static_cast<size_t>(expression->column.value)]};
    case ExpressionKind::kCase:
      return evaluate_case(*expression, row);
    case ExpressionKind::kCoalesce:
      return evaluate_coalesce(*expression, row);
    case ExpressionKind::kAnd:
    case ExpressionKind::kOr:
      return evaluate_logic(*expression, row);
    case ExpressionKind::kCast:
    case ExpressionKind::kTryCast:
      return evaluate_cast(expression, row);
    default:
      return evaluate_call(expression, row);
  }
}

Outcome Reference::evaluate_case(const Expression& form, const std::vector<Value>& row) {
  for (size_t i = 0; i + 1 < form.operands.size(); i += 2) {
    const Outcome condition = evaluate(form.operands[i], row);
    if (condition.fails) {
      return condition;
    }
    if (is_true(condition)) {
      return evaluate(form.operands[i + 1], row);
    }
  }
  return evaluate(form.operands.back(), row);
}

Outcome Reference::evaluate_coalesce(const Expression& form, const std::vector<Value>& row) {
  for (const ExpressionPtr& operand : form.operands) {
    Outcome outcome = evaluate(operand, row);
    if (outcome.fails || !outcome.value.is_null()) {
      return outcome;
    }
  }
  return {};
}

Outcome Reference::evaluate_logic(const Expression& form, const std::vector<Value>& row) {
  const bool decides = form.kind == ExpressionKind::kOr;
  bool has_null = false;
  for (const ExpressionPtr& operand : form.operands) {
    Outcome outcome = evaluate(operand, row);
    if (outcome.fails) {
      return outcome;
    }
    if (outcome.value.is_null()) {
      has_null = true;
    } else if (std::get<bool>(outcome.value.data) == decides) {
      return outcome;
    }
  }
  return has_null ? Outcome{} : Outcome{Value(!decides)};
}

Outcome Reference::evaluate_cast(const ExpressionPtr& cast, const std::vector<Value>& row) {
  Outcome operand = evaluate(cast->operands[0], row);
  if (operand.fails) {
    return operand;
  }
  if (operand.value.is_null()) {
    return {};
  }
  const auto known = reference_cast(operand.value, cast->operands[0]->type, cast->type);
  if (!known) {
    return by_kernel(cast, {operand.value});
  }
  return known->fails && cast->kind == ExpressionKind::kTryCast ? Outcome{} : *known;
}

Outcome Reference::evaluate_call(const ExpressionPtr& call, const std::vector<Value>& row) {
  if (call->function->expand) {
    Prepared& ready = prepared_[call.get()];
    if (ready.expanded == nullptr) {
      ready.expanded = call->function->expand(*call);
    }
    return evaluate(ready.expanded, row);
  }
  std::vector<Value> values;
  for (const ExpressionPtr& operand : call->operands) {
    Outcome outcome = evaluate(operand, row);
    if (outcome.fails) {
      return outcome;
    }
    values.push_back(std::move(outcome.value));
  }
  if (const auto known = by_rule(*call, values)) {
    return *known;
  }
  return by_kernel(call, values);
}

Outcome Reference::by_kernel(const ExpressionPtr& expression, const std::vector<Value>& values) {
  Prepared& ready = prepared_[expression.get()];
  if (ready.kernel == nullptr && ready.refusal.empty()) {
    Expression alone = *expression;
    for (size_t i = 0; i < alone.operands.size(); ++i) {
      alone.operands[i] = as_column(alone.operands[i], static_cast<int32_t>(i));
    }
    if (alone.kind == ExpressionKind::kCall) {
      // Literals alone would be folded, by the rules of constants.
      expression::ScalarFunction same = *alone.function;
      same.is_deterministic = false;
      alone.function = std::make_shared<const expression::ScalarFunction>(std::move(same));
    } else {
      alone.operands[0] = expression::make_column({0}, alone.operands[0]->type);
    }
    try {
      ready.kernel = std::make_unique<Evaluator>(
          std::vector<ExpressionPtr>{std::make_shared<const Expression>(std::move(alone))});
    } catch (const Error& error) {
      ready.refusal = error.message();
    }
  }
  if (!ready.refusal.empty()) {
    return Outcome::failure(ready.refusal);
  }
  std::vector<ColumnPtr> columns;
  for (size_t i = 0; i < values.size(); ++i) {
    columns.push_back(flatten(constant_column(expression->operands[i]->type, values[i], 1)));
  }
  RowErrors errors;
  const auto result = ready.kernel->evaluate(Batch(1, std::move(columns)), context_, errors);
  if (const auto failure = errors.first()) {
    return Outcome::failure(failure->error.message());
  }
  return {value_at(*result[0], 0)};
}

}  // namespace thalweg::functions::differential
