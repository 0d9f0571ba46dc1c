#include "thalweg/expression/scalar_function.h"

#include "thalweg/expression/type_inference.h"

namespace thalweg::expression {

namespace {

std::string describe_call(const ScalarFunction& function,
                          const std::vector<ExpressionPtr>& arguments) {
  std::vector<DataType> types;
  for (const ExpressionPtr& argument : arguments) {
    types.push_back(argument->type);
  }
  return describe_call_types(function.name(), function.infix, types);
}

}  // namespace

std::vector<BoundArgument> bound_arguments(const std::vector<ExpressionPtr>& arguments) {
  std::vector<BoundArgument> bound;
  bound.reserve(arguments.size());
  for (const ExpressionPtr& argument : arguments) {
    bound.push_back({argument->type});
    if (argument->kind == ExpressionKind::kLiteral) {
      bound.back().literal = argument->literal;
    }
    bound.back().is_json =
        argument->kind == ExpressionKind::kCall && argument->function->makes_json;
  }
  return bound;
}

std::string describe_call_types(const std::string& name,
                                const std::string& infix,
                                std::span<const DataType> types) {
  std::string text = infix;
  if (infix.empty()) {
    text = name + "(";
    for (size_t i = 0; i < types.size(); ++i) {
      text += fmt::format("{}{{{}}}", i == 0 ? "" : ", ", i);
    }
    text += ")";
  }
  for (size_t i = 0; i < types.size(); ++i) {
    const std::string place = fmt::format("{{{}}}", i);
    const size_t at = text.find(place);
    if (at != std::string::npos) {
      text.replace(at, place.size(), fmt::format("<{}>", sql_type_name(types[i])));
    }
  }
  return text;
}

Error mismatch_error(const NoMatch& mismatch,
                     const std::string& name,
                     const std::string& given,
                     const std::string& forms) {
  if (mismatch.reason.empty()) {
    return {ErrorCode::kTypeMismatch,
            fmt::format("Cannot apply '{}' to arguments of type '{}'. Supported form(s): {}",
                        name,
                        given,
                        forms)};
  }
  std::string reason = mismatch.reason;
  const size_t place = reason.find("{}");
  if (place != std::string::npos) {
    reason.replace(place, 2, name);
  }
  return Error(ErrorCode::kTypeMismatch, reason).hint("Accepted: " + forms);
}

ExpressionPtr make_call(std::shared_ptr<const ScalarFunction> function,
                        std::vector<ExpressionPtr> arguments,
                        SourcePosition position) {
  const auto bound = function->bind(bound_arguments(arguments));
  if (const auto* mismatch = std::get_if<NoMatch>(&bound)) {
    throw mismatch_error(
        *mismatch, function->name(), describe_call(*function, arguments), function->forms)
        .at(position);
  }
  const auto& signature = std::get<Signature>(bound);
  for (size_t i = 0; i < arguments.size() && i < signature.arguments.size(); ++i) {
    const DataType& wanted = signature.arguments[i];
    if (!arguments[i]->type.equals_ignoring_nullability(wanted)) {
      arguments[i] = make_cast(arguments[i],
                               wanted.as_nullable(arguments[i]->type.is_nullable()),
                               false,
                               arguments[i]->position);
    }
  }
  Expression call;
  call.kind = ExpressionKind::kCall;
  call.type = signature.result;
  call.function = std::move(function);
  call.operands = std::move(arguments);
  call.position = position;
  return std::make_shared<const Expression>(std::move(call));
}

}  // namespace thalweg::expression
