#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "thalweg/catalog/catalog_manager.h"
#include "thalweg/common/error.h"
#include "thalweg/common/nearest_name.h"
#include "thalweg/expression/function_registry.h"
#include "thalweg/expression/scalar_function.h"
#include "thalweg/expression/type_inference.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/function_lookup.h"
#include "thalweg/planner/json_clauses.h"
#include "thalweg/planner/null_literals.h"
#include "thalweg/planner/type_text.h"

namespace thalweg::planner {

using expression::Expression;
using expression::ExpressionKind;
using expression::ExpressionPtr;
using expression::make_form;
using expression::make_literal;

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  return text;
}

std::string function_name(const sql::FunctionCall& call) {
  return upper_case(call.name.last());
}

namespace {

/// The functions that are called by name, without operators such as "%" and "IS NULL".
std::vector<std::string> callable_names(const std::vector<std::string>& names) {
  std::vector<std::string> callable;
  std::copy_if(
      names.begin(), names.end(), std::back_inserter(callable), [](const std::string& name) {
        return std::all_of(name.begin(), name.end(), [](unsigned char c) {
          return std::isalnum(c) != 0 || c == '_';
        });
      });
  return callable;
}

[[noreturn]] void function_not_found(const std::string& name,
                                     const std::vector<ExpressionPtr>& operands,
                                     const std::vector<std::string>& known,
                                     SourcePosition position) {
  std::string families;
  for (const ExpressionPtr& operand : operands) {
    families += fmt::format("{}<{}>", families.empty() ? "" : ", ", type_family(operand->type));
  }
  Error error(ErrorCode::kFunctionNotFound,
              fmt::format("No match found for function signature {}({})", name, families));
  const std::string nearest = nearest_name(name, callable_names(known));
  if (name.size() > 1 && !nearest.empty()) {
    throw std::move(error).at(position).hint(fmt::format("Did you mean {}?", nearest));
  }
  throw std::move(error).at(position);
}

/// The same call whose added casts are marked as not written by the user.
ExpressionPtr mark_implicit_casts(const ExpressionPtr& call,
                                  const std::vector<ExpressionPtr>& given) {
  Expression copy = *call;
  bool changed = false;
  for (size_t i = 0; i < copy.operands.size() && i < given.size(); ++i) {
    const ExpressionPtr& operand = copy.operands[i];
    if (operand != given[i] && operand->kind == ExpressionKind::kCast) {
      Expression cast = *operand;
      cast.is_implicit = true;
      copy.operands[i] = std::make_shared<const Expression>(std::move(cast));
      changed = true;
    }
  }
  return changed ? std::make_shared<const Expression>(std::move(copy)) : call;
}

ExpressionPtr without_time_attribute(const ExpressionPtr& operand) {
  if (!operand->type.is_time_attribute()) {
    return operand;
  }
  Expression copy = *operand;
  copy.type = copy.type.with_time_attribute(TimeAttribute::kNone);
  return std::make_shared<const Expression>(std::move(copy));
}

[[noreturn]] void refuse_table_function(const std::string& name, const sql::FunctionCall& call) {
  throw Error(ErrorCode::kValidation, fmt::format("Cannot call table function here: '{}'", name))
      .at(call.position)
      .hint(fmt::format("Join with it: FROM t, LATERAL TABLE({}(...)) AS r(a, b).", name));
}

/// CURRENT_DATABASE(), whose value the session knows, or null.
ExpressionPtr session_value(const std::string& name,
                            const sql::FunctionCall& call,
                            const PlannerContext& context) {
  if (name == "SOURCE_WATERMARK" && call.args.empty()) {
    throw Error(ErrorCode::kNotSupported,
                "SOURCE_WATERMARK() needs a source that makes watermarks of its own; tables here "
                "have none")
        .at(call.position)
        .hint("Give an expression: WATERMARK FOR ts AS ts - INTERVAL '5' SECOND.");
  }
  if (name == "CURRENT_DATABASE" && call.args.empty()) {
    return make_literal(
        DataType::string().not_null(), Value(context.catalogs.current_database()), call.position);
  }
  return nullptr;
}

}  // namespace

ExpressionPtr ExpressionBinder::call(const std::string& name,
                                     Operands operands,
                                     SourcePosition position) {
  const auto function = context_.functions.find_scalar(name);
  if (function == nullptr) {
    function_not_found(name, operands, context_.functions.names(), position);
  }
  return call(function, std::move(operands), position);
}

ExpressionPtr ExpressionBinder::call(
    const std::shared_ptr<const expression::ScalarFunction>& function,
    Operands operands,
    SourcePosition position) {
  refuse_null_literals(function->name(), operands);
  for (ExpressionPtr& operand : operands) {
    operand = without_time_attribute(operand);
  }
  const ExpressionPtr made = expression::make_call(function, operands, position);
  return mark_implicit_casts(made, operands);
}

