#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "thalweg/types/decimal.h"
#include "thalweg/types/text.h"

namespace thalweg::text {

namespace {

bool is_space(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

/// Significant digits and the decimal exponent of the first one.
struct Digits {
  std::array<char, 24> text;
  size_t count = 0;
  int exponent = 0;
};

template <typename T>
Digits shortest_digits(T magnitude) {
  std::array<char, 40> buffer;
  const auto end = std::to_chars(
      buffer.data(), buffer.data() + buffer.size(), magnitude, std::chars_format::scientific);
  Digits digits;
  const char* c = buffer.data();
  for (; c != end.ptr && *c != 'e'; ++c) {
    if (*c != '.') {
      digits.text[digits.count++] = *c;
    }
  }
  const char* exponent = c + 1;
  if (*exponent == '+') {
    ++exponent;
  }
  std::from_chars(exponent, end.ptr, digits.exponent);
  return digits;
}

void append_plain(std::string& out, const Digits& digits) {
  if (digits.exponent < 0) {
    out += "0.";
    out.append(static_cast<size_t>(-digits.exponent - 1), '0');
    out.append(digits.text.data(), digits.count);
    return;
  }
  const auto whole = static_cast<size_t>(digits.exponent) + 1;
  for (size_t i = 0; i < whole; ++i) {
    out += i < digits.count ? digits.text[i] : '0';
  }
  out += '.';
  if (whole < digits.count) {
    out.append(digits.text.data() + whole, digits.count - whole);
  } else {
    out += '0';
  }
}

template <typename T>
void append_floating(std::string& out, T value) {
  if (std::isnan(value)) {
    out += "NaN";
    return;
  }
  if (std::signbit(value)) {
    out += '-';
  }
  const T magnitude = std::abs(value);
  if (std::isinf(magnitude)) {
    out += "Infinity";
    return;
  }
  if (magnitude == 0) {
    out += "0.0";
    return;
  }
  const Digits digits = shortest_digits(magnitude);
  if (digits.exponent >= -3 && digits.exponent < 7) {
    append_plain(out, digits);
    return;
  }
  out += digits.text[0];
  out += '.';
  if (digits.count > 1) {
    out.append(digits.text.data() + 1, digits.count - 1);
  } else {
    out += '0';
  }
  out += 'E';
  out += std::to_string(digits.exponent);
}

/// True for what Java's Double.parseDouble takes, apart from hexadecimal.
bool is_floating_text(std::string_view text) {
  size_t at = 0;
  size_t digits = 0;
  const auto skip_digits = [&] {
    const size_t begin = at;
    while (at < text.size() && is_digit(text[at])) {
      ++at;
    }
    return at - begin;
  };
  digits += skip_digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    digits += skip_digits();
  }
  if (digits == 0) {
    return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
      ++at;
    }
    if (skip_digits() == 0) {
      return false;
    }
  }
  return at == text.size();
}

/// A number as digits d1 d2 ... and a power of ten that the last digit stands for.
struct ParsedDecimal {
  bool negative = false;
  Int128 digits = 0;
  int32_t digit_count = 0;
  int64_t exponent = 0;
  /// The first digit that did not fit, for rounding.
  bool dropped_half = false;
};

bool parse_exponent(std::string_view text, int64_t& exponent) {
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
  }
  int32_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end.ec != std::errc{} || end.ptr != text.data() + text.size()) {
    return false;
  }
  exponent += value;
  return true;
}

/// Keeps up to 38 digits; further ones only move the exponent, and the first of them rounds.
std::optional<ParsedDecimal> parse_digits(std::string_view text) {
  ParsedDecimal result;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    result.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  bool seen_digit = false;
  bool seen_point = false;
  bool full = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.' && !seen_point) {
      seen_point = true;
    } else if (is_digit(c)) {
      seen_digit = true;
      if (result.digit_count < 38) {
        result.digits = result.digits * 10 + (c - '0');
        result.digit_count += result.digits != 0 ? 1 : 0;
        result.exponent -= seen_point ? 1 : 0;
      } else {
        if (!full) {
          full = true;
          result.dropped_half = c >= '5';
        }
        result.exponent += seen_point ? 0 : 1;
      }
    } else if ((c == 'e' || c == 'E') && seen_digit) {
      if (!parse_exponent(text.substr(i + 1), result.exponent)) {
        return std::nullopt;
      }
      return result;
    } else {
      return std::nullopt;
    }
  }
  return seen_digit ? std::optional<ParsedDecimal>(result) : std::nullopt;
}

}  // namespace

