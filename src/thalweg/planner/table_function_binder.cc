#include "thalweg/planner/table_function_binder.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/common/nearest_name.h"
#include "thalweg/expression/function_registry.h"
#include "thalweg/expression/type_inference.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/function_lookup.h"
#include "thalweg/planner/insert_cast.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/query_binder.h"
#include "thalweg/planner/type_text.h"

namespace thalweg::planner {

using expression::ExpressionPtr;
using expression::TableFunction;

namespace {

BoundTableFunction fit(std::shared_ptr<const TableFunction> function,
                       std::vector<ExpressionPtr> arguments,
                       SourcePosition position) {
  std::vector<expression::BoundArgument> bound;
  std::vector<DataType> types;
  for (const ExpressionPtr& argument : arguments) {
    bound.push_back({argument->type.with_time_attribute(TimeAttribute::kNone)});
    types.push_back(argument->type);
    if (argument->kind == expression::ExpressionKind::kLiteral) {
      bound.back().literal = argument->literal;
    }
  }
  const auto result = function->bind(bound);
  if (const auto* mismatch = std::get_if<expression::NoMatch>(&result)) {
    const std::string given = expression::describe_call_types(function->name(), {}, types);
    throw expression::mismatch_error(*mismatch, function->name(), given, function->forms)
        .at(position);
  }
  BoundTableFunction call;
  call.signature = std::get<expression::TableSignature>(result);
  for (size_t i = 0; i < arguments.size(); ++i) {
    call.arguments.push_back(coerce(std::move(arguments[i]), call.signature.arguments.at(i)));
  }
  call.function = std::move(function);
  return call;
}

[[noreturn]] void no_table_function(const sql::FunctionCall& call, const PlannerContext& context) {
  if (upper_case(function_name(call)) == "ML_PREDICT") {
    throw Error(ErrorCode::kNotSupported,
                "ML_PREDICT is not supported: no provider runs models here")
        .at(call.position)
        .hint("Call the model from a Python function, such as a udtf in LATERAL TABLE(...).");
  }
  Error error(ErrorCode::kFunctionNotFound,
              fmt::format("No match found for function signature {}", function_name(call)));
  const std::string nearest = nearest_name(function_name(call), context.functions.names());
  if (nearest.empty()) {
    throw std::move(error).at(call.position);
  }
  throw std::move(error).at(call.position).hint(fmt::format("Did you mean {}?", nearest));
}

}  // namespace

BoundTableFunction bind_table_call(const sql::FunctionCall& call,
                                   const Scope& scope,
                                   const PlannerContext& context) {
  const FoundFunction found = find_function(call.name, context);
  if (found.table == nullptr) {
    if (found.scalar == nullptr && found.aggregate == nullptr) {
      no_table_function(call, context);
    }
    throw Error(ErrorCode::kValidation,
                fmt::format("The function {} gives a value, not rows", call.name.last()))
        .at(call.position)
        .hint("Call it in the SELECT list, or make a table function of it (udtf in Python).");
  }
  ExpressionBinder binder(context, scope, "TABLE");
  std::vector<ExpressionPtr> arguments;
  for (const sql::ExprPtr& argument : call.args) {
    arguments.push_back(binder.bind(*argument));
  }
  return fit(found.table, std::move(arguments), call.position);
}

BoundTableFunction bind_unnest(const sql::Unnest& unnest,
                               const Scope& scope,
                               const PlannerContext& context) {
  if (unnest.collections.size() != 1) {
    throw Error(ErrorCode::kNotSupported, "UNNEST takes one collection").at(unnest.position);
  }
  ExpressionBinder binder(context, scope, "UNNEST");
  const auto function =
      context.functions.find_table(unnest.with_ordinality ? "$UNNEST_ORDINALITY" : "$UNNEST");
  check(function != nullptr, "UNNEST is not registered");
  return fit(function, {binder.bind(*unnest.collections.front())}, unnest.position);
}

bool is_lateral(const sql::TableRef& ref) {
  if (const auto* function = sql::if_a<sql::TableFunction>(ref)) {
    return function->lateral;
  }
  return ref.kind == sql::TableRefKind::kUnnest;
}

namespace {

BoundTableFunction bind_lateral_call(const sql::TableRef& ref,
                                     const Scope& scope,
                                     const PlannerContext& context) {
  if (const auto* unnest = sql::if_a<sql::Unnest>(ref)) {
    return bind_unnest(*unnest, scope, context);
  }
  const auto& function = sql::as<sql::TableFunction>(ref);
  return bind_table_call(sql::as<sql::FunctionCall>(*function.call), scope, context);
}

std::vector<std::string> column_aliases(const sql::TableRef& ref, const Schema& schema) {
  const std::optional<sql::TableAlias>& alias = ref.alias;
  std::vector<std::string> names;
  if (!alias || alias->columns.empty()) {
    // As in Calcite: the only column of UNNEST is also called as its table.
    if (alias && ref.kind == sql::TableRefKind::kUnnest && schema.size() == 1) {
      names.push_back(alias->name.text);
    }
    return names;
  }
  if (alias->columns.size() != schema.size()) {
    throw Error(ErrorCode::kValidation,
                fmt::format("List of column aliases must have same degree as table; table has {} "
                            "columns ({}), whereas alias list has {} columns",
                            schema.size(),
                            fmt::join(names_of(schema), ", "),
                            alias->columns.size()))
        .at(alias->name.position);
  }
  for (const sql::Identifier& column : alias->columns) {
    names.push_back(column.text);
  }
  return names;
}

}  // namespace

bool is_true(const sql::ExprPtr& condition) {
  const auto* literal = sql::if_a<sql::Literal>(condition);
  return literal != nullptr && literal->literal_kind == sql::LiteralKind::kBoolean &&
         upper_case(literal->text) == "TRUE";
}

BoundFrom QueryBinder::bind_lateral(BoundFrom left, const sql::TableRef& right, bool is_outer) {
  BoundTableFunction call = bind_lateral_call(right, left.scope, context_);
  const std::vector<std::string> names = column_aliases(right, call.signature.result);
  const size_t width = left.plan->schema.size();
  BoundFrom result;
  result.scope = std::move(left.scope);
  result.plan = make_correlate(std::move(left.plan),
                               std::move(call.function),
                               std::move(call.signature),
                               std::move(call.arguments),
                               is_outer,
                               names);
  const Schema& schema = result.plan->schema;
  result.scope.add(right.alias ? right.alias->name.text : std::string(),
                   {},
                   Schema(schema.begin() + static_cast<int64_t>(width), schema.end()));
  return result;
}

BoundFrom QueryBinder::bind_join(const sql::Join& join) {
  const bool is_outer = join.type == sql::JoinType::kLeft;
  const bool is_inner = join.type == sql::JoinType::kComma || join.type == sql::JoinType::kCross ||
                        join.type == sql::JoinType::kInner;
  if (!is_lateral(*join.right)) {
    throw Error(ErrorCode::kNotSupported, "Joins are not supported yet").at(join.position);
  }
  if ((!is_outer && !is_inner) || join.natural || !join.join_columns.empty()) {
    throw Error(ErrorCode::kNotSupported,
                "A table function is joined by a comma, CROSS JOIN, JOIN or LEFT JOIN")
        .at(join.position);
  }
  if (is_outer && !is_true(join.on)) {
    throw Error(ErrorCode::kNotSupported,
                "LEFT JOIN of a table function takes the condition ON TRUE only")
        .at(join.position);
  }
  BoundFrom result = bind_lateral(bind_from(*join.left), *join.right, is_outer);
  if (join.on && !is_true(join.on)) {
    ExpressionBinder binder(context_, result.scope, "ON");
    ExpressionPtr condition = binder.bind_condition(*join.on);
    result.plan = make_filter(std::move(result.plan), std::move(condition));
  }
  return result;
}

BoundFrom QueryBinder::bind_lone_function(const sql::TableRef& ref) {
  BoundFrom one_row;
  one_row.plan = make_single_row();
  const size_t width = one_row.plan->schema.size();
  const BoundFrom joined = bind_lateral(std::move(one_row), ref, false);
  std::vector<ExpressionPtr> columns;
  std::vector<std::string> names;
  for (size_t i = width; i < joined.plan->schema.size(); ++i) {
    columns.push_back(column_of(joined.plan->schema, i));
    names.push_back(joined.plan->schema[i].name);
  }
  BoundFrom result;
  result.plan = make_project(joined.plan, std::move(columns), names);
  result.scope.add(ref.alias ? ref.alias->name.text : std::string(), {}, result.plan->schema);
  return result;
}

}  // namespace thalweg::planner
