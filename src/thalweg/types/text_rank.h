#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstring>

#include "thalweg/types/string_view.h"

namespace thalweg {

/// The first twelve bytes of a text and its length up to thirteen, as numbers in the text's order:
/// texts of up to twelve bytes differ here if they differ at all.
struct TextRank {
  uint64_t head = 0;
  uint64_t tail = 0;

  TextRank() = default;

  explicit TextRank(const StringView& text) {
    constexpr size_t kHead = sizeof(uint64_t);
    const size_t size = std::min<size_t>(text.size(), StringView::kInlineSize);
    const char* const bytes = text.data();
    head = big_endian(bytes, std::min(size, kHead));
    if (size > kHead) {
      tail = big_endian(bytes + kHead, size - kHead);
    }
    tail |= std::min<uint64_t>(text.size(), StringView::kInlineSize + 1);
  }

  /// True when equal ranks mean equal texts.
  bool is_exact() const { return (tail & 0xFFU) <= StringView::kInlineSize; }

  auto operator<=>(const TextRank&) const = default;

 private:
  static uint64_t big_endian(const char* bytes, size_t size) {
    uint64_t word = 0;
    std::memcpy(&word, bytes, size);
    return __builtin_bswap64(word);
  }
};

}  // namespace thalweg
