#include "thalweg/sql/unicode_escape.h"

#include <charconv>
#include <cstdint>

namespace thalweg::sql {

namespace {

void append_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

std::optional<uint32_t> hex(std::string_view digits, size_t count) {
  if (digits.size() < count) {
    return std::nullopt;
  }
  uint32_t value = 0;
  const char* end = digits.data() + count;
  const auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
  if (error != std::errc() || stop != end || value > 0x10FFFF) {
    return std::nullopt;
  }
  return value;
}

bool is_high_surrogate(uint32_t code) {
  return code >= 0xD800 && code < 0xDC00;
}

/// One code unit after the escape character; advances `text` past it.
std::optional<uint32_t> take_unit(std::string_view& text) {
  const bool is_long = !text.empty() && text.front() == '+';
  const size_t skip = is_long ? 1 : 0;
  const size_t count = is_long ? 6 : 4;
  if (text.size() < skip) {
    return std::nullopt;
  }
  const std::optional<uint32_t> code = hex(text.substr(skip), count);
  if (code) {
    text.remove_prefix(skip + count);
  }
  return code;
}

}  // namespace

std::optional<std::string> resolve_unicode_escapes(std::string_view text, char escape) {
  std::string out;
  while (!text.empty()) {
    if (text.front() != escape) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    text.remove_prefix(1);
    if (!text.empty() && text.front() == escape) {
      out += escape;
      text.remove_prefix(1);
      continue;
    }
    std::optional<uint32_t> code = take_unit(text);
    if (code && is_high_surrogate(*code) && !text.empty() && text.front() == escape) {
      text.remove_prefix(1);
      const std::optional<uint32_t> low = take_unit(text);
      if (!low || *low < 0xDC00 || *low > 0xDFFF) {
        return std::nullopt;
      }
      code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
    }
    if (!code || (*code >= 0xD800 && *code <= 0xDFFF)) {
      return std::nullopt;
    }
    append_utf8(out, *code);
  }
  return out;
}

}  // namespace thalweg::sql
