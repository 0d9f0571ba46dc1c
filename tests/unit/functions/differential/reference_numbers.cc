#include "functions/differential/reference_numbers.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include <boost/multiprecision/cpp_int.hpp>

namespace thalweg::functions::differential {

namespace {

using Big = boost::multiprecision::cpp_int;

Big ten_to(int64_t exponent) {
  Big power = 1;
  for (int64_t i = 0; i < exponent; ++i) {
    power *= 10;
  }
  return power;
}

Big big(Int128 value) {
  const bool negative = value < 0;
  const auto magnitude =
      negative ? ~static_cast<unsigned __int128>(value) + 1 : static_cast<unsigned __int128>(value);
  Big result = static_cast<uint64_t>(magnitude >> 64U);
  result <<= 64;
  result += static_cast<uint64_t>(magnitude);
  return negative ? Big(-result) : result;
}

Int128 narrow(const Big& value) {
  Int128 result = 0;
  for (const char c : Big(abs(value)).str()) {
    result = result * 10 + (c - '0');
  }
  return value < 0 ? -result : result;
}

/// Half away from zero.
Big divide_rounded(const Big& value, const Big& divisor) {
  const Big doubled = 2 * abs(value) + abs(divisor);
  const Big magnitude = doubled / (2 * abs(divisor));
  return (value < 0) != (divisor < 0) ? Big(-magnitude) : magnitude;
}

/// value * 10^-scale in `type`; an overflow is NULL, or fails where the type has none.
Outcome as_decimal(Big value, int64_t scale, const DataType& type) {
  if (scale > type.scale()) {
    value = divide_rounded(value, ten_to(scale - type.scale()));
  } else {
    value *= ten_to(type.scale() - scale);
  }
  if (abs(value) >= ten_to(type.precision())) {
    return type.is_nullable() ? Outcome{} : Outcome::failure("overflow");
  }
  return {Value(narrow(value))};
}

int64_t wrapped(Int128 value, TypeKind kind) {
  switch (kind) {
    case TypeKind::kTinyInt:
      return static_cast<int8_t>(value);
    case TypeKind::kSmallInt:
      return static_cast<int16_t>(value);
    case TypeKind::kInt:
      return static_cast<int32_t>(value);
    default:
      return static_cast<int64_t>(value);
  }
}

Outcome of_integers(
    char operation, int64_t left, int64_t right, TypeKind kind, const DataType& result) {
  const Int128 one = left;
  const Int128 other = right;
  switch (operation) {
    case '+':
      return {Value(wrapped(one + other, kind))};
    case '-':
      return {Value(wrapped(one - other, kind))};
    case '*':
      return {Value(wrapped(one * other, kind))};
    default:
      break;
  }
  if (right == 0) {
    return Outcome::failure("division by zero");
  }
  return operation == '/' ? Outcome{Value(wrapped(one / other, kind))}
                          : Outcome{Value(wrapped(one % other, result.kind()))};
}

template <typename T>
double of_floats(char operation, T left, T right) {
  switch (operation) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    default:
      return std::fmod(left, right);
  }
}

Outcome of_decimals(char operation,
                    const Big& left,
                    int32_t left_scale,
                    const Big& right,
                    int32_t right_scale,
                    const DataType& result) {
  const int32_t scale = std::max(left_scale, right_scale);
  const Big one = left * ten_to(scale - left_scale);
  const Big other = right * ten_to(scale - right_scale);
  switch (operation) {
    case '+':
      return as_decimal(one + other, scale, result);
    case '-':
      return as_decimal(one - other, scale, result);
    case '*':
      return as_decimal(left * right, left_scale + right_scale, result);
    default:
      break;
  }
  if (right == 0) {
    return Outcome::failure("division by zero");
  }
  return operation == '/'
             ? as_decimal(
                   divide_rounded(one * ten_to(result.scale()), other), result.scale(), result)
             : as_decimal(one % other, scale, result);
}

/// Java's: NaN is 0, and what is out of range stops at the limit; below 32 bits it then wraps.
int64_t java_integer(double value, TypeKind kind) {
  if (std::isnan(value)) {
    return 0;
  }
  const bool is_long = kind == TypeKind::kBigInt;
  const double limit = is_long ? 9223372036854775808.0 : 2147483648.0;
  if (value >= limit) {
    return wrapped(is_long ? std::numeric_limits<int64_t>::max()
                           : int64_t{std::numeric_limits<int32_t>::max()},
                   kind);
  }
  if (value <= -limit) {
    return wrapped(is_long ? std::numeric_limits<int64_t>::min()
                           : int64_t{std::numeric_limits<int32_t>::min()},
                   kind);
  }
  return wrapped(static_cast<int64_t>(value), kind);
}

Outcome floating_outcome(double value, const DataType& result) {
  return result.is_integer() ? Outcome{Value(java_integer(value, result.kind()))}
                             : Outcome{Value(value)};
}

bool is_blank(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}

std::string trimmed(std::string text) {
  while (!text.empty() && is_blank(text.front())) {
    text.erase(0, 1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.pop_back();
  }
  return text;
}

/// Digits with a sign, and a fraction that is cut off.
std::optional<Big> parse_whole(const std::string& given) {
  std::string text = trimmed(given);
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    text.erase(0, 1);
  }
  if (text.empty()) {
    return std::nullopt;
  }
  Big value = 0;
  bool in_fraction = false;
  for (const char c : text) {
    if (c == '.' && !in_fraction) {
      in_fraction = true;
    } else if (c < '0' || c > '9') {
      return std::nullopt;
    } else if (!in_fraction) {
      value = value * 10 + (c - '0');
    }
  }
  return negative ? Big(-value) : value;
}

Outcome parse_integer(const std::string& text, TypeKind kind) {
  const auto value = parse_whole(text);
  if (!value || abs(*value) > ten_to(19)) {
    return Outcome::failure("no number");
  }
  const Int128 narrowed = narrow(*value);
  return wrapped(narrowed, kind) == narrowed ? Outcome{Value(static_cast<int64_t>(narrowed))}
                                             : Outcome::failure("out of range");
}

/// The fewest digits that read back as the same number, as Java writes it.
template <typename T>
std::string java_text(T value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value) || value == 0) {
    return sign + (value == 0 ? "0.0" : "Infinity");
  }
  char buffer[64];
  for (int digits = 0; digits < 18; ++digits) {
    std::snprintf(buffer, sizeof(buffer), "%.*e", digits, std::abs(static_cast<double>(value)));
    const double back = sizeof(T) == sizeof(float) ? double{std::strtof(buffer, nullptr)}
                                                   : std::strtod(buffer, nullptr);
    if (back == std::abs(static_cast<double>(value))) {
      break;
    }
  }
  const std::string text = buffer;
  const size_t mark = text.find('e');
  const int exponent = std::atoi(text.c_str() + mark + 1);
  std::string digits = text.substr(0, 1) + (mark > 2 ? text.substr(2, mark - 2) : "");
  while (digits.size() > 1 && digits.back() == '0') {
    digits.pop_back();
  }
  if (exponent < -3 || exponent >= 7) {
    const std::string rest = digits.size() > 1 ? digits.substr(1) : "0";
    return sign + digits[0] + '.' + rest + 'E' + std::to_string(exponent);
  }
  if (exponent < 0) {
    return sign + "0." + std::string(static_cast<size_t>(-exponent - 1), '0') + digits;
  }
  const auto whole = static_cast<size_t>(exponent) + 1;
  digits.resize(std::max(digits.size(), whole + 1), '0');
  return sign + digits.substr(0, whole) + '.' + digits.substr(whole);
}

