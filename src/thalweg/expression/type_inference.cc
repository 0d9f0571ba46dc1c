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

DataType common_numeric(const DataType& left, const DataType& right) {
  if (left.is_approximate() || right.is_approximate()) {
    const bool has_decimal =
        left.kind() == TypeKind::kDecimal || right.kind() == TypeKind::kDecimal;
    const bool has_double = left.kind() == TypeKind::kDouble || right.kind() == TypeKind::kDouble;
    return has_decimal || has_double ? DataType::float64() : DataType::float32();
  }
  if (left.kind() == TypeKind::kDecimal || right.kind() == TypeKind::kDecimal) {
    const DataType one = as_decimal(left);
    const DataType other = as_decimal(right);
    const int32_t scale = std::max(one.scale(), other.scale());
    const int32_t whole =
        std::max(one.precision() - one.scale(), other.precision() - other.scale());
    return DataType::decimal(std::min(kMaxPrecision, whole + scale),
                             std::min(scale, kMaxPrecision));
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

std::optional<DataType> common_temporal(const DataType& left, const DataType& right) {
  const auto has = [&](TypeKind kind) { return left.kind() == kind || right.kind() == kind; };
  const int32_t precision = std::max(left.kind() == TypeKind::kDate ? 0 : left.precision(),
                                     right.kind() == TypeKind::kDate ? 0 : right.precision());
  if (has(TypeKind::kTime)) {
    return left.kind() == right.kind() ? std::optional(DataType::time(precision)) : std::nullopt;
  }
  if (has(TypeKind::kTimestampLtz)) {
    return DataType::timestamp_ltz(precision);
  }
  if (has(TypeKind::kTimestamp)) {
    return DataType::timestamp(precision);
  }
  return DataType::date();
}

bool is_temporal(const DataType& type) {
  return type.kind() == TypeKind::kDate || type.kind() == TypeKind::kTime || type.is_timestamp();
}

std::optional<DataType> common_nested(const DataType& left, const DataType& right) {
  if (left.kind() != right.kind() || left.child_count() != right.child_count() ||
      left.class_name() != right.class_name()) {
    return std::nullopt;
  }
  std::vector<Field> fields;
  for (size_t i = 0; i < left.child_count(); ++i) {
    auto child = least_common_type(left.child(i), right.child(i));
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

std::optional<DataType> common_type(const DataType& left, const DataType& right) {
  if (left.kind() == TypeKind::kNull) {
    return right;
  }
  if (right.kind() == TypeKind::kNull) {
    return left;
  }
  if (left.is_numeric() && right.is_numeric()) {
    return common_numeric(left, right);
  }
  if (left.is_character() && right.is_character()) {
    return common_text(left, right, false);
  }
  if (left.is_binary() && right.is_binary()) {
    return common_text(left, right, true);
  }
  if (is_temporal(left) && is_temporal(right)) {
    return common_temporal(left, right);
  }
  if (left.is_interval() && left.kind() == right.kind()) {
    return common_interval(left, right);
  }
  if (left.is_nested()) {
    return common_nested(left, right);
  }
  return left.kind() == right.kind() ? std::optional(left) : std::nullopt;
}

}  // namespace

std::optional<DataType> least_common_type(const DataType& left, const DataType& right) {
  auto common = common_type(left, right);
  if (common) {
    common = common->as_nullable(left.is_nullable() || right.is_nullable());
    if (left.time_attribute() != right.time_attribute()) {
      common = common->with_time_attribute(TimeAttribute::kNone);
    }
  }
  return common;
}

std::optional<DataType> least_common_type(std::span<const DataType> types) {
  if (types.empty()) {
    return std::nullopt;
  }
  std::optional<DataType> common = types[0];
  for (const DataType& type : types.subspan(1)) {
    common = least_common_type(*common, type);
    if (!common) {
      return std::nullopt;
    }
  }
  return common;
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
