#include "thalweg/functions/scalar/java_digits.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace thalweg::functions {

namespace {

/// 0.digits * 10^exponent.
struct ShortestDigits {
  std::string digits;
  int32_t exponent = 0;

  explicit ShortestDigits(double magnitude) {
    char buffer[32];
    const auto end =
        std::to_chars(buffer, buffer + sizeof(buffer), magnitude, std::chars_format::scientific);
    const std::string_view text(buffer, static_cast<size_t>(end.ptr - buffer));
    const size_t mark = text.find('e');
    for (const char c : text.substr(0, mark)) {
      if (c != '.') {
        digits += c;
      }
    }
    std::string_view power = text.substr(mark + 1);
    power.remove_prefix(power[0] == '+' ? 1 : 0);
    std::from_chars(power.data(), power.data() + power.size(), exponent);
    ++exponent;
    if (digits.find_first_not_of('0') == std::string::npos) {
      exponent = 1;
    }
  }

  /// Keeps `count` digits, filled up with zeros.
  void round(int32_t count) {
    if (count < 0) {
      digits.clear();
      exponent -= count;
      return;
    }
    const auto kept = static_cast<size_t>(count);
    const bool rounds_up = kept < digits.size() && digits[kept] >= '5';
    digits.resize(kept, '0');
    if (!rounds_up) {
      return;
    }
    size_t place = kept;
    while (place > 0 && digits[place - 1] == '9') {
      digits[--place] = '0';
    }
    if (place > 0) {
      ++digits[place - 1];
    } else {
      digits.insert(0, "1");
      ++exponent;
    }
  }
};

}  // namespace

std::string fixed_text(double magnitude, int32_t precision) {
  ShortestDigits number(magnitude);
  number.round(number.exponent + precision);
  std::string digits = number.digits;
  const auto behind = static_cast<size_t>(precision);
  if (digits.size() < behind + 1) {
    digits.insert(0, behind + 1 - digits.size(), '0');
  }
  // A carry may have made one digit more than was asked for.
  if (precision > 0) {
    digits.insert(digits.size() - behind, ".");
  }
  return digits;
}

std::string scientific_text(double magnitude, int32_t precision) {
  ShortestDigits number(magnitude);
  number.round(precision + 1);
  number.digits.resize(static_cast<size_t>(precision) + 1);
  const int32_t exponent = number.exponent - 1;
  std::string text = number.digits.substr(0, 1);
  if (precision > 0) {
    text += "." + number.digits.substr(1);
  }
  return text + fmt::format("e{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
}

std::string general_text(double magnitude, int32_t precision) {
  precision = std::max(1, precision);
  ShortestDigits number(magnitude);
  number.round(precision);
  const bool is_zero = magnitude == 0;
  if (!is_zero && (number.exponent < -3 || number.exponent > precision)) {
    return scientific_text(magnitude, precision - 1);
  }
  return fixed_text(magnitude, precision - number.exponent);
}

}  // namespace thalweg::functions
