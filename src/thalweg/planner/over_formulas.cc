#include "thalweg/planner/over_formulas.h"

#include "thalweg/expression/function_registry.h"
#include "thalweg/planner/expression_binder.h"

namespace thalweg::planner {

using expression::ExpressionKind;
using expression::make_cast;
using expression::make_form;
using expression::make_literal;

expression::ExpressionPtr OverFormulas::compute(const std::string& function,
                                                const ExpressionPtr& operand) const {
  if (function == "SUM") {
    return sum(operand);
  }
  if (function == "AVG") {
    return average(operand);
  }
  const bool is_sample = function == "STDDEV_SAMP" || function == "VAR_SAMP";
  const bool is_root = function == "STDDEV_SAMP" || function == "STDDEV_POP";
  if (is_sample || is_root || function == "VAR_POP") {
    return spread(operand, is_sample, is_root);
  }
  return nullptr;
}

expression::ExpressionPtr OverFormulas::sum(const ExpressionPtr& operand) const {
  if (!may_be_empty_ && !operand->type.is_nullable()) {
    return call_("SUM", operand);
  }
  const DataType count = DataType::big_int().not_null();
  ExpressionPtr counted = call_("COUNT", operand);  // Flink's plan has it first
  ExpressionPtr total = call_("$SUM0", operand);
  const DataType type = total->type.as_nullable();
  return either(arithmetic(">", std::move(counted), whole_number(0, count)),
                std::move(total),
                make_literal(type, Value(), position_));
}

expression::ExpressionPtr OverFormulas::average(const ExpressionPtr& operand) const {
  ExpressionPtr total = sum(operand);
  if (result_.kind() == TypeKind::kDecimal) {
    total = as_result(std::move(total));
  }
  return as_result(arithmetic("/", std::move(total), call_("COUNT", operand)));
}

expression::ExpressionPtr OverFormulas::spread(ExpressionPtr operand,
                                               bool is_sample,
                                               bool is_root) const {
  operand = as_result(std::move(operand));
  const ExpressionPtr squares = sum(arithmetic("*", operand, operand));
  const ExpressionPtr total = sum(operand);
  const ExpressionPtr count = call_("COUNT", operand);
  const ExpressionPtr divisor = make_cast(count, result_.not_null(), false, position_);
  ExpressionPtr value =
      arithmetic("-", squares, arithmetic("/", arithmetic("*", total, total), divisor));
  if (is_sample) {
    const ExpressionPtr others =
        arithmetic("-", count, whole_number(1, DataType::integer().not_null()));
    value = arithmetic("/",
                       std::move(value),
                       either(arithmetic("=", count, whole_number(1, count->type)),
                              make_literal(DataType::big_int(), Value(), position_),
                              others));
  } else {
    value = arithmetic("/", std::move(value), divisor);
  }
  value = as_result(std::move(value));
  if (!is_root) {
    return value;
  }
  const ExpressionPtr half =
      make_literal(DataType::decimal(2, 1).not_null(), Value(Int128{5}), position_);
  return as_result(arithmetic("POWER", std::move(value), half));
}

expression::ExpressionPtr OverFormulas::arithmetic(const std::string& op,
                                                   ExpressionPtr left,
                                                   ExpressionPtr right) const {
  return ExpressionBinder::call(
      context_.functions.find_scalar(op), {std::move(left), std::move(right)}, position_);
}

expression::ExpressionPtr OverFormulas::as_result(ExpressionPtr value) const {
  if (value->type.equals_ignoring_nullability(result_)) {
    return value;
  }
  const DataType type = result_.as_nullable(value->type.is_nullable());
  return make_cast(std::move(value), type, false, position_);
}

expression::ExpressionPtr OverFormulas::whole_number(int64_t value, const DataType& type) const {
  return make_literal(type, Value(value), position_);
}

expression::ExpressionPtr OverFormulas::either(ExpressionPtr condition,
                                               ExpressionPtr value,
                                               ExpressionPtr otherwise) const {
  const DataType type = value->type.as_nullable();
  return make_form(ExpressionKind::kCase,
                   type,
                   {std::move(condition), std::move(value), std::move(otherwise)},
                   position_);
}

}  // namespace thalweg::planner
