#include <algorithm>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/literal_binder.h"
#include "thalweg/planner/null_literals.h"
#include "thalweg/planner/type_text.h"
#include "thalweg/sql/unparser.h"

namespace thalweg::planner {

using expression::ExpressionKind;
using expression::ExpressionPtr;
using expression::make_form;
using sql::Op;

std::string_view operator_function(Op op) {
  switch (op) {
    case Op::kOr:
    case Op::kAnd:
    case Op::kNotLike:
    case Op::kNotSimilarTo:
    case Op::kBetween:
    case Op::kNotBetween:
    case Op::kBetweenSymmetric:
    case Op::kNotBetweenSymmetric:
    case Op::kUnaryPlus:
    case Op::kUnaryMinus:
    case Op::kIsUnknown:
    case Op::kIsNotUnknown:
      return {};
    case Op::kItem:
      return "[]";
    default:
      return sql::to_string(op);
  }
}

ExpressionPtr ExpressionBinder::combine(ExpressionKind kind,
                                        Operands operands,
                                        SourcePosition position) {
  Operands flat;
  bool nullable = false;
  for (ExpressionPtr& operand : operands) {
    nullable = nullable || operand->type.is_nullable();
    if (operand->kind == kind) {
      flat.insert(flat.end(), operand->operands.begin(), operand->operands.end());
    } else {
      flat.push_back(std::move(operand));
    }
  }
  return make_form(kind, DataType::boolean().as_nullable(nullable), std::move(flat), position);
}

ExpressionPtr ExpressionBinder::bind_logical(const sql::Operator& node) {
  Operands operands = bind_all(node.operands);
  refuse_null_literals(sql::to_string(node.op), operands);
  for (ExpressionPtr& operand : operands) {
    if (operand->type.kind() == TypeKind::kNull) {
      operand = as_type(operand, DataType::boolean());
    }
    if (operand->type.kind() != TypeKind::kBoolean) {
      const std::string_view word = sql::to_string(node.op);
      throw Error(
          ErrorCode::kTypeMismatch,
          fmt::format("Cannot apply '{0}' to arguments of type '<{1}> {0} <{2}>'. Supported "
                      "form(s): '<BOOLEAN> {0} <BOOLEAN>'",
                      word,
                      plan_type(operands.front()->type),
                      plan_type(operands.back()->type)))
          .at(node.position);
    }
  }
  const auto kind = node.op == Op::kAnd ? ExpressionKind::kAnd : ExpressionKind::kOr;
  return combine(kind, std::move(operands), node.position);
}

ExpressionPtr ExpressionBinder::bind_between(const sql::Operator& node) {
  const bool negated = node.op == Op::kNotBetween || node.op == Op::kNotBetweenSymmetric;
  const bool symmetric = node.op == Op::kBetweenSymmetric || node.op == Op::kNotBetweenSymmetric;
  const Operands parts = bind_all(node.operands);
  const auto range = [&](const ExpressionPtr& low, const ExpressionPtr& high) {
    Operands tests;
    tests.push_back(call(negated ? "<" : ">=", {parts[0], low}, node.position));
    tests.push_back(call(negated ? ">" : "<=", {parts[0], high}, node.position));
    return combine(
        negated ? ExpressionKind::kOr : ExpressionKind::kAnd, std::move(tests), node.position);
  };
  if (!symmetric) {
    return range(parts[1], parts[2]);
  }
  Operands both;
  both.push_back(range(parts[1], parts[2]));
  both.push_back(range(parts[2], parts[1]));
  return combine(
      negated ? ExpressionKind::kAnd : ExpressionKind::kOr, std::move(both), node.position);
}

ExpressionPtr ExpressionBinder::bind_unary_minus(const sql::Operator& node) {
  const auto* literal = sql::if_a<sql::Literal>(node.operands.front());
  if (literal != nullptr && (literal->literal_kind == sql::LiteralKind::kExactNumeric ||
                             literal->literal_kind == sql::LiteralKind::kApproximateNumeric)) {
    return bind_literal(*literal, true);
  }
  return call("-", {bind(*node.operands.front())}, node.position);
}

/// The Table API's `plus` joins texts, whatever the other side is (Flink's PlusConverter); SQL's
/// plus does not.
ExpressionPtr ExpressionBinder::bind_plus(const sql::Operator& node) {
  Operands operands = bind_all(node.operands);
  const bool is_from_sql = node.position != SourcePosition{};
  const bool joins_texts =
      std::any_of(operands.begin(), operands.end(), [](const ExpressionPtr& operand) {
        return operand->type.is_character();
      });
  if (is_from_sql || !joins_texts) {
    return call("+", std::move(operands), node.position);
  }
  for (ExpressionPtr& operand : operands) {
    if (!operand->type.is_character()) {
      const DataType text = DataType::string().as_nullable(operand->type.is_nullable());
      operand = expression::make_cast(std::move(operand), text);
    }
  }
  return call("CONCAT", std::move(operands), node.position);
}

ExpressionPtr ExpressionBinder::bind_operator(const sql::Operator& node) {
  switch (node.op) {
    case Op::kPlus:
      return bind_plus(node);
    case Op::kAnd:
    case Op::kOr:
      return bind_logical(node);
    case Op::kBetween:
    case Op::kNotBetween:
    case Op::kBetweenSymmetric:
    case Op::kNotBetweenSymmetric:
      return bind_between(node);
    case Op::kUnaryPlus:
      return bind(*node.operands.front());
    case Op::kUnaryMinus:
      return bind_unary_minus(node);
    case Op::kNotLike:
      return call("NOT", {call("LIKE", bind_all(node.operands), node.position)}, node.position);
    case Op::kNotSimilarTo:
      return call(
          "NOT", {call("SIMILAR TO", bind_all(node.operands), node.position)}, node.position);
    case Op::kIsUnknown:
      return call("IS NULL", bind_all(node.operands), node.position);
    case Op::kIsNotUnknown:
      return call("IS NOT NULL", bind_all(node.operands), node.position);
    default:
      return call(std::string(operator_function(node.op)), bind_all(node.operands), node.position);
  }
}

}  // namespace thalweg::planner
