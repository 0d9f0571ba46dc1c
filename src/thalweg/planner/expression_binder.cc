#include "thalweg/planner/expression_binder.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/expression/type_inference.h"
#include "thalweg/planner/insert_cast.h"
#include "thalweg/planner/literal_binder.h"
#include "thalweg/planner/over_binder.h"
#include "thalweg/planner/type_text.h"

namespace thalweg::planner {

using expression::ExpressionKind;
using expression::ExpressionPtr;
using expression::make_form;
using expression::make_literal;

ExpressionBinder::ExpressionBinder(const PlannerContext& context,
                                   const Scope& scope,
                                   std::string clause)
    : context_(context), scope_(scope), clause_(std::move(clause)) {}

ExpressionPtr ExpressionBinder::replace(const sql::Expr& expr) {
  static_cast<void>(expr);
  return nullptr;
}

void ExpressionBinder::refuse_aggregate(const sql::FunctionCall& call) {
  throw Error(ErrorCode::kValidation,
              fmt::format("Aggregate expression is illegal in {} clause", clause_))
      .at(call.position);
}

ExpressionPtr ExpressionBinder::bind(const sql::Expr& expr) {
  const auto* column = sql::if_a<sql::Column>(expr);
  if (column != nullptr && column->name.is_simple()) {
    const auto alias = aliases_.find(column->name.last());
    if (alias != aliases_.end()) {
      return alias->second;
    }
  }
  const auto* call = sql::if_a<sql::FunctionCall>(expr);
  if (call != nullptr && call->over) {
    return bind_over(*call);
  }
  if (ExpressionPtr replaced = replace(expr)) {
    return replaced;
  }
  return bind_node(expr);
}

ExpressionPtr ExpressionBinder::bind_over(const sql::FunctionCall& call) {
  if (over_ == nullptr) {
    throw Error(ErrorCode::kValidation,
                fmt::format("Windowed aggregate expression is illegal in {} clause", clause_))
        .at(call.position)
        .hint("Compute it in the SELECT list of a subquery, or use QUALIFY.");
  }
  return over_->bind(call, *this);
}

ExpressionPtr ExpressionBinder::bind_condition(const sql::Expr& expr) {
  ExpressionPtr condition = bind(expr);
  if (condition->type.kind() == TypeKind::kNull) {
    return make_literal(DataType::boolean(), Value(), expr.position);
  }
  if (condition->type.kind() != TypeKind::kBoolean) {
    throw Error(ErrorCode::kTypeMismatch, fmt::format("{} clause must be a condition", clause_))
        .at(expr.position);
  }
  return condition;
}

ExpressionBinder::Operands ExpressionBinder::bind_all(const std::vector<sql::ExprPtr>& nodes) {
  Operands operands;
  operands.reserve(nodes.size());
  for (const sql::ExprPtr& node : nodes) {
    operands.push_back(bind(*node));
  }
  return operands;
}

ExpressionPtr ExpressionBinder::bind_node(const sql::Expr& expr) {
  switch (expr.kind) {
    case sql::ExprKind::kLiteral:
      return bind_literal(sql::as<sql::Literal>(expr));
    case sql::ExprKind::kColumn:
      return bind_column(sql::as<sql::Column>(expr));
    case sql::ExprKind::kOperator:
      return bind_operator(sql::as<sql::Operator>(expr));
    case sql::ExprKind::kFunctionCall:
      return bind_function(sql::as<sql::FunctionCall>(expr));
    case sql::ExprKind::kCast:
      return bind_cast(sql::as<sql::Cast>(expr));
    case sql::ExprKind::kCase:
      return bind_case(sql::as<sql::Case>(expr));
    case sql::ExprKind::kIn:
      return bind_in(sql::as<sql::In>(expr));
    case sql::ExprKind::kQuantified:
      return bind_quantified(sql::as<sql::Quantified>(expr));
    case sql::ExprKind::kFieldAccess: {
      const auto& access = sql::as<sql::FieldAccess>(expr);
      return bind_field(bind(*access.operand), access.field);
    }
    case sql::ExprKind::kArray:
      return bind_constructor("ARRAY", sql::as<sql::ArrayExpr>(expr).elements, expr.position);
    case sql::ExprKind::kRow:
      return bind_constructor("ROW", sql::as<sql::RowExpr>(expr).fields, expr.position);
    case sql::ExprKind::kMap: {
      std::vector<sql::ExprPtr> parts;
      for (const auto& [key, value] : sql::as<sql::MapExpr>(expr).entries) {
        parts.push_back(key);
        parts.push_back(value);
      }
      return bind_constructor("MAP", parts, expr.position);
    }
    case sql::ExprKind::kExists:
    case sql::ExprKind::kSubquery:
      throw Error(ErrorCode::kNotSupported, "Subqueries in expressions are not supported yet")
          .at(expr.position)
          .hint("Join the two tables instead.");
    case sql::ExprKind::kStar:
      throw Error(ErrorCode::kSqlSyntax, "'*' is not allowed here").at(expr.position);
    default:
      throw Error(ErrorCode::kValidation, "This expression is not allowed here").at(expr.position);
  }
}

ExpressionPtr ExpressionBinder::bind_column(const sql::Column& column) {
  const Scope::Match match = scope_.resolve(column.name);
  ExpressionPtr bound = expression::make_column(match.column, match.type, column.position);
  for (size_t part = match.parts; part < column.name.parts.size(); ++part) {
    bound = bind_field(std::move(bound), column.name.parts[part]);
  }
  return bound;
}

ExpressionPtr ExpressionBinder::bind_field(ExpressionPtr row, const sql::Identifier& field) {
  if (row->type.kind() != TypeKind::kRow) {
    throw Error(
        ErrorCode::kTypeMismatch,
        fmt::format(
            "Cannot access field '{}' of a value of type {}", field.text, row->type.to_string()))
        .at(field.position);
  }
  for (const Field& candidate : row->type.fields()) {
    if (candidate.name == field.text) {
      const auto length = static_cast<int32_t>(field.text.size());
      ExpressionPtr name =
          make_literal(DataType::character(length).not_null(), Value(field.text), field.position);
      const SourcePosition position = row->position;
      return call(".", {std::move(row), std::move(name)}, position);
    }
  }
  throw Error(ErrorCode::kColumnNotFound, fmt::format("Unknown field '{}'", field.text))
      .at(field.position);
}

DataType require_common_type(const std::vector<DataType>& types,
                             std::string_view what,
                             SourcePosition position) {
  if (const std::optional<DataType> common = expression::least_common_type(types)) {
    return *common;
  }
  // Text together with other simple types becomes text, as Calcite's type coercion does.
  bool has_text = false;
  bool nullable = false;
  bool simple = true;
  for (const DataType& type : types) {
    has_text = has_text || type.is_character();
    nullable = nullable || type.is_nullable();
    simple = simple && !type.is_nested() && !type.is_binary();
  }
  if (!has_text || !simple) {
    throw Error(ErrorCode::kTypeMismatch, std::string(what)).at(position);
  }
  return DataType::string().as_nullable(nullable);
}

ExpressionPtr as_type(ExpressionPtr operand, const DataType& target) {
  if (operand->kind == ExpressionKind::kLiteral && operand->literal.is_null()) {
    return make_literal(target.as_nullable(), Value(), operand->position);
  }
  return coerce(std::move(operand), target);
}

/// The casts of Flink before 1.15, which an option asks for: they would give other values.
static void refuse_legacy_casts(const PlannerContext& context, SourcePosition position) {
  const std::string key = "table.exec.legacy-cast-behaviour";
  std::string value = context.find(key).value_or("DISABLED");
  std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  if (value != "DISABLED") {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("Casts under '{}' = '{}' are not supported", key, value))
        .at(position)
        .hint("Leave it at DISABLED; TRY_CAST gives NULL where CAST fails.");
  }
}

