#include "thalweg/expression/type_inference.h"

#include <algorithm>

#include "thalweg/common/check.h"

namespace thalweg::expression {

namespace {

constexpr int32_t kMaxPrecision = 38;
constexpr int32_t kLeastScale = 6;

DataType limited_decimal(int32_t precision, int32_t scale) {
  if (precision <= kMaxPrecision) {
    return DataType::decimal(precision, scale);
  }
  const int32_t whole = precision - scale;
  const int32_t kept = std::max(kMaxPrecision - whole, std::min(scale, kLeastScale));
  return DataType::decimal(kMaxPrecision, kept);
}

/// Keeps all digits before the point, and of those behind it what 38 digits leave room for.
DataType common_decimal(const DataType& left, const DataType& right) {
  const int32_t whole =
      std::max(left.precision() - left.scale(), right.precision() - right.scale());
  const int32_t scale = std::min(std::max(left.scale(), right.scale()), kMaxPrecision - whole);
  return DataType::decimal(whole + scale, scale);
}

/// Whose rules decide: Calcite's `leastRestrictive` on the operands of SQL's own forms, Flink's
/// LogicalTypeMerging on the arguments of functions.
enum class Rules : uint8_t { kOperands, kArguments };

std::optional<DataType> common_of(const DataType& left, const DataType& right, Rules rules);

DataType common_approximate(const DataType& left, const DataType& right, Rules rules) {
  if (left.is_approximate() && right.is_approximate()) {
    // For Calcite FLOAT is as precise as DOUBLE, and so the first of them stays.
    return rules == Rules::kOperands || left.kind() == TypeKind::kDouble ? left : right;
  }
  // Beside FLOAT a decimal asks for DOUBLE, except as a function's earlier argument.
  if (rules == Rules::kArguments && left.kind() == TypeKind::kDecimal) {
    return right;
  }
  const bool has_decimal = left.kind() == TypeKind::kDecimal || right.kind() == TypeKind::kDecimal;
  return has_decimal ? DataType::float64() : left.is_approximate() ? left : right;
}

DataType common_numeric(const DataType& left, const DataType& right, Rules rules) {
  if (left.is_approximate() || right.is_approximate()) {
    return common_approximate(left, right, rules);
  }
  if (left.kind() == TypeKind::kDecimal || right.kind() == TypeKind::kDecimal) {
    return common_decimal(as_decimal(left), as_decimal(right));
  }
  return left.kind() < right.kind() ? right : left;
}

/// Different lengths make a text varying, as Flink's type system asks of Calcite.
DataType common_text(const DataType& left, const DataType& right, bool binary) {
  const int32_t length = std::max(left.length(), right.length());
  const bool fixed = left.kind() == right.kind() && left.length() == right.length() &&
                     (left.kind() == TypeKind::kChar || left.kind() == TypeKind::kBinary);
  if (binary) {
    return fixed ? DataType::binary(length) : DataType::varbinary(length);
  }
  return fixed ? DataType::character(length) : DataType::varchar(length);
}

/// Dates and timestamps have nothing in common.
std::optional<DataType> common_temporal(const DataType& left, const DataType& right, Rules rules) {
  const auto has = [&](TypeKind kind) { return left.kind() == kind || right.kind() == kind; };
  if (has(TypeKind::kTime) || has(TypeKind::kDate)) {
    const DataType& longer = left.precision() < right.precision() ? right : left;
    return left.kind() == right.kind() ? std::optional(longer) : std::nullopt;
  }
  // For Calcite the first of two that are equally precise stays.
  if (rules == Rules::kOperands && left.precision() == right.precision()) {
    return left;
  }
  const int32_t precision = std::max(left.precision(), right.precision());
  return has(TypeKind::kTimestampLtz) ? DataType::timestamp_ltz(precision)
                                      : DataType::timestamp(precision);
}

bool is_temporal(const DataType& type) {
  return type.kind() == TypeKind::kDate || type.kind() == TypeKind::kTime || type.is_timestamp();
}

/// A function takes a TIMESTAMP for a DATE or a TIME by itself, and neither for the other. Dates
/// beside TIMESTAMP_LTZ it refuses.
std::optional<DataType> common_temporal_argument(const DataType& left, const DataType& right) {
  if (left.kind() == right.kind() || (left.is_timestamp() && right.is_timestamp())) {
    return common_temporal(left, right, Rules::kArguments);
  }
  if (left.kind() == TypeKind::kTimestamp) {
    return right;
  }
  return right.kind() == TypeKind::kTimestamp ? std::optional(left) : std::nullopt;
}

std::optional<DataType> common_nested(const DataType& left, const DataType& right, Rules rules) {
  if (left.kind() != right.kind() || left.child_count() != right.child_count() ||
      left.class_name() != right.class_name()) {
    return std::nullopt;
  }
  std::vector<Field> fields;
  for (size_t i = 0; i < left.child_count(); ++i) {
    auto child = common_of(left.child(i), right.child(i), rules);
    if (!child) {
      return std::nullopt;
    }
    fields.push_back({left.fields()[i].name, *child});
  }
  switch (left.kind()) {
    case TypeKind::kArray:
      return DataType::array(fields[0].type);
    case TypeKind::kMultiset:
      return DataType::multiset(fields[0].type);
    case TypeKind::kMap:
      return DataType::map(fields[0].type, fields[1].type);
    default:
      return left.is_structured() ? DataType::structured(left.class_name(), std::move(fields))
                                  : DataType::row(std::move(fields));
  }
}

/// The widest units of both, as written on one of them where they agree.
DataType common_interval(const DataType& left, const DataType& right) {
  if (left.equals_ignoring_nullability(right) &&
      left.interval_leading() == right.interval_leading() &&
      left.interval_trailing() == right.interval_trailing()) {
    return left;
  }
  if (left.kind() == TypeKind::kIntervalYearMonth) {
    return DataType::interval_year_month("YEAR", "MONTH");
  }
  return DataType::interval_day_time("DAY", "SECOND");
}

std::optional<DataType> common_kind(const DataType& left, const DataType& right, Rules rules) {
  if (left.kind() == TypeKind::kNull) {
    return right;
  }
  if (right.kind() == TypeKind::kNull) {
    return left;
  }
  if (left.is_numeric() && right.is_numeric()) {
    return common_numeric(left, right, rules);
  }
  if (left.is_character() && right.is_character()) {
    return common_text(left, right, false);
  }
  if (left.is_binary() && right.is_binary()) {
    return common_text(left, right, true);
  }
  if (is_temporal(left) && is_temporal(right)) {
    return rules == Rules::kOperands ? common_temporal(left, right, rules)
                                     : common_temporal_argument(left, right);
  }
  if (left.is_interval() && left.kind() == right.kind()) {
    return common_interval(left, right);
  }
  if (left.is_nested()) {
    return common_nested(left, right, rules);
  }
  return left.kind() == right.kind() ? std::optional(left) : std::nullopt;
}

std::optional<DataType> common_of(const DataType& left, const DataType& right, Rules rules) {
  auto common = common_kind(left, right, rules);
  if (common) {
    common = common->as_nullable(left.is_nullable() || right.is_nullable());
    if (left.time_attribute() != right.time_attribute()) {
      common = common->with_time_attribute(TimeAttribute::kNone);
    }
  }
  return common;
}

std::optional<DataType> common_of_all(std::span<const DataType> types, Rules rules) {
  if (types.empty()) {
    return std::nullopt;
  }
  std::optional<DataType> common = types[0];
  for (const DataType& type : types.subspan(1)) {
    common = common_of(*common, type, rules);
    if (!common) {
      return std::nullopt;
    }
  }
  return common;
}

}  // namespace

std::optional<DataType> least_common_type(const DataType& left, const DataType& right) {
  return common_of(left, right, Rules::kOperands);
}

std::optional<DataType> least_common_type(std::span<const DataType> types) {
  return common_of_all(types, Rules::kOperands);
}

std::optional<DataType> common_argument_type(std::span<const DataType> types) {
  return common_of_all(types, Rules::kArguments);
}

DataType as_decimal(const DataType& type) {
  switch (type.kind()) {
    case TypeKind::kTinyInt:
      return DataType::decimal(3, 0);
    case TypeKind::kSmallInt:
      return DataType::decimal(5, 0);
    case TypeKind::kInt:
      return DataType::decimal(10, 0);
    case TypeKind::kBigInt:
      return DataType::decimal(19, 0);
    default:
      return type;
  }
}

DataType decimal_sum_type(const DataType& left, const DataType& right) {
  const int32_t scale = std::max(left.scale(), right.scale());
  const int32_t whole =
      std::max(left.precision() - left.scale(), right.precision() - right.scale());
  return limited_decimal(whole + scale + 1, scale);
}

DataType decimal_product_type(const DataType& left, const DataType& right) {
  return limited_decimal(left.precision() + right.precision() + 1, left.scale() + right.scale());
}

DataType decimal_quotient_type(const DataType& left, const DataType& right) {
  const int32_t scale = std::max(kLeastScale, left.scale() + right.precision() + 1);
  return limited_decimal(left.precision() - left.scale() + right.scale() + scale, scale);
}

DataType decimal_modulo_type(const DataType& left, const DataType& right) {
  const int32_t scale = std::max(left.scale(), right.scale());
  const int32_t whole =
      std::min(left.precision() - left.scale(), right.precision() - right.scale());
  return limited_decimal(whole + scale, scale);
}

DataType decimal_round_type(const DataType& type, int32_t digits) {
  const int32_t whole = type.precision() - type.scale();
  if (digits >= type.scale()) {
    return DataType::decimal(type.precision(), type.scale());
  }
  if (digits < 0) {
    return DataType::decimal(std::min(kMaxPrecision, 1 + whole), 0);
  }
  return DataType::decimal(std::min(kMaxPrecision, 1 + whole + digits), digits);
}

DataType resolved_type(const DataType& type) {
  const auto as_type = [&type](const DataType& resolved) {
    return resolved.as_nullable(type.is_nullable());
  };
  switch (type.kind()) {
    case TypeKind::kIntervalDayTime:
      return as_type(DataType::interval_day_time("SECOND", "SECOND", 3));
    case TypeKind::kIntervalYearMonth:
      return as_type(DataType::interval_year_month("MONTH", "MONTH"));
    case TypeKind::kArray:
      return as_type(DataType::array(resolved_type(type.child(0))));
    case TypeKind::kMultiset:
      return as_type(DataType::multiset(resolved_type(type.child(0))));
    case TypeKind::kMap:
      return as_type(DataType::map(resolved_type(type.child(0)), resolved_type(type.child(1))));
    case TypeKind::kRow: {
      std::vector<Field> fields = type.fields();
      for (Field& field : fields) {
        field.type = resolved_type(field.type);
      }
      return as_type(type.is_structured()
                         ? DataType::structured(type.class_name(), std::move(fields))
                         : DataType::row(std::move(fields)));
    }
    default:
      return type;
  }
}

std::string sql_type_name(const DataType& type) {
  if (type.kind() == TypeKind::kInt) {
    return "INTEGER";
  }
  if (type.is_interval()) {
    const std::string& leading = type.interval_leading();
    const std::string& trailing = type.interval_trailing();
    return "INTERVAL " + leading + (leading == trailing ? "" : " TO " + trailing);
  }
  return type.as_nullable().to_serializable_string();
}

}  // namespace thalweg::expression
