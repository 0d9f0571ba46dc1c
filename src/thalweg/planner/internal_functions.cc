#include "thalweg/planner/internal_functions.h"

#include "thalweg/expression/scalar_function.h"

namespace thalweg::planner {

using expression::AggregateCall;
using expression::AggregateFunction;
using expression::Expression;
using expression::ExpressionPtr;
using expression::ScalarFunction;

ExpressionPtr internal_call(std::string name,
                            DataType type,
                            std::vector<ExpressionPtr> operands,
                            SourcePosition position) {
  auto function = std::make_shared<ScalarFunction>();
  function->names.push_back(std::move(name));
  Expression call;
  call.kind = expression::ExpressionKind::kCall;
  call.type = std::move(type);
  call.function = std::move(function);
  call.operands = std::move(operands);
  call.position = position;
  return std::make_shared<const Expression>(std::move(call));
}

std::string_view internal_name(const Expression& expr) {
  if (expr.kind != expression::ExpressionKind::kCall || expr.function->bind) {
    return {};
  }
  return expr.function->name();
}

AggregateCall internal_aggregate(std::string name,
                                 DataType type,
                                 std::vector<ColumnIndex> arguments) {
  auto function = std::make_shared<AggregateFunction>();
  function->names.push_back(std::move(name));
  AggregateCall call;
  call.function = std::move(function);
  call.signature.result = std::move(type);
  call.arguments = std::move(arguments);
  return call;
}

bool is_internal_aggregate(const AggregateCall& call) {
  return !call.function->bind;
}

}  // namespace thalweg::planner
