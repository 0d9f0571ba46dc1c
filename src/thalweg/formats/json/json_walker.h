#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "thalweg/formats/json/json_index.h"

namespace thalweg::formats {

/// Goes over the tokens of one record in an indexed text. A value; the text and the index outlive
/// it.
class JsonWalker {
 public:
  JsonWalker(const JsonIndex& index, const char* text, const uint32_t* at, uint32_t limit)
      : index_(&index), text_(text), at_(at), limit_(limit) {}

  /// The first character of the next token, 0 behind the last.
  char peek() const { return *at_ < limit_ ? text_[*at_] : '\0'; }

  void skip() { ++at_; }

  /// Where the next token starts.
  uint32_t offset() const { return *at_; }

  const char* pointer() const { return text_ + *at_; }

  const uint32_t* position() const { return at_; }

  uint32_t limit() const { return limit_; }

  /// Takes the token when it is `c`.
  bool take(char c) {
    if (peek() != c) {
      return false;
    }
    ++at_;
    return true;
  }

  /// Takes a number or word, without the spaces behind it.
  std::string_view take_scalar() {
    const uint32_t begin = *at_++;
    uint32_t end = *at_ < limit_ ? *at_ : limit_;
    while (end > begin && static_cast<unsigned char>(text_[end - 1]) <= ' ') {
      --end;
    }
    return {text_ + begin, end - begin};
  }

  /// Takes a string; what is between its quotes, escapes and all.
  std::string_view take_raw_string() {
    const std::string_view quoted = take_scalar();
    // The index holds only strings that are closed.
    return quoted.substr(1, quoted.size() - 2);
  }

  /// Takes a string. Its text lives in the record or in `scratch`. False for a bad escape.
  bool take_string(std::string& scratch, std::string_view& text) {
    text = take_raw_string();
    if (text.find('\\') == std::string_view::npos) {
      return true;
    }
    if (!index_->unescape(text.data(), text.size(), scratch)) {
      return false;
    }
    text = scratch;
    return true;
  }

  /// Passes over any value; false when it is not JSON.
  bool skip_value();

  /// As skip_value, and the value's text.
  bool take_value(std::string_view& raw);

 private:
  bool skip_nested(int depth);
  bool skip_members(int depth);
  bool skip_elements(int depth);

  const JsonIndex* index_;
  const char* text_;
  const uint32_t* at_;
  uint32_t limit_;
};

}  // namespace thalweg::formats
