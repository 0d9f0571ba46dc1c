#include "thalweg/planner/injective_cast.h"

namespace thalweg::planner {

namespace {

bool is_text(TypeKind kind) {
  return kind == TypeKind::kChar || kind == TypeKind::kVarChar;
}

bool is_integer(TypeKind kind) {
  return kind >= TypeKind::kTinyInt && kind <= TypeKind::kBigInt;
}

/// A point in time, where its digits are all there are.
bool is_timestamp(TypeKind kind) {
  return kind == TypeKind::kTimestamp || kind == TypeKind::kTimestampLtz;
}

/// The most characters that a value has as text; -1 where different values may have the same.
int32_t text_length(const DataType& type) {
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return 5;
    case TypeKind::kTinyInt:
      return 4;
    case TypeKind::kSmallInt:
      return 6;
    case TypeKind::kInt:
      return 11;
    case TypeKind::kBigInt:
      return 20;
    case TypeKind::kFloat:
      return 15;
    case TypeKind::kDouble:
      return 24;
    case TypeKind::kDate:
      return 10;
    case TypeKind::kTime:
      return type.precision() > 0 ? 9 + type.precision() : 8;
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return type.precision() > 0 ? 20 + type.precision() : 19;
    default:
      return -1;
  }
}

bool becomes_text(const DataType& from, const DataType& to) {
  if (from.kind() == TypeKind::kChar || from.kind() == to.kind()) {
    return from.length() <= to.length();
  }
  const int32_t length = text_length(from);
  return length >= 0 && length <= to.length();
}

bool becomes_bytes(const DataType& from, const DataType& to) {
  if (is_text(from.kind())) {
    return from.length() <= to.length() / 4;  // bytes of a character in UTF-8
  }
  const bool is_bytes = from.kind() == TypeKind::kBinary || from.kind() == to.kind();
  return is_bytes && from.length() <= to.length();
}

}  // namespace

bool is_injective_cast(const DataType& from, const DataType& to) {
  const TypeKind kind = to.kind();
  if (is_text(kind)) {
    return becomes_text(from, to);
  }
  if (kind == TypeKind::kBinary || kind == TypeKind::kVarBinary) {
    return becomes_bytes(from, to);
  }
  if (is_integer(kind)) {
    return is_integer(from.kind()) && from.kind() <= kind;
  }
  if (is_timestamp(kind)) {
    return is_timestamp(from.kind()) && from.precision() == to.precision();
  }
  const bool has_digits = kind == TypeKind::kTime || kind == TypeKind::kDecimal;
  const bool is_same = from.kind() == kind && kind < TypeKind::kIntervalYearMonth;
  return is_same &&
         (!has_digits || (from.precision() == to.precision() && from.scale() == to.scale()));
}

}  // namespace thalweg::planner
