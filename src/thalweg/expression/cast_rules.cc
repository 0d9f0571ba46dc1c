// Which casts exist: Flink's LogicalTypeCasts.
#include <algorithm>

#include "thalweg/expression/type_inference.h"

namespace thalweg::expression {

namespace {

bool is_fixed_or_varying_text(TypeKind kind) {
  return kind == TypeKind::kChar || kind == TypeKind::kVarChar;
}

template <typename Rule>
bool all_children(const DataType& source, const DataType& target, Rule rule) {
  if (source.child_count() != target.child_count()) {
    return false;
  }
  for (size_t i = 0; i < source.child_count(); ++i) {
    if (!rule(source.child(i), target.child(i))) {
      return false;
    }
  }
  return true;
}

bool widens_numeric(TypeKind source, TypeKind target) {
  if (source == TypeKind::kDecimal) {
    return target == TypeKind::kFloat || target == TypeKind::kDouble ||
           target == TypeKind::kDecimal;
  }
  if (target == TypeKind::kDecimal) {
    return source <= TypeKind::kBigInt;
  }
  return source <= target;
}

bool is_point_in_time(TypeKind kind) {
  return kind == TypeKind::kTimestamp || kind == TypeKind::kTimestampLtz;
}

bool can_cast_from_text(const DataType& target) {
  switch (target.kind()) {
    case TypeKind::kBoolean:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
      return true;
    default:
      return target.is_numeric();
  }
}

bool can_cast_temporal(const DataType& source, const DataType& target) {
  switch (source.kind()) {
    case TypeKind::kDate:
      return is_point_in_time(target.kind()) || target.kind() == TypeKind::kDate;
    case TypeKind::kTime:
      return is_point_in_time(target.kind()) || target.kind() == TypeKind::kTime;
    default:
      return is_point_in_time(target.kind()) || target.kind() == TypeKind::kDate ||
             target.kind() == TypeKind::kTime;
  }
}

/// Numbers become intervals of one unit; intervals become no numbers.
bool is_one_unit(const DataType& type) {
  return type.is_interval() && type.interval_leading() == type.interval_trailing();
}

bool is_temporal(TypeKind kind) {
  return kind == TypeKind::kDate || kind == TypeKind::kTime || is_point_in_time(kind);
}

}  // namespace

bool can_implicitly_cast(const DataType& source, const DataType& target) {
  if (source.kind() == TypeKind::kNull) {
    return true;
  }
  if (source.is_numeric() && target.is_numeric()) {
    return widens_numeric(source.kind(), target.kind());
  }
  if (source.is_character() && target.is_character()) {
    return true;
  }
  if (source.is_binary() && target.is_binary()) {
    return true;
  }
  if (source.kind() == TypeKind::kDate && is_point_in_time(target.kind())) {
    return true;
  }
  if (is_point_in_time(source.kind()) && is_point_in_time(target.kind())) {
    return true;
  }
  if (source.kind() != target.kind()) {
    return false;
  }
  return !source.is_nested() || all_children(source, target, can_implicitly_cast);
}

bool can_cast(const DataType& source, const DataType& target) {
  if (source.kind() == TypeKind::kNull) {
    return true;
  }
  for (const TypeKind kind : {TypeKind::kOpaque, TypeKind::kVariant}) {
    if (source.kind() == kind || target.kind() == kind) {
      return source.kind() == target.kind();
    }
  }
  if (is_fixed_or_varying_text(target.kind())) {
    return true;
  }
  if (source.is_character()) {
    return can_cast_from_text(target);
  }
  if (source.is_numeric()) {
    return target.is_numeric() || target.kind() == TypeKind::kBoolean ||
           (!source.is_approximate() && is_one_unit(target));
  }
  if (source.kind() == TypeKind::kBoolean) {
    return target.kind() == TypeKind::kBoolean || target.is_numeric();
  }
  if (is_temporal(source.kind())) {
    return can_cast_temporal(source, target);
  }
  if (source.is_binary()) {
    return target.is_binary();
  }
  if (source.kind() == TypeKind::kBitmap) {
    return target.equals_ignoring_nullability(DataType::bytes()) ||
           target.kind() == TypeKind::kBitmap;
  }
  if (source.is_interval()) {
    return target.kind() == source.kind();
  }
  if (source.kind() == TypeKind::kMultiset && target.kind() == TypeKind::kMultiset) {
    return can_cast(source.child(0), target.child(0));
  }
  return source.kind() == target.kind() && all_children(source, target, can_cast);
}

void require_cast(const DataType& source, const DataType& target, SourcePosition position) {
  if (can_cast(source, target)) {
    return;
  }
  if (source.is_numeric() && is_point_in_time(target.kind())) {
    const bool is_ltz = target.kind() == TypeKind::kTimestampLtz;
    throw Error(
        ErrorCode::kTypeMismatch,
        fmt::format("The cast from NUMERIC type to {} type is not allowed. It's recommended "
                    "to use {}(numeric_col{}) instead.",
                    is_ltz ? "TIMESTAMP_LTZ" : "TIMESTAMP",
                    is_ltz ? "TO_TIMESTAMP_LTZ" : "TO_TIMESTAMP(FROM_UNIXTIME",
                    is_ltz ? ", precision" : ")"))
        .at(position);
  }
  if (is_point_in_time(source.kind()) && target.is_numeric()) {
    throw Error(
        ErrorCode::kTypeMismatch,
        fmt::format("The cast from {} type to NUMERIC type is not allowed. It's recommended "
                    "to use UNIX_TIMESTAMP(CAST(timestamp_col AS STRING)) instead.",
                    source.kind() == TypeKind::kTimestampLtz ? "TIMESTAMP_LTZ" : "TIMESTAMP"))
        .at(position);
  }
  throw Error(ErrorCode::kTypeMismatch,
              fmt::format("Cast function cannot convert value of type {} to type {}",
                          sql_type_name(source),
                          sql_type_name(target)))
      .at(position);
}

bool cast_can_fail(const DataType& source, const DataType& target) {
  if (source.equals_ignoring_nullability(target) || source.kind() == TypeKind::kNull) {
    return false;
  }
  if (source.is_nested() && source.kind() == target.kind()) {
    return !all_children(source, target, [](const DataType& from, const DataType& to) {
      return !cast_can_fail(from, to);
    });
  }
  if (source.is_character()) {
    return !target.is_character() && !target.is_binary();
  }
  return target.kind() == TypeKind::kDecimal && !target.is_nullable();
}

}  // namespace thalweg::expression