ExpressionPtr ExpressionBinder::bind_cast(const sql::Cast& cast) {
  refuse_legacy_casts(context_, cast.position);
  ExpressionPtr operand = bind(*cast.operand);
  const DataType target = cast.type.as_nullable(operand->type.is_nullable() || cast.is_try);
  if (operand->type.kind() == TypeKind::kNull) {
    return make_literal(target.as_nullable(), Value(), cast.position);
  }
  if (!expression::can_cast(operand->type, cast.type)) {
    const bool has_variant =
        operand->type.kind() == TypeKind::kVariant || cast.type.kind() == TypeKind::kVariant;
    throw Error(ErrorCode::kTypeMismatch,
                fmt::format("Cast function cannot convert value of type {} to type {}",
                            plan_type(operand->type),
                            plan_type(cast.type)))
        .at(cast.position)
        .hint(has_variant ? "JSON_STRING gives the text of a VARIANT, which CAST takes; PARSE_JSON "
                            "makes a VARIANT of a text."
                          : "");
  }
  return expression::make_cast(std::move(operand), target, cast.is_try, cast.position);
}

ExpressionPtr ExpressionBinder::bind_case(const sql::Case& node) {
  Operands operands;
  std::vector<DataType> types;
  for (const auto& [when, then] : node.branches) {
    if (node.operand) {
      Operands sides;
      sides.push_back(bind(*node.operand));
      sides.push_back(bind(*when));
      operands.push_back(call("=", std::move(sides), when->position));
    } else {
      ExpressionPtr condition = bind(*when);
      if (condition->type.kind() == TypeKind::kNull) {
        condition = as_type(std::move(condition), DataType::boolean());
      }
      if (condition->type.kind() != TypeKind::kBoolean) {
        throw Error(ErrorCode::kTypeMismatch, "Expected a boolean type").at(when->position);
      }
      operands.push_back(std::move(condition));
    }
    operands.push_back(bind(*then));
    types.push_back(operands.back()->type);
  }
  operands.push_back(node.otherwise ? bind(*node.otherwise)
                                    : make_literal(DataType::null(), Value(), node.position));
  types.push_back(operands.back()->type);
  const std::optional<DataType> common = expression::least_common_type(types);
  if (!common) {
    throw Error(ErrorCode::kTypeMismatch, "Illegal mixing of types in CASE or COALESCE statement")
        .at(node.position);
  }
  const DataType& type = *common;
  if (type.kind() == TypeKind::kNull) {
    throw Error(ErrorCode::kTypeMismatch,
                "ELSE clause or at least one THEN clause must be non-NULL")
        .at(node.position);
  }
  for (size_t i = 1; i < operands.size(); i += 2) {
    operands[i] = as_type(operands[i], type);
  }
  operands.back() = as_type(operands.back(), type);
  return make_form(ExpressionKind::kCase, type, std::move(operands), node.position);
}

