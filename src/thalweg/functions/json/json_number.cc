#include "thalweg/functions/json/json_number.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

namespace thalweg::functions {

namespace {

/// 0.digits * 10^exponent, without zeros at either end of the digits; none of them for zero.
struct Number {
  bool is_negative = false;
  std::string digits;
  int64_t exponent = 0;
};

std::optional<Number> read(std::string_view text) {
  Number number;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    number.is_negative = text[0] == '-';
    text.remove_prefix(1);
  }
  const size_t mark = text.find_first_of("eE");
  if (mark != std::string_view::npos) {
    std::string_view power = text.substr(mark + 1);
    power.remove_prefix(power.starts_with('+') ? 1 : 0);
    int32_t value = 0;
    const auto end = std::from_chars(power.data(), power.data() + power.size(), value);
    if (end.ec != std::errc{} || end.ptr != power.data() + power.size()) {
      return std::nullopt;
    }
    number.exponent = value;
    text = text.substr(0, mark);
  }
  const size_t point = std::min(text.find('.'), text.size());
  number.exponent += static_cast<int64_t>(point);
  number.digits = text.substr(0, point);
  number.digits += text.substr(std::min(point + 1, text.size()));
  const bool has_others = std::any_of(
      number.digits.begin(), number.digits.end(), [](char c) { return c < '0' || c > '9'; });
  if (number.digits.empty() || has_others) {
    return std::nullopt;
  }
  const size_t zeros = std::min(number.digits.find_first_not_of('0'), number.digits.size());
  number.digits.erase(0, zeros);
  number.exponent -= static_cast<int64_t>(zeros);
  number.digits.erase(number.digits.find_last_not_of('0') + 1);
  return number;
}

std::strong_ordering compare_sizes(const Number& left, const Number& right) {
  if (left.digits.empty() || right.digits.empty() || left.exponent == right.exponent) {
    return left.digits <=> right.digits;
  }
  return left.exponent <=> right.exponent;
}

}  // namespace

bool is_number(std::string_view text) {
  return read(text).has_value();
}

std::strong_ordering compare_numbers(std::string_view left, std::string_view right) {
  const Number one = read(left).value_or(Number{});
  const Number other = read(right).value_or(Number{});
  const auto sign = [](const Number& number) {
    return number.digits.empty() ? 0 : (number.is_negative ? -1 : 1);
  };
  if (sign(one) != sign(other)) {
    return sign(one) <=> sign(other);
  }
  return sign(one) < 0 ? compare_sizes(other, one) : compare_sizes(one, other);
}

}  // namespace thalweg::functions
