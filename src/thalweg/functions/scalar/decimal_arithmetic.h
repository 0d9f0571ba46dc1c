#pragma once

#include <optional>

#include "thalweg/types/data_type.h"

/// Arithmetic on decimals with the result rounded half up to a given scale; nullopt when it needs
/// more digits than the result's precision.
namespace thalweg::functions {

struct DecimalShape {
  int32_t precision = 0;
  int32_t scale = 0;
};

/// Both operands' scales and the shape of the result.
struct DecimalOperation {
  int32_t left_scale = 0;
  int32_t right_scale = 0;
  DecimalShape result;
};

std::optional<Int128> decimal_add(Int128 left, Int128 right, const DecimalOperation& operation);
std::optional<Int128> decimal_multiply(Int128 left,
                                       Int128 right,
                                       const DecimalOperation& operation);
/// `right` is not zero.
std::optional<Int128> decimal_divide(Int128 left, Int128 right, const DecimalOperation& operation);
/// With the sign of `left`; `right` is not zero.
std::optional<Int128> decimal_modulo(Int128 left, Int128 right, const DecimalOperation& operation);

}  // namespace thalweg::functions
