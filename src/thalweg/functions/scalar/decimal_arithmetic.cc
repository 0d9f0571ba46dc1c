#include "thalweg/functions/scalar/decimal_arithmetic.h"

#include <boost/multiprecision/cpp_int.hpp>

#include "thalweg/types/decimal.h"

namespace thalweg::functions {

namespace {

/// Holds a dividend of 38 digits with 76 zeros behind it.
using Wide = boost::multiprecision::int512_t;
using std::max;

Wide wide_power(int32_t exponent) {
  Wide power = 1;
  for (int32_t i = 0; i < exponent; ++i) {
    power *= 10;
  }
  return power;
}

Wide divide_half_up_wide(const Wide& value, const Wide& divisor) {
  Wide quotient = value / divisor;
  const Wide rest = abs(Wide(value % divisor));
  if (rest * 2 >= abs(divisor)) {
    quotient += (value < 0) != (divisor < 0) ? -1 : 1;
  }
  return quotient;
}

std::optional<Int128> narrow(Wide value, int32_t scale, const DecimalShape& result) {
  if (scale > result.scale) {
    value = divide_half_up_wide(value, wide_power(scale - result.scale));
  } else if (scale < result.scale) {
    value *= wide_power(result.scale - scale);
  }
  if (abs(value) >= wide_power(result.precision)) {
    return std::nullopt;
  }
  return static_cast<Int128>(value);
}

/// value * 10^exponent; nullopt when that leaves 128 bits.
std::optional<Int128> scaled_up(Int128 value, int32_t exponent) {
  Int128 result = 0;
  if (exponent > 38 || __builtin_mul_overflow(value, power_of_ten(exponent), &result)) {
    return std::nullopt;
  }
  return result;
}

}  // namespace

std::optional<Int128> decimal_add(Int128 left, Int128 right, const DecimalOperation& operation) {
  const int32_t scale = max(operation.left_scale, operation.right_scale);
  const auto one = scaled_up(left, scale - operation.left_scale);
  const auto other = scaled_up(right, scale - operation.right_scale);
  Int128 sum = 0;
  if (one && other && !__builtin_add_overflow(*one, *other, &sum)) {
    return rescale_decimal(sum, scale, operation.result.scale, operation.result.precision);
  }
  return narrow(Wide(left) * wide_power(scale - operation.left_scale) +
                    Wide(right) * wide_power(scale - operation.right_scale),
                scale,
                operation.result);
}

std::optional<Int128> decimal_multiply(Int128 left,
                                       Int128 right,
                                       const DecimalOperation& operation) {
  const int32_t scale = operation.left_scale + operation.right_scale;
  Int128 product = 0;
  if (scale - operation.result.scale <= 38 && !__builtin_mul_overflow(left, right, &product)) {
    return rescale_decimal(product, scale, operation.result.scale, operation.result.precision);
  }
  return narrow(Wide(left) * Wide(right), scale, operation.result);
}

std::optional<Int128> decimal_divide(Int128 left, Int128 right, const DecimalOperation& operation) {
  const int32_t shift = operation.result.scale - operation.left_scale + operation.right_scale;
  if (shift >= 0) {
    const auto numerator = scaled_up(left, shift);
    if (numerator) {
      const bool negative = right < 0;
      const Int128 quotient =
          divide_half_up(negative ? -*numerator : *numerator, negative ? -right : right);
      return fits_precision(quotient, operation.result.precision) ? std::optional(quotient)
                                                                  : std::nullopt;
    }
  }
  const Wide numerator = shift >= 0 ? Wide(Wide(left) * wide_power(shift)) : Wide(left);
  const Wide divisor = shift >= 0 ? Wide(right) : Wide(Wide(right) * wide_power(-shift));
  return narrow(divide_half_up_wide(numerator, divisor), operation.result.scale, operation.result);
}

std::optional<Int128> decimal_modulo(Int128 left, Int128 right, const DecimalOperation& operation) {
  const int32_t scale = max(operation.left_scale, operation.right_scale);
  const auto one = scaled_up(left, scale - operation.left_scale);
  const auto other = scaled_up(right, scale - operation.right_scale);
  if (one && other) {
    return rescale_decimal(
        *one % *other, scale, operation.result.scale, operation.result.precision);
  }
  return narrow((Wide(left) * wide_power(scale - operation.left_scale)) %
                    (Wide(right) * wide_power(scale - operation.right_scale)),
                scale,
                operation.result);
}

}  // namespace thalweg::functions
