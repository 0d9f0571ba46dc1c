#include "thalweg/formats/number_text.h"

#include <charconv>

#include "thalweg/types/text.h"

namespace thalweg::formats {

namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

size_t skip_digits(std::string_view text, size_t at) {
  while (at < text.size() && is_digit(text[at])) {
    ++at;
  }
  return at;
}

/// The grammar of new BigDecimal(String).
bool is_decimal(std::string_view text) {
  size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const size_t whole_end = skip_digits(text, at);
  size_t digits = whole_end - at;
  at = whole_end;
  if (at < text.size() && text[at] == '.') {
    const size_t end = skip_digits(text, at + 1);
    digits += end - at - 1;
    at = end;
  }
  if (digits == 0) {
    return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    at += at < text.size() && (text[at] == '-' || text[at] == '+') ? 1 : 0;
    const size_t end = skip_digits(text, at);
    if (end == at || end - at > 10) {
      return false;
    }
    at = end;
  }
  return at == text.size();
}

/// Cuts trailing zeros off: the scale may become negative.
void strip_zeros(Int128& unscaled, int32_t& scale) {
  while (unscaled != 0 && unscaled % 10 == 0) {
    unscaled /= 10;
    --scale;
  }
}

std::string digits_of(Int128 magnitude) {
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(magnitude % 10));
    magnitude /= 10;
  } while (magnitude != 0);
  return {digits.rbegin(), digits.rend()};
}

int8_t base64_value(char c) {
  if (c >= 'A' && c <= 'Z') {
    return static_cast<int8_t>(c - 'A');
  }
  if (c >= 'a' && c <= 'z') {
    return static_cast<int8_t>(c - 'a' + 26);
  }
  if (is_digit(c)) {
    return static_cast<int8_t>(c - '0' + 52);
  }
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

std::string_view trim_java(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') {
    text.remove_suffix(1);
  }
  return text;
}

std::optional<int64_t> parse_java_integer(std::string_view text, int64_t least, int64_t most) {
  if (text.size() > 1 && text.front() == '+' && is_digit(text[1])) {
    text.remove_prefix(1);
  }
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || value < least || value > most) {
    return std::nullopt;
  }
  return value;
}

std::optional<float> parse_java_float(std::string_view text) {
  text = trim_java(text);
  const std::string_view digits = !text.empty() && text.front() == '+' ? text.substr(1) : text;
  if (is_decimal(text)) {
    float value = 0;
    const char* end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value);
    if (parsed.ec == std::errc() && parsed.ptr == end) {
      return value;
    }
  }
  // NaN, Infinity, and what is out of a float's range.
  const std::optional<double> wide = text::parse_double(text);
  return wide ? std::optional(static_cast<float>(*wide)) : std::nullopt;
}

bool parse_plain_double(std::string_view token, double& value) {
  constexpr double kPowers[] = {
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = token.front() == '-';
  token.remove_prefix(negative ? 1 : 0);
  if (token.size() > 16 || token.empty() || !is_digit(token[0])) {
    return false;
  }
  int64_t digits = 0;
  size_t at = 0;
  for (; at < token.size() && is_digit(token[at]); ++at) {
    digits = digits * 10 + (token[at] - '0');
  }
  if (token[0] == '0' && at > 1) {
    return false;
  }
  size_t fraction = 0;
  if (at < token.size()) {
    if (token[at] != '.' || at + 1 == token.size()) {
      return false;
    }
    fraction = token.size() - at - 1;
    for (++at; at < token.size(); ++at) {
      if (!is_digit(token[at])) {
        return false;
      }
      digits = digits * 10 + (token[at] - '0');
    }
  }
  if (digits > (int64_t{1} << 53U)) {
    return false;
  }
  const double magnitude = static_cast<double>(digits) / kPowers[fraction];
  value = negative ? -magnitude : magnitude;
  return true;
}

ParsedDecimal parse_java_decimal(std::string_view text, int32_t precision, int32_t scale) {
  if (!is_decimal(text)) {
    return {};
  }
  return {true, text::parse_decimal(text, precision, scale)};
}

void append_stripped_decimal(std::string& out, Int128 unscaled, int32_t scale) {
  if (unscaled == 0) {
    out += '0';
    return;
  }
  strip_zeros(unscaled, scale);
  if (unscaled < 0) {
    out += '-';
    unscaled = -unscaled;
  }
  const std::string digits = digits_of(unscaled);
  const auto count = static_cast<int32_t>(digits.size());
  const int32_t exponent = count - 1 - scale;
  if (scale >= 0 && exponent >= -6) {
    text::append_decimal(out, unscaled, scale);
    return;
  }
  out += digits[0];
  if (count > 1) {
    out += '.';
    out.append(digits, 1);
  }
  out += 'E';
  if (exponent > 0) {
    out += '+';
  }
  out += std::to_string(exponent);
}

void append_stripped_plain_decimal(std::string& out, Int128 unscaled, int32_t scale) {
  strip_zeros(unscaled, scale);
  if (unscaled == 0) {
    out += '0';
    return;
  }
  text::append_decimal(out, unscaled, std::max(scale, 0));
  if (scale < 0) {
    out.append(static_cast<size_t>(-scale), '0');
  }
}

void append_base64(std::string& out, std::string_view bytes) {
  size_t at = 0;
  const auto byte = [bytes](size_t i) {
    return static_cast<uint32_t>(static_cast<uint8_t>(bytes[i]));
  };
  for (; at + 3 <= bytes.size(); at += 3) {
    const uint32_t group = byte(at) << 16U | byte(at + 1) << 8U | byte(at + 2);
    out += kBase64[group >> 18U];
    out += kBase64[group >> 12U & 63U];
    out += kBase64[group >> 6U & 63U];
    out += kBase64[group & 63U];
  }
  if (bytes.size() - at == 1) {
    const uint32_t group = byte(at) << 16U;
    out += kBase64[group >> 18U];
    out += kBase64[group >> 12U & 63U];
    out += "==";
  } else if (bytes.size() - at == 2) {
    const uint32_t group = byte(at) << 16U | byte(at + 1) << 8U;
    out += kBase64[group >> 18U];
    out += kBase64[group >> 12U & 63U];
    out += kBase64[group >> 6U & 63U];
    out += '=';
  }
}

bool append_base64_decoded(std::string& out, std::string_view text) {
  uint32_t group = 0;
  size_t count = 0;
  size_t padding = 0;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) <= ' ') {
      continue;
    }
    if (c == '=') {
      ++padding;
    } else if (const int8_t value = base64_value(c); value >= 0 && padding == 0) {
      group = group << 6U | static_cast<uint32_t>(value);
      if (++count == 4) {
        out += static_cast<char>(group >> 16U);
        out += static_cast<char>(group >> 8U & 255U);
        out += static_cast<char>(group & 255U);
        group = 0;
        count = 0;
      }
    } else {
      return false;
    }
  }
  if (count == 0) {
    return padding == 0;
  }
  if (count + padding != 4 || count == 1) {
    return false;
  }
  out += static_cast<char>(group >> (count == 2 ? 4U : 10U) & 255U);
  if (count == 3) {
    out += static_cast<char>(group >> 2U & 255U);
  }
  return true;
}

}  // namespace thalweg::formats