std::string decimal_text(Int128 value, int32_t scale) {
  std::string digits = Big(abs(big(value))).str();
  const auto wanted = static_cast<size_t>(scale) + 1;
  if (digits.size() < wanted) {
    digits.insert(0, wanted - digits.size(), '0');
  }
  if (scale > 0) {
    digits.insert(digits.size() - static_cast<size_t>(scale), ".");
  }
  return (value < 0 ? "-" : "") + digits;
}

/// Characters cut, or spaces added, to what the target holds.
std::string fitted(std::string text, const DataType& target) {
  if (target.length() == kMaxLength) {
    return text;
  }
  int32_t characters = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80;
    if (starts && ++characters > target.length()) {
      text.resize(i);
      return text;
    }
  }
  if (target.kind() == TypeKind::kChar) {
    text.append(static_cast<size_t>(target.length() - characters), ' ');
  }
  return text;
}

std::optional<std::string> printed(const Value& value, const DataType& source) {
  switch (source.kind()) {
    case TypeKind::kBoolean:
      return std::get<bool>(value.data) ? "TRUE" : "FALSE";
    case TypeKind::kFloat:
      return java_text(static_cast<float>(std::get<double>(value.data)));
    case TypeKind::kDouble:
      return java_text(std::get<double>(value.data));
    case TypeKind::kDecimal:
      return decimal_text(std::get<Int128>(value.data), source.scale());
    default:
      break;
  }
  if (source.is_integer()) {
    return std::to_string(std::get<int64_t>(value.data));
  }
  return source.is_character() ? std::optional(std::get<std::string>(value.data)) : std::nullopt;
}

