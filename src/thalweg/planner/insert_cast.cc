#include "thalweg/planner/insert_cast.h"

namespace thalweg::planner {

namespace {

using expression::ExpressionPtr;

bool implicit_number(const DataType& source, TypeKind target) {
  const TypeKind kind = source.kind();
  switch (target) {
    case TypeKind::kDecimal:
    case TypeKind::kDouble:
      return source.is_numeric();
    case TypeKind::kFloat:
      return source.is_integer() || kind == TypeKind::kFloat || kind == TypeKind::kDecimal;
    default:
      return source.is_integer() && kind <= target;
  }
}

bool implicit_datetime(TypeKind source, TypeKind target) {
  const bool timestamp = source == TypeKind::kTimestamp || source == TypeKind::kTimestampLtz;
  switch (target) {
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return timestamp;
    case TypeKind::kDate:
    case TypeKind::kTime:
      return source == target || source == TypeKind::kTimestamp;
    default:
      return source == target;
  }
}

template <typename Supports>
bool nested_cast(const DataType& source, const DataType& target, Supports supports) {
  if (source.kind() != target.kind() || source.child_count() != target.child_count()) {
    return false;
  }
  for (size_t i = 0; i < source.child_count(); ++i) {
    if (!supports(source.child(i), target.child(i))) {
      return false;
    }
  }
  return true;
}

bool is_datetime(const DataType& type) {
  return type.is_timestamp() || type.kind() == TypeKind::kDate || type.kind() == TypeKind::kTime;
}

}  // namespace

bool supports_implicit_cast(const DataType& source, const DataType& target) {
  if (source.kind() == TypeKind::kNull || source.equals_ignoring_nullability(target)) {
    return true;
  }
  if (target.is_numeric()) {
    return implicit_number(source, target.kind());
  }
  if (target.is_character()) {
    return source.is_character() &&
           (target.kind() == TypeKind::kVarChar || source.kind() == TypeKind::kChar);
  }
  if (target.is_binary()) {
    return source.is_binary() &&
           (target.kind() == TypeKind::kVarBinary || source.kind() == TypeKind::kBinary);
  }
  if (is_datetime(target)) {
    return implicit_datetime(source.kind(), target.kind());
  }
  if (target.is_nested()) {
    return nested_cast(source, target, supports_implicit_cast);
  }
  return source.kind() == target.kind();
}

bool avoids_cast(const DataType& source, const DataType& target) {
  if (source.equals_ignoring_nullability(target)) {
    return true;
  }
  if (target.kind() == TypeKind::kVarChar || target.kind() == TypeKind::kVarBinary) {
    return source.is_character() == target.is_character() &&
           source.is_binary() == target.is_binary() && source.length() <= target.length();
  }
  if (target.is_timestamp()) {
    return source.kind() == target.kind() && source.precision() <= target.precision();
  }
  return target.is_nested() && nested_cast(source, target, avoids_cast);
}

ExpressionPtr coerce(ExpressionPtr operand, const DataType& target) {
  if (operand->type.equals_ignoring_nullability(target)) {
    return operand;
  }
  const DataType type = target.as_nullable(target.is_nullable() || operand->type.is_nullable());
  expression::Expression cast;
  cast.kind = expression::ExpressionKind::kCast;
  cast.type = type;
  cast.position = operand->position;
  cast.is_implicit = true;
  cast.operands.push_back(std::move(operand));
  return std::make_shared<const expression::Expression>(std::move(cast));
}

}  // namespace thalweg::planner
