#include "thalweg/planner/literal_binder.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "thalweg/common/error.h"
#include "thalweg/types/civil_date.h"
#include "thalweg/types/text.h"

namespace thalweg::planner {

namespace {

using expression::ExpressionPtr;
using expression::make_literal;
using sql::Literal;
using sql::LiteralKind;

[[noreturn]] void illegal(const Literal& literal, std::string_view kind, std::string_view form) {
  throw Error(ErrorCode::kSqlSyntax,
              fmt::format("Illegal {} literal '{}': not in format '{}'", kind, literal.text, form))
      .at(literal.position);
}

/// Characters as Java counts them: UTF-16 code units.
int32_t java_length(std::string_view text) {
  int32_t length = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) {
      length += byte >= 0xF0U ? 2 : 1;
    }
  }
  return length;
}

[[noreturn]] void out_of_range(const Literal& literal) {
  throw Error(ErrorCode::kTypeMismatch,
              fmt::format("Numeric literal '{}' out of range", literal.text))
      .at(literal.position);
}

/// Its digits, those behind the point included, are to fit 64 bits.
ExpressionPtr exact_number(const Literal& literal, bool negate) {
  constexpr int32_t kMaxPrecision = 38;
  std::string digits = negate ? "-" + literal.text : literal.text;
  const size_t dot = digits.find('.');
  const auto scale = static_cast<int32_t>(dot == std::string::npos ? 0 : digits.size() - dot - 1);
  if (dot != std::string::npos) {
    digits.erase(dot, 1);
  }
  int64_t value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (parsed.ec != std::errc() || scale > kMaxPrecision) {
    out_of_range(literal);
  }
  if (scale == 0) {
    const bool is_int = value >= std::numeric_limits<int32_t>::min() &&
                        value <= std::numeric_limits<int32_t>::max();
    const DataType type = is_int ? DataType::integer() : DataType::big_int();
    return make_literal(type.not_null(), Value(value), literal.position);
  }
  const auto precision = static_cast<int32_t>(digits.size()) - (negate ? 1 : 0);
  const DataType type = DataType::decimal(std::min(precision, kMaxPrecision), scale);
  return make_literal(type.not_null(), Value(Int128{value}), literal.position);
}

ExpressionPtr approximate_number(const Literal& literal, bool negate) {
  const std::optional<double> value = text::parse_double(literal.text);
  if (value && std::isinf(*value)) {
    out_of_range(literal);
  }
  if (!value) {
    throw Error(ErrorCode::kSqlSyntax, fmt::format("Invalid numeric literal '{}'", literal.text))
        .at(literal.position);
  }
  // Calcite's literals are decimals, which have no zero below zero.
  const double number = negate && *value != 0 ? -*value : *value;
  return make_literal(DataType::float64().not_null(), Value(number), literal.position);
}

/// Digits behind the last dot of a time of day.
int32_t fraction_digits(std::string_view text) {
  const size_t dot = text.rfind('.');
  return dot == std::string_view::npos ? 0 : static_cast<int32_t>(text.size() - dot - 1);
}

ExpressionPtr timestamp(const Literal& literal) {
  // A day alone is its midnight; of a fraction, nine digits count.
  const size_t clock = literal.text.find(' ');
  const int32_t fraction = fraction_digits(literal.text);
  const int32_t precision = std::min(fraction, 9);
  const std::string_view text =
      std::string_view(literal.text).substr(0, literal.text.size() - (fraction - precision));
  const std::optional<Int128> value = text::parse_timestamp(text, precision);
  if (!value || !text::parse_date(text.substr(0, clock)) ||
      (clock != std::string::npos && text.substr(clock + 1).starts_with("24"))) {
    illegal(literal, "TIMESTAMP", "yyyy-MM-dd HH:mm:ss");
  }
  const DataType type = literal.literal_kind == LiteralKind::kTimestampLtz
                            ? DataType::timestamp_ltz(precision)
                            : DataType::timestamp(precision);
  Value stored = precision <= 3 ? Value(static_cast<int64_t>(*value)) : Value(*value);
  return make_literal(type.not_null(), std::move(stored), literal.position);
}