std::optional<Outcome> integer_as(int64_t value, const DataType& target) {
  switch (target.kind()) {
    case TypeKind::kBoolean:
      return Outcome{Value(value != 0)};
    case TypeKind::kFloat:
      return Outcome{Value(double{static_cast<float>(value)})};
    case TypeKind::kDouble:
      return Outcome{Value(static_cast<double>(value))};
    case TypeKind::kDecimal:
      return as_decimal(value, 0, target);
    default:
      return target.is_integer() ? std::optional(Outcome{Value(wrapped(value, target.kind()))})
                                 : std::nullopt;
  }
}

std::optional<Outcome> floating_as(double value, const DataType& target) {
  switch (target.kind()) {
    case TypeKind::kBoolean:
      return Outcome{Value(value != 0)};
    case TypeKind::kFloat:
      return Outcome{Value(double{static_cast<float>(value)})};
    case TypeKind::kDouble:
      return Outcome{Value(value)};
    default:
      return target.is_integer() ? std::optional(Outcome{Value(java_integer(value, target.kind()))})
                                 : std::nullopt;
  }
}

std::optional<Outcome> decimal_as(Int128 value, int32_t scale, const DataType& target) {
  if (target.kind() == TypeKind::kDecimal) {
    return as_decimal(big(value), scale, target);
  }
  if (target.kind() == TypeKind::kBoolean) {
    return Outcome{Value(value != 0)};
  }
  if (target.kind() == TypeKind::kDouble) {
    return Outcome{Value(std::strtod(decimal_text(value, scale).c_str(), nullptr))};
  }
  return target.is_integer()
             ? std::optional(
                   Outcome{Value(wrapped(narrow(big(value) / ten_to(scale)), target.kind()))})
             : std::nullopt;
}

}  // namespace

Outcome reference_arithmetic(char operation,
                             const Value& left,
                             const Value& right,
                             const DataType& left_type,
                             const DataType& right_type,
                             const DataType& result) {
  if (left_type.kind() == TypeKind::kDecimal) {
    return of_decimals(operation,
                       big(std::get<Int128>(left.data)),
                       left_type.scale(),
                       big(std::get<Int128>(right.data)),
                       right_type.scale(),
                       result);
  }
  if (left_type.kind() == TypeKind::kFloat) {
    const auto one = static_cast<float>(std::get<double>(left.data));
    const auto other = static_cast<float>(std::get<double>(right.data));
    return floating_outcome(static_cast<float>(of_floats(operation, one, other)), result);
  }
  if (left_type.kind() == TypeKind::kDouble) {
    return floating_outcome(
        of_floats(operation, std::get<double>(left.data), std::get<double>(right.data)), result);
  }
  return of_integers(operation,
                     std::get<int64_t>(left.data),
                     std::get<int64_t>(right.data),
                     left_type.kind(),
                     result);
}

std::optional<Outcome> reference_cast(const Value& value,
                                      const DataType& source,
                                      const DataType& target) {
  if (source.equals_ignoring_nullability(target)) {
    return Outcome{value};
  }
  if (target.is_character()) {
    auto text = printed(value, source);
    return text ? std::optional(Outcome{Value(fitted(std::move(*text), target))}) : std::nullopt;
  }
  if (source.is_character()) {
    return target.is_integer()
               ? std::optional(parse_integer(std::get<std::string>(value.data), target.kind()))
               : std::nullopt;
  }
  if (source.kind() == TypeKind::kBoolean) {
    return target.is_numeric() ? integer_as(std::get<bool>(value.data) ? 1 : 0, target)
                               : std::nullopt;
  }
  if (source.is_integer()) {
    return integer_as(std::get<int64_t>(value.data), target);
  }
  if (source.is_approximate()) {
    return floating_as(std::get<double>(value.data), target);
  }
  return source.kind() == TypeKind::kDecimal
             ? decimal_as(std::get<Int128>(value.data), source.scale(), target)
             : std::nullopt;
}

}  // namespace thalweg::functions::differential
