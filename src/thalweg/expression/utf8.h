#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

/// Characters of UTF-8 text, as Flink counts them: code points.
namespace thalweg::utf8 {

inline bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Bytes of the character that starts with `first`.
inline size_t width(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : (byte < 0xE0 ? 2 : (byte < 0xF0 ? 3 : 4));
}

inline constexpr uint64_t kHighBits = 0x8080808080808080U;

inline bool is_ascii(std::string_view text) {
  uint64_t bits = 0;
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + at, sizeof(bytes));
    bits |= bytes;
  }
  for (; at < text.size(); ++at) {
    bits |= static_cast<unsigned char>(text[at]);
  }
  return (bits & kHighBits) == 0;
}

inline int64_t count(std::string_view text) {
  int64_t continuations = 0;
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + at, sizeof(bytes));
    continuations += std::popcount(bytes & (~bytes << 1U) & kHighBits);
  }
  for (; at < text.size(); ++at) {
    continuations += is_continuation(text[at]) ? 1 : 0;
  }
  return static_cast<int64_t>(text.size()) - continuations;
}

/// Where character `index` (from 0) begins; the text's size when there are fewer.
inline size_t offset_of(std::string_view text, int64_t index) {
  size_t at = 0;
  while (index > 0 && at < text.size()) {
    at += width(text[at]);
    --index;
  }
  return at < text.size() ? at : text.size();
}

/// The character that starts at `at`, moving `at` behind it. Wrong bytes give U+FFFD, one by one.
inline uint32_t next(std::string_view text, size_t& at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const size_t bytes = width(text[at]);
  if (bytes == 1) {
    ++at;
    return first;
  }
  if (first < 0xC2 || first > 0xF4 || at + bytes > text.size()) {
    ++at;
    return 0xFFFD;
  }
  uint32_t code = first & (0x7FU >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text[at + i])) {
      ++at;
      return 0xFFFD;
    }
    code = code << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  }
  at += bytes;
  return code;
}

inline void append(std::string& out, uint32_t code) {
  const auto byte = [&out](uint32_t value) { out += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0U | code >> 6U);
    byte(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    byte(0xE0U | code >> 12U);
    byte(0x80U | (code >> 6U & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  } else {
    byte(0xF0U | code >> 18U);
    byte(0x80U | (code >> 12U & 0x3FU));
    byte(0x80U | (code >> 6U & 0x3FU));
    byte(0x80U | (code & 0x3FU));
  }
}

}  // namespace thalweg::utf8