ExpressionPtr ExpressionBinder::bind_in(const sql::In& in) {
  if (in.query) {
    throw Error(ErrorCode::kNotSupported, "IN with a subquery is not supported yet")
        .at(in.position)
        .hint("Join with the query's DISTINCT rows instead.");
  }
  const ExpressionPtr operand = bind(*in.operand);
  Operands values = bind_all(in.values);
  for (ExpressionPtr& value : values) {  // a text in a list of numbers is read as one
    if (operand->type.is_numeric() && value->type.is_character()) {
      value = as_type(value, operand->type.as_nullable(value->type.is_nullable()));
    }
  }
  std::vector<DataType> types = {operand->type};
  for (const ExpressionPtr& value : values) {
    types.push_back(value->type);
  }
  const DataType type = require_common_type(
      types, "Values in expression list must have compatible types", in.position);
  Operands tests;
  for (ExpressionPtr& value : values) {
    const SourcePosition position = value->position;
    ExpressionPtr side =
        value->type.kind() == TypeKind::kNull ? as_type(std::move(value), type) : std::move(value);
    tests.push_back(call(in.negated ? "<>" : "=", {operand, std::move(side)}, position));
  }
  if (tests.size() == 1) {
    return tests.front();
  }
  return combine(
      in.negated ? ExpressionKind::kAnd : ExpressionKind::kOr, std::move(tests), in.position);
}

ExpressionPtr ExpressionBinder::bind_quantified(const sql::Quantified& node) {
  if (node.query) {
    throw Error(ErrorCode::kNotSupported, "ALL and ANY with a subquery are not supported yet")
        .at(node.position);
  }
  const ExpressionPtr operand = bind(*node.operand);
  Operands tests;
  for (const sql::ExprPtr& value : node.values) {
    tests.push_back(
        call(std::string(operator_function(node.op)), {operand, bind(*value)}, value->position));
  }
  return combine(
      node.all ? ExpressionKind::kAnd : ExpressionKind::kOr, std::move(tests), node.position);
}

ExpressionPtr ExpressionBinder::bind_constructor(const std::string& name,
                                                 const std::vector<sql::ExprPtr>& parts,
                                                 SourcePosition position) {
  return call(name, bind_all(parts), position);
}

}  // namespace thalweg::planner
