#include "literal_tree.h"

#include <algorithm>

#include <nanobind/stl/string.h>

#include "thalweg/sql/ast_build.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

using sql::ExprPtr;
using sql::LiteralKind;

sql::TimeUnit unit_named(std::string_view name) {
  using sql::TimeUnit;
  for (const TimeUnit unit : {TimeUnit::kSecond,
                              TimeUnit::kMinute,
                              TimeUnit::kHour,
                              TimeUnit::kDay,
                              TimeUnit::kMonth,
                              TimeUnit::kYear}) {
    if (sql::to_string(unit) == name) {
      return unit;
    }
  }
  throw Error(ErrorCode::kValidation, fmt::format("No unit of an interval: {}", name));
}

ExprPtr negated_if(bool negative, ExprPtr literal) {
  return negative ? sql::make_operator(sql::Op::kUnaryMinus, {std::move(literal)})
                  : std::move(literal);
}

/// Digits as SQL would have them: INT and BIGINT follow from the value, other integers and DECIMAL
/// are typed.
ExprPtr number_from(std::string digits, const DataType& type) {
  const bool negative = digits.starts_with('-');
  if (negative) {
    digits.erase(0, 1);
  }
  const bool follows =
      type.kind() == TypeKind::kInt || (type.kind() == TypeKind::kBigInt && digits.size() > 10);
  if (follows) {
    return negated_if(negative, sql::make_exact(std::move(digits)));
  }
  const LiteralKind kind =
      type.is_approximate() ? LiteralKind::kApproximateNumeric : LiteralKind::kExactNumeric;
  return negated_if(negative, sql::make_typed_literal(kind, std::move(digits), type));
}

ExprPtr nested_from(nb::handle value, const DataType& type) {
  if (type.kind() == TypeKind::kArray) {
    auto node = std::make_shared<sql::ArrayExpr>();
    for (const nb::handle element : value) {
      node->elements.push_back(literal_from(element, type.child(0)));
    }
    return sql::make_cast(node, type);
  }
  if (type.kind() == TypeKind::kMap) {
    auto node = std::make_shared<sql::MapExpr>();
    for (const nb::handle entry : value) {
      node->entries.emplace_back(literal_from(entry[0], type.child(0)),
                                 literal_from(entry[1], type.child(1)));
    }
    return sql::make_cast(node, type);
  }
  auto node = std::make_shared<sql::RowExpr>();
  node->explicit_row = true;
  size_t index = 0;
  for (const nb::handle field : value) {
    node->fields.push_back(literal_from(field, type.child(index++)));
  }
  return sql::make_cast(node, type);
}

ExprPtr text_from(nb::handle value, const DataType& type) {
  auto text = nb::cast<std::string>(nb::str(value));
  switch (type.kind()) {
    case TypeKind::kChar:
      return sql::make_string(std::move(text));
    case TypeKind::kDate:
      return sql::make_typed_literal(LiteralKind::kDate, std::move(text), type);
    case TypeKind::kTime:
      return sql::make_typed_literal(LiteralKind::kTime, std::move(text), type);
    case TypeKind::kTimestamp:
      return sql::make_typed_literal(LiteralKind::kTimestamp, std::move(text), type);
    case TypeKind::kTimestampLtz:
      return sql::make_typed_literal(LiteralKind::kTimestampLtz, std::move(text), type);
    default:
      return sql::make_cast(sql::make_string(std::move(text)), type);
  }
}

}  // namespace

ExprPtr literal_from(nb::handle value, const DataType& type) {
  if (value.is_none()) {
    return type.kind() == TypeKind::kNull ? sql::make_null()
                                          : sql::make_cast(sql::make_null(), type.as_nullable());
  }
  if (type.kind() == TypeKind::kBoolean) {
    return sql::make_boolean(nb::cast<bool>(value));
  }
  if (type.is_numeric()) {
    return number_from(nb::cast<std::string>(nb::str(value)), type);
  }
  if (type.is_binary()) {
    const auto bytes = nb::cast<nb::bytes>(value);
    auto literal = sql::make_typed_literal(
        LiteralKind::kBinary, std::string(bytes.c_str(), bytes.size()), type);
    return type.kind() == TypeKind::kBinary ? literal : sql::make_cast(literal, type);
  }
  return type.is_nested() ? nested_from(value, type) : text_from(value, type);
}

ExprPtr interval_from(std::string text, std::string_view leading, std::string_view trailing) {
  auto node = std::make_shared<sql::Literal>();
  node->literal_kind = LiteralKind::kInterval;
  node->negative_interval = text.starts_with('-');
  if (node->negative_interval) {
    text.erase(0, 1);
  }
  const auto digits = static_cast<int32_t>(std::min(text.find_first_of(".:- "), text.size()));
  node->interval.leading = unit_named(leading);
  if (!trailing.empty()) {
    node->interval.trailing = unit_named(trailing);
  }
  // SQL takes two digits unless told; Python's numbers have as many as they need.
  node->interval.leading_precision = digits > 2 ? digits : -1;
  node->text = std::move(text);
  return node;
}

}  // namespace thalweg::binding
