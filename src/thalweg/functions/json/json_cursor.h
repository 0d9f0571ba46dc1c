#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thalweg::functions {

/// Steps through a JSON text, value by value; what it finds is up to its caller. Every step is
/// false when the text is not JSON there. What follows the first value is not looked at, as Jackson
/// does. Borrows the text.
class JsonCursor {
 public:
  /// How deep values may nest.
  static constexpr int kDeepest = 1000;

  explicit JsonCursor(std::string_view text) : text_(text) {}

  /// The first character of the value ahead: '{', '[', '"', 't', 'f', 'n' or part of a number; NUL
  /// at the end of the text.
  char peek() {
    skip_space();
    return at_ == text_.size() ? '\0' : text_[at_];
  }

  /// "true", "false" or "null".
  bool word(std::string_view expected);
  /// A number as it is written.
  bool number(std::string_view& token);
  /// Appends the string's characters.
  bool string(std::string& out);
  /// A string's characters: where they stand, or, when there are escapes among them, in `buffer`.
  bool string_token(std::string_view& token, std::string& buffer);
  /// Past a string.
  bool skip_string();

  /// `[`, and `element()` for each element.
  template <typename Element>
  bool elements(Element element) {
    ++at_;
    if (take(']')) {
      return true;
    }
    do {
      if (!element()) {
        return false;
      }
    } while (take(','));
    return take(']');
  }

  /// `{`, and `member()` for each value, whose name is then in key().
  template <typename Member>
  bool members(Member member) {
    ++at_;
    if (take('}')) {
      return true;
    }
    do {
      if (peek() != '"' || !string_token(key_, key_buffer_) || !take(':') || !member()) {
        return false;
      }
    } while (take(','));
    return take('}');
  }

  /// Good until the next value is read.
  std::string_view key() const { return key_; }

 private:
  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  bool take(char c) {
    if (peek() != c) {
      return false;
    }
    ++at_;
    return true;
  }

  bool at_end_of_token() const;
  size_t digits();
  bool hex4(uint32_t& code);
  bool escape(std::string& out);
  std::string_view plain_text();

  std::string_view text_;
  size_t at_ = 0;
  std::string_view key_;
  std::string key_buffer_;
  std::string scratch_;
};

}  // namespace thalweg::functions