ExpressionPtr interval(const Literal& literal) {
  const sql::IntervalQualifier& units = literal.interval;
  const std::string leading(sql::to_string(units.leading));
  const std::string trailing(sql::to_string(units.trailing.value_or(units.leading)));
  const DataType type = units.is_year_month() ? DataType::interval_year_month(leading, trailing)
                                              : DataType::interval_day_time(leading, trailing);
  return make_literal(type.not_null(), Value(interval_value(literal)), literal.position);
}

ExpressionPtr from_text(const Literal& literal) {
  switch (literal.literal_kind) {
    case LiteralKind::kDate: {
      const std::optional<int32_t> days = text::parse_date(literal.text);
      if (!days) {
        illegal(literal, "DATE", "yyyy-MM-dd");
      }
      return make_literal(
          DataType::date().not_null(), Value(static_cast<int64_t>(*days)), literal.position);
    }
    case LiteralKind::kTime: {
      const std::optional<int32_t> ms = text::parse_time(literal.text);
      const bool has_seconds = std::count(literal.text.begin(), literal.text.end(), ':') == 2;
      if (!ms || !has_seconds || *ms < 0 || *ms >= kMsPerDay) {
        illegal(literal, "TIME", "HH:mm:ss");
      }
      const int32_t precision = std::min(fraction_digits(literal.text), 3);
      return make_literal(
          DataType::time(precision).not_null(), Value(static_cast<int64_t>(*ms)), literal.position);
    }
    case LiteralKind::kTimestamp:
    case LiteralKind::kTimestampLtz:
      return timestamp(literal);
    default:
      return interval(literal);
  }
}

}  // namespace

/// A literal of a given type is the literal that its text makes, cast where that differs.
static ExpressionPtr with_type(ExpressionPtr bound, const DataType& type) {
  if (bound->type.equals_ignoring_nullability(type)) {
    return make_literal(type, bound->literal, bound->position);
  }
  const SourcePosition position = bound->position;
  return expression::make_cast(std::move(bound), type, false, position);
}

static ExpressionPtr bind_by_text(const Literal& literal, bool negate) {
  switch (literal.literal_kind) {
    case LiteralKind::kNull:
      return make_literal(DataType::null(), Value(), literal.position);
    case LiteralKind::kBoolean:
      return make_literal(
          DataType::boolean().not_null(), Value(literal.text == "TRUE"), literal.position);
    case LiteralKind::kExactNumeric:
      return exact_number(literal, negate);
    case LiteralKind::kApproximateNumeric:
      return approximate_number(literal, negate);
    case LiteralKind::kString:
      return make_literal(DataType::character(java_length(literal.text)).not_null(),
                          Value(literal.text),
                          literal.position);
    case LiteralKind::kBinary:
      return make_literal(DataType::binary(static_cast<int32_t>(literal.text.size())).not_null(),
                          Value(literal.text),
                          literal.position);
    default:
      return from_text(literal);
  }
}

void refuse_untyped_null(const sql::Expr& expr) {
  const auto* literal = sql::if_a<sql::Literal>(expr);
  if (literal != nullptr && literal->literal_kind == LiteralKind::kNull && !literal->type) {
    throw Error(ErrorCode::kValidation, "Illegal use of 'NULL'")
        .at(literal->position)
        .hint("Give it a type: CAST(NULL AS STRING).");
  }
}

ExpressionPtr bind_literal(const Literal& literal, bool negate) {
  ExpressionPtr bound = bind_by_text(literal, negate);
  if (!literal.type) {
    return bound;
  }
  if (literal.literal_kind == LiteralKind::kNull) {
    return make_literal(*literal.type, Value(), literal.position);
  }
  return with_type(std::move(bound), *literal.type);
}

}  // namespace thalweg::planner