ExpressionPtr ExpressionBinder::bind_argument(const sql::Expr& argument) {
  if (const auto* symbol = sql::if_a<sql::Symbol>(argument)) {
    const auto length = static_cast<int32_t>(symbol->text.size());
    return make_literal(
        DataType::character(length).not_null(), Value(symbol->text), symbol->position);
  }
  return bind(argument);
}

ExpressionPtr ExpressionBinder::bind_special_function(const std::string& name,
                                                      const sql::FunctionCall& call_node) {
  const SourcePosition position = call_node.position;
  if (name == "CURRENT_WATERMARK" && call_node.args.size() == 1) {
    const ExpressionPtr time = bind(*call_node.args.front());
    if (time->type.time_attribute() != TimeAttribute::kEventTime) {
      throw Error(ErrorCode::kTypeMismatch,
                  fmt::format("The argument of CURRENT_WATERMARK() must be a rowtime attribute, "
                              "but was '{}'.",
                              time->type.to_string()))
          .at(position);
    }
    return make_form(ExpressionKind::kCurrentWatermark,
                     time->type.with_time_attribute(TimeAttribute::kNone).as_nullable(),
                     {},
                     position);
  }
  if (ExpressionPtr known = session_value(name, call_node, context_)) {
    return known;
  }
  if (name == "COALESCE" && !call_node.args.empty()) {
    Operands operands = bind_all(call_node.args);
    std::vector<DataType> types;
    bool nullable = true;
    for (const ExpressionPtr& operand : operands) {
      types.push_back(operand->type);
      nullable = nullable && operand->type.is_nullable();
    }
    const std::optional<DataType> common = expression::common_argument_type(types);
    if (!common) {
      throw Error(ErrorCode::kTypeMismatch, "Illegal mixing of types in CASE or COALESCE statement")
          .at(position);
    }
    const DataType type = common->as_nullable(nullable);
    for (ExpressionPtr& operand : operands) {
      operand = as_type(std::move(operand), type);
    }
    return make_form(ExpressionKind::kCoalesce, type, std::move(operands), position);
  }
  if (name == "NULLIF" && call_node.args.size() == 2) {
    Operands sides = bind_all(call_node.args);
    const DataType type = sides[0]->type.as_nullable();
    Operands operands;
    operands.push_back(call("=", sides, position));
    operands.push_back(make_literal(type, Value(), position));
    operands.push_back(sides[0]);
    return make_form(ExpressionKind::kCase, type, std::move(operands), position);
  }
  return nullptr;
}

ExpressionPtr ExpressionBinder::bind_json(const std::string& name,
                                          const sql::FunctionCall& call_node,
                                          Operands operands) {
  const sql::JsonClauses& clauses = *call_node.json;
  JsonDefaults defaults;
  if (clauses.default_on_empty != nullptr) {
    defaults.on_empty = bind(*clauses.default_on_empty);
  }
  if (clauses.default_on_error != nullptr) {
    defaults.on_error = bind(*clauses.default_on_error);
  }
  add_json_clauses(name, clauses, defaults, call_node.position, operands);
  return call(json_function(name, clauses), std::move(operands), call_node.position);
}

ExpressionPtr ExpressionBinder::bind_function(const sql::FunctionCall& call_node) {
  const std::string name = function_name(call_node);
  const FoundFunction found = find_function(call_node.name, context_);
  if (found.aggregate != nullptr) {
    refuse_aggregate(call_node);
  }
  if (found.table != nullptr) {
    refuse_table_function(found.table->name(), call_node);
  }
  const bool is_users = found.scalar != nullptr && found.scalar->is_foreign;
  if (!is_users) {
    if (ExpressionPtr special = bind_special_function(name, call_node)) {
      return special;
    }
  }
  Operands operands;
  for (const sql::ExprPtr& argument : call_node.args) {
    operands.push_back(bind_argument(*argument));
  }
  if (found.scalar != nullptr && found.scalar != context_.functions.find_scalar(name)) {
    return call(found.scalar, std::move(operands), call_node.position);
  }
  if (call_node.json != nullptr) {
    return bind_json(name, call_node, std::move(operands));
  }
  ExpressionPtr bound = call(name, std::move(operands), call_node.position);
  if (name == "PROCTIME") {
    Expression marked = *bound;
    marked.type = marked.type.with_time_attribute(
        context_.is_batch() ? TimeAttribute::kNone : TimeAttribute::kProcessingTime);
    return std::make_shared<const Expression>(std::move(marked));
  }
  return bound;
}

}  // namespace thalweg::planner
