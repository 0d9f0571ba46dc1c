#pragma once

#include <cstdint>
#include <optional>

#include "thalweg/types/data_type.h"

namespace thalweg {

/// 10^exponent for 0..38.
Int128 power_of_ten(int32_t exponent);

/// True when |unscaled| has at most `precision` digits.
inline bool fits_precision(Int128 unscaled, int32_t precision) {
  const Int128 limit = power_of_ten(precision);
  return unscaled < limit && unscaled > -limit;
}

/// value / divisor rounded half away from zero; divisor > 0.
inline Int128 divide_half_up(Int128 value, Int128 divisor) {
  const Int128 quotient = value / divisor;
  const Int128 rest = value % divisor;
  const Int128 magnitude = rest < 0 ? -rest : rest;
  if (magnitude >= divisor - magnitude) {
    return value < 0 ? quotient - 1 : quotient + 1;
  }
  return quotient;
}

/// The same number at another scale, rounded half up; nullopt when it needs more than `precision`
/// digits.
std::optional<Int128> rescale_decimal(Int128 unscaled,
                                      int32_t from_scale,
                                      int32_t to_scale,
                                      int32_t to_precision);

double decimal_to_double(Int128 unscaled, int32_t scale);

/// From the shortest text of `value`, as Java's BigDecimal.valueOf.
std::optional<Int128> decimal_from_double(double value, int32_t precision, int32_t scale);

}  // namespace thalweg