void append_double(std::string& out, double value) {
  append_floating(out, value);
}

void append_float(std::string& out, float value) {
  append_floating(out, value);
}

void append_decimal(std::string& out, Int128 unscaled, int32_t scale) {
  std::array<char, 48> buffer;
  size_t at = buffer.size();
  auto rest = static_cast<unsigned __int128>(unscaled);
  if (unscaled < 0) {
    rest = ~rest + 1;
  }
  int32_t written = 0;
  while (rest != 0 || written <= scale) {
    if (written == scale && scale > 0) {
      buffer[--at] = '.';
    }
    // 64-bit steps are several times faster than dividing 128 bits.
    if (rest <= std::numeric_limits<uint64_t>::max()) {
      const auto small = static_cast<uint64_t>(rest);
      buffer[--at] = static_cast<char>('0' + small % 10);
      rest = small / 10;
    } else {
      buffer[--at] = static_cast<char>('0' + static_cast<int>(rest % 10));
      rest /= 10;
    }
    ++written;
  }
  if (unscaled < 0) {
    buffer[--at] = '-';
  }
  out.append(buffer.data() + at, buffer.size() - at);
}

std::optional<int64_t> parse_int64(std::string_view text) {
  text = trim(text);
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    text.remove_prefix(1);
  }
  if (text.empty()) {
    return std::nullopt;
  }
  size_t at = 0;
  // Counts down: the lowest value has no positive twin.
  int64_t value = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    if (__builtin_mul_overflow(value, int64_t{10}, &value) ||
        __builtin_sub_overflow(value, int64_t{text[at] - '0'}, &value)) {
      return std::nullopt;
    }
  }
  if (at < text.size() && text[at] == '.') {
    // A fraction is cut off, but must be one.
    ++at;
    while (at < text.size() && is_digit(text[at])) {
      ++at;
    }
  }
  if (at != text.size()) {
    return std::nullopt;
  }
  if (negative) {
    return value;
  }
  return value == std::numeric_limits<int64_t>::min() ? std::nullopt
                                                      : std::optional<int64_t>(-value);
}

std::optional<double> parse_double(std::string_view text) {
  text = trim(text);
  double sign = 1;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    sign = text[0] == '-' ? -1 : 1;
    text.remove_prefix(1);
  }
  if (text == "NaN") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (text == "Infinity") {
    return sign * std::numeric_limits<double>::infinity();
  }
  if (!text.empty() &&
      (text.back() == 'd' || text.back() == 'D' || text.back() == 'f' || text.back() == 'F')) {
    text.remove_suffix(1);
  }
  if (!is_floating_text(text)) {
    return std::nullopt;
  }
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec == std::errc::result_out_of_range) {
    value = std::strtod(std::string(text).c_str(), nullptr);
  }
  return sign * value;
}

std::optional<Int128> parse_decimal(std::string_view text, int32_t precision, int32_t scale) {
  const auto parsed = parse_digits(trim(text));
  if (!parsed) {
    return std::nullopt;
  }
  const int64_t shift = parsed->exponent + scale;
  Int128 value = parsed->digits;
  if (value == 0 || shift < -38) {
    return Int128{0};
  }
  if (shift > 38 || (shift > 0 && parsed->digit_count + shift > 38)) {
    return std::nullopt;
  }
  if (shift >= 0) {
    value *= power_of_ten(static_cast<int32_t>(shift));
    value += shift == 0 && parsed->dropped_half ? 1 : 0;
  } else {
    value = divide_half_up(value, power_of_ten(static_cast<int32_t>(-shift)));
  }
  if (!fits_precision(value, precision)) {
    return std::nullopt;
  }
  return parsed->negative ? -value : value;
}

/// The only one that does not pass over spaces, as in Flink.
std::optional<bool> parse_boolean(std::string_view text) {
  if (text.empty() || text.size() > 5) {
    return std::nullopt;
  }
  std::array<char, 5> buffer;
  std::transform(text.begin(), text.end(), buffer.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const std::string_view lower(buffer.data(), text.size());
  if (lower == "true" || lower == "t" || lower == "yes" || lower == "y" || lower == "1") {
    return true;
  }
  if (lower == "false" || lower == "f" || lower == "no" || lower == "n" || lower == "0") {
    return false;
  }
  return std::nullopt;
}

}  // namespace thalweg::text
