#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace thalweg::functions {

/// The form of texts that are numbers of fixed widths with the same text between them, such as
/// "2024-03-15 12:34": read and checked eight bytes at a time. A value.
class FixedLayout {
 public:
  static constexpr size_t kLongest = 64;

  /// Where a number stands.
  struct Number {
    size_t at = 0;
    size_t width = 0;
  };

  /// The value of each digit at its place in the text.
  using Digits = std::array<uint8_t, kLongest + sizeof(uint64_t)>;

  /// False when the form gets too long.
  bool add_text(std::string_view text);
  bool add_number(size_t width);

  /// A text of the form, with zeros for digits.
  std::string_view form() const { return {form_.data(), size_}; }

  const std::vector<Number>& numbers() const { return numbers_; }

  /// False when the text has another form.
  bool read(std::string_view text, Digits& digits) const;

 private:
  bool grow(size_t size);

  std::array<char, kLongest + sizeof(uint64_t)> form_ = {};
  /// What added to a byte's difference from the form sets its highest bit when it is too large.
  std::array<uint8_t, kLongest + sizeof(uint64_t)> slack_ = {};
  size_t size_ = 0;
  std::vector<Number> numbers_;
};

inline int64_t number_in(const FixedLayout::Digits& digits, const FixedLayout::Number& number) {
  const uint8_t* digit = digits.data() + number.at;
  if (number.width == 2) {
    return digit[0] * 10 + digit[1];
  }
  int64_t value = 0;
  for (size_t i = 0; i < number.width; ++i) {
    value = value * 10 + digit[i];
  }
  return value;
}

/// Writes `value` in as many digits; false when it does not fit.
inline bool write_digits(char* place, size_t width, int64_t value) {
  if (value < 0) {
    return false;
  }
  if (width == 2 && value < 100) {
    place[0] = static_cast<char>('0' + value / 10);
    place[1] = static_cast<char>('0' + value % 10);
    return true;
  }
  for (size_t i = width; i > 0; --i) {
    place[i - 1] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  return value == 0;
}

}  // namespace thalweg::functions
