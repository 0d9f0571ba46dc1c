#pragma once

#include <utility>

#include "thalweg/common/check.h"
#include "thalweg/types/data_type.h"

namespace thalweg::expression {

template <typename T>
struct TypeTag {
  using Type = T;
};

/// Calls `f(TypeTag<T>{})` with the C++ type of a TINYINT .. DOUBLE.
template <typename F>
decltype(auto) with_number(TypeKind kind, F&& f) {
  switch (kind) {
    case TypeKind::kTinyInt:
      return f(TypeTag<int8_t>{});
    case TypeKind::kSmallInt:
      return f(TypeTag<int16_t>{});
    case TypeKind::kInt:
      return f(TypeTag<int32_t>{});
    case TypeKind::kBigInt:
      return f(TypeTag<int64_t>{});
    case TypeKind::kFloat:
      return f(TypeTag<float>{});
    case TypeKind::kDouble:
      return f(TypeTag<double>{});
    default:
      unreachable("a numeric type was expected");
  }
}

/// Calls `f(TypeTag<T>{})` with the C++ type of TINYINT .. BIGINT.
template <typename F>
decltype(auto) with_integer(TypeKind kind, F&& f) {
  switch (kind) {
    case TypeKind::kTinyInt:
      return f(TypeTag<int8_t>{});
    case TypeKind::kSmallInt:
      return f(TypeTag<int16_t>{});
    case TypeKind::kInt:
      return f(TypeTag<int32_t>{});
    case TypeKind::kBigInt:
      return f(TypeTag<int64_t>{});
    default:
      unreachable("an integer type was expected");
  }
}

}  // namespace thalweg::expression
