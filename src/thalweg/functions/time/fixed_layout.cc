#include "thalweg/functions/time/fixed_layout.h"

#include <algorithm>
#include <cstring>

namespace thalweg::functions {

namespace {

constexpr uint64_t kHighBits = 0x8080808080808080U;
/// No difference is allowed, or one of 9.
constexpr uint8_t kTextSlack = 0x7F;
constexpr uint8_t kDigitSlack = 0x7F - 9;

uint64_t load(const void* bytes, size_t size = sizeof(uint64_t)) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, size);
  return word;
}

}  // namespace

bool FixedLayout::grow(size_t size) {
  if (size_ + size > kLongest) {
    return false;
  }
  size_ += size;
  return true;
}

bool FixedLayout::add_text(std::string_view text) {
  const size_t at = size_;
  if (!grow(text.size())) {
    return false;
  }
  std::copy(text.begin(), text.end(), form_.begin() + static_cast<std::ptrdiff_t>(at));
  std::fill_n(slack_.begin() + static_cast<std::ptrdiff_t>(at), text.size(), kTextSlack);
  return true;
}

bool FixedLayout::add_number(size_t width) {
  numbers_.push_back({size_, width});
  const auto at = static_cast<std::ptrdiff_t>(size_);
  if (!grow(width)) {
    return false;
  }
  std::fill_n(form_.begin() + at, width, '0');
  std::fill_n(slack_.begin() + at, width, kDigitSlack);
  return true;
}

bool FixedLayout::read(std::string_view text, Digits& digits) const {
  constexpr size_t kWord = sizeof(uint64_t);
  if (text.size() != size_) {
    return false;
  }
  if (size_ < kWord) {
    const uint64_t difference = load(text.data(), size_) ^ load(form_.data());
    std::memcpy(digits.data(), &difference, kWord);
    return ((difference | (difference + load(slack_.data()))) & kHighBits) == 0;
  }
  uint64_t wrong = 0;
  for (size_t i = 0; i < size_; i += kWord) {
    const size_t at = std::min(i, size_ - kWord);
    // A digit differs from '0' by its value. A byte that is too large may spoil the next ones, but
    // has set a bit itself.
    const uint64_t difference = load(text.data() + at) ^ load(form_.data() + at);
    wrong |= difference | (difference + load(slack_.data() + at));
    std::memcpy(digits.data() + at, &difference, kWord);
  }
  return (wrong & kHighBits) == 0;
}

}  // namespace thalweg::functions
