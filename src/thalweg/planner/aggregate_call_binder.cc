#include "thalweg/planner/aggregate_call_binder.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/expression/function_registry.h"
#include "thalweg/expression/type_inference.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/insert_cast.h"
#include "thalweg/planner/json_clauses.h"

namespace thalweg::planner {

using expression::AggregateFunction;
using expression::BoundArgument;
using expression::ExpressionPtr;

namespace {

expression::Signature bind_signature(const AggregateFunction& function,
                                     const std::vector<ExpressionPtr>& operands,
                                     SourcePosition position) {
  std::vector<BoundArgument> bound;
  std::vector<DataType> types;
  for (const ExpressionPtr& operand : operands) {
    bound.push_back({operand->type.with_time_attribute(TimeAttribute::kNone)});
    types.push_back(operand->type);
    if (operand->kind == expression::ExpressionKind::kLiteral) {
      bound.back().literal = operand->literal;
    }
  }
  const auto result = function.bind(bound);
  if (const auto* mismatch = std::get_if<expression::NoMatch>(&result)) {
    const std::string given = expression::describe_call_types(function.name(), {}, types);
    throw expression::mismatch_error(*mismatch, function.name(), given, function.forms)
        .at(position);
  }
  return std::get<expression::Signature>(result);
}

/// Flink's keys of distinct values in streaming mode.
void require_distinct_types(const std::vector<ExpressionPtr>& operands) {
  for (const ExpressionPtr& operand : operands) {
    const bool is_array = operand->type.kind() == TypeKind::kArray;
    if ((operand->type.is_nested() && !is_array) || operand->type.is_binary()) {
      throw Error(ErrorCode::kNotSupported,
                  fmt::format("Distinct aggregate function does not support type: {}.",
                              operand->type.to_string()))
          .at(operand->position)
          .hint("Cast it to STRING.");
    }
  }
}

/// The function itself, or its form for the clauses and the JSON that it is given.
std::shared_ptr<const AggregateFunction> form_of(const sql::FunctionCall& node,
                                                 std::shared_ptr<const AggregateFunction> function,
                                                 const std::vector<ExpressionPtr>& operands,
                                                 const PlannerContext& context) {
  if (node.json != nullptr) {
    function = context.functions.find_aggregate(json_function(function_name(node), *node.json));
  }
  if (function->name().starts_with("JSON_") && !operands.empty() &&
      expression::bound_arguments({operands.back()}).front().is_json) {
    function = context.functions.find_aggregate("$" + function->name() + "_OF_JSON");
  }
  return function;
}

}  // namespace

UnplacedCall bind_aggregate_call(std::shared_ptr<const AggregateFunction> function,
                                 const std::vector<ExpressionPtr>& operands,
                                 SourcePosition position) {
  UnplacedCall bound;
  bound.call.signature = bind_signature(*function, operands, position);
  bound.call.function = std::move(function);
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::vector<DataType>& types = bound.call.signature.arguments;
    bound.operands.push_back(i < types.size() ? coerce(operands[i], types[i]) : operands[i]);
  }
  return bound;
}

UnplacedCall bind_aggregate_call(const sql::FunctionCall& node,
                                 std::shared_ptr<const AggregateFunction> function,
                                 const std::vector<ExpressionPtr>& operands,
                                 const PlannerContext& context) {
  UnplacedCall bound = bind_aggregate_call(
      form_of(node, std::move(function), operands, context), operands, node.position);
  bound.call.distinct = node.quantifier == sql::SetQuantifier::kDistinct;
  if (bound.call.function->name() == "COUNT" && operands.size() > 1) {
    throw Error(ErrorCode::kNotSupported, "We now only support the count of one field.")
        .at(node.position);
  }
  if (bound.call.distinct && !context.is_batch()) {
    require_distinct_types(operands);
  }
  return bound;
}

}  // namespace thalweg::planner
