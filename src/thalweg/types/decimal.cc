#include "thalweg/types/decimal.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "thalweg/types/text.h"

namespace thalweg {

namespace {

constexpr std::array<Int128, 39> make_powers() {
  std::array<Int128, 39> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i) {
    powers[i] = powers[i - 1] * 10;
  }
  return powers;
}

constexpr std::array<Int128, 39> kPowers = make_powers();

}  // namespace

Int128 power_of_ten(int32_t exponent) {
  return kPowers[static_cast<size_t>(exponent)];
}

std::optional<Int128> rescale_decimal(Int128 unscaled,
                                      int32_t from_scale,
                                      int32_t to_scale,
                                      int32_t to_precision) {
  Int128 result = unscaled;
  if (to_scale > from_scale) {
    if (__builtin_mul_overflow(unscaled, power_of_ten(to_scale - from_scale), &result)) {
      return std::nullopt;
    }
  } else if (to_scale < from_scale) {
    result = divide_half_up(unscaled, power_of_ten(from_scale - to_scale));
  }
  return fits_precision(result, to_precision) ? std::optional<Int128>(result) : std::nullopt;
}

double decimal_to_double(Int128 unscaled, int32_t scale) {
  constexpr Int128 kExact = Int128{1} << 53U;
  if (unscaled < kExact && unscaled > -kExact && scale <= 22) {
    // Both are exact doubles, so the quotient is correctly rounded.
    return static_cast<double>(unscaled) / static_cast<double>(power_of_ten(scale));
  }
  std::string text;
  text::append_decimal(text, unscaled, scale);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::optional<Int128> decimal_from_double(double value, int32_t precision, int32_t scale) {
  if (!std::isfinite(value)) {
    return std::nullopt;
  }
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return text::parse_decimal(
      std::string_view(buffer.data(), static_cast<size_t>(end.ptr - buffer.data())),
      precision,
      scale);
}

}  // namespace thalweg
