#pragma once

#include <compare>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "thalweg/types/short_copy.h"

namespace thalweg {

/// A 16-byte reference to text or bytes: up to 12 bytes lie inline, longer ones behind a pointer
/// with their first four bytes inline. Arrow's string_view with a pointer in place of (buffer,
/// offset). Whoever holds a view holds the heap behind it, or is done before the heap goes.
class StringView {
 public:
  static constexpr uint32_t kInlineSize = 12;

  StringView() : size_(0), inline_{} {}

  explicit StringView(std::string_view text)
      : size_(static_cast<uint32_t>(text.size())), inline_{} {
    if (size_ <= kInlineSize) {
      copy_short(inline_, text.data(), size_);
    } else {
      std::memcpy(inline_, text.data(), 4);
      const char* data = text.data();
      std::memcpy(inline_ + 4, &data, sizeof(data));
    }
  }

  uint32_t size() const { return size_; }

  bool is_inline() const { return size_ <= kInlineSize; }

  const char* data() const {
    if (is_inline()) {
      return inline_;
    }
    const char* data = nullptr;
    std::memcpy(&data, inline_ + 4, sizeof(data));
    return data;
  }

  std::string_view view() const { return {data(), size_}; }

  bool operator==(const StringView& other) const {
    if (word(0) != other.word(0)) {  // size and prefix
      return false;
    }
    if (is_inline()) {
      return word(1) == other.word(1);
    }
    return std::memcmp(data() + 4, other.data() + 4, size_ - 4) == 0;
  }

  /// The first or second half of the view. Bytes of short texts beyond their end are zero, so equal
  /// short texts have equal halves.
  uint64_t word(size_t half) const {
    uint64_t bytes = 0;
    std::memcpy(&bytes, reinterpret_cast<const char*>(this) + 8 * half, sizeof(bytes));
    return bytes;
  }

  /// Unsigned bytes, as Flink compares strings.
  std::strong_ordering operator<=>(const StringView& other) const {
    return view() <=> other.view();
  }

 private:
  uint32_t size_;
  char inline_[kInlineSize];
};

static_assert(sizeof(StringView) == 16);

/// The bytes behind long string views: a bump arena that only grows. One writer; shared by readers
/// once the column that filled it is published.
class StringHeap {
 public:
  /// Copies `text` where needed and returns a view that lives as long as this heap.
  StringView add(std::string_view text) {
    if (text.size() <= StringView::kInlineSize) {
      return StringView(text);
    }
    char* target = allocate(text.size());
    std::memcpy(target, text.data(), text.size());
    return StringView(std::string_view(target, text.size()));
  }

  /// Room for `size` bytes to fill in place.
  char* allocate(size_t size) {
    if (size > left_) {
      grow(size);
    }
    char* result = next_;
    next_ += size;
    left_ -= size;
    return result;
  }

  int64_t allocated_bytes() const { return allocated_; }

 private:
  void grow(size_t size);

  std::vector<std::unique_ptr<char[]>> chunks_;
  char* next_ = nullptr;
  size_t left_ = 0;
  int64_t allocated_ = 0;
};

}  // namespace thalweg
