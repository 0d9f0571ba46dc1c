#include "thalweg/functions/json/json_cursor.h"

#include <bit>
#include <charconv>
#include <cstring>

#include "thalweg/expression/utf8.h"

namespace thalweg::functions {

namespace {

constexpr uint64_t kEachByte = 0x0101010101010101U;
constexpr uint64_t kHighBits = 0x80U * kEachByte;

/// The lowest high bit that is set shows the first of eight bytes below `limit`, at most 0x80.
constexpr uint64_t bytes_below(uint64_t bytes, uint64_t limit) {
  return (bytes - limit * kEachByte) & ~bytes & kHighBits;
}

constexpr uint64_t bytes_equal(uint64_t bytes, char wanted) {
  return bytes_below(bytes ^ (static_cast<uint8_t>(wanted) * kEachByte), 1);
}

bool ends_plain_text(char c) {
  return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
}

}  // namespace

/// A word or number ends here.
bool JsonCursor::at_end_of_token() const {
  if (at_ == text_.size()) {
    return true;
  }
  switch (text_[at_]) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
    case ',':
    case ']':
    case '}':
    case ':':
      return true;
    default:
      return false;
  }
}

bool JsonCursor::word(std::string_view expected) {
  if (!text_.substr(at_).starts_with(expected)) {
    return false;
  }
  at_ += expected.size();
  return at_end_of_token();
}

size_t JsonCursor::digits() {
  const size_t begin = at_;
  while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
    ++at_;
  }
  return at_ - begin;
}

bool JsonCursor::number(std::string_view& token) {
  const size_t begin = at_;
  if (at_ < text_.size() && text_[at_] == '-') {
    ++at_;
  }
  const bool leading_zero = at_ < text_.size() && text_[at_] == '0';
  const size_t whole = digits();
  if (whole == 0 || (leading_zero && whole > 1)) {
    return false;
  }
  if (at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    if (digits() == 0) {
      return false;
    }
  }
  if (at_ < text_.size() && (text_[at_] | 0x20) == 'e') {
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) {
      ++at_;
    }
    if (digits() == 0) {
      return false;
    }
  }
  token = text_.substr(begin, at_ - begin);
  return at_end_of_token();
}

bool JsonCursor::hex4(uint32_t& code) {
  if (at_ + 4 > text_.size()) {
    return false;
  }
  const char* begin = text_.data() + at_;
  const auto end = std::from_chars(begin, begin + 4, code, 16);
  at_ += 4;
  return end.ec == std::errc{} && end.ptr == begin + 4;
}

bool JsonCursor::escape(std::string& out) {
  if (at_ == text_.size()) {
    return false;
  }
  const char c = text_[at_++];
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const size_t plain = kNames.find(c);
  if (plain != std::string_view::npos) {
    out += kMeanings[plain];
    return true;
  }
  uint32_t code = 0;
  if (c != 'u' || !hex4(code)) {
    return false;
  }
  if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
    at_ += 2;
    uint32_t low = 0;
    if (!hex4(low)) {
      return false;
    }
    code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
  }
  utf8::append(out, code);
  return true;
}

/// To the next quote, escape or control character.
std::string_view JsonCursor::plain_text() {
  const size_t begin = at_;
  for (; at_ + sizeof(uint64_t) <= text_.size(); at_ += sizeof(uint64_t)) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, text_.data() + at_, sizeof(bytes));
    const uint64_t ends =
        bytes_equal(bytes, '"') | bytes_equal(bytes, '\\') | bytes_below(bytes, 0x20);
    if (ends != 0) {
      at_ += static_cast<size_t>(std::countr_zero(ends)) / 8;
      return text_.substr(begin, at_ - begin);
    }
  }
  while (at_ < text_.size() && !ends_plain_text(text_[at_])) {
    ++at_;
  }
  return text_.substr(begin, at_ - begin);
}

bool JsonCursor::string(std::string& out) {
  ++at_;
  while (true) {
    out += plain_text();
    if (at_ == text_.size()) {
      return false;
    }
    const char c = text_[at_++];
    if (c == '"') {
      return true;
    }
    if (c != '\\' || !escape(out)) {
      return false;
    }
  }
}

bool JsonCursor::string_token(std::string_view& token, std::string& buffer) {
  const size_t begin = at_++;
  token = plain_text();
  if (at_ < text_.size() && text_[at_] == '"') {
    ++at_;
    return true;
  }
  at_ = begin;
  buffer.clear();
  const bool is_string = string(buffer);
  token = buffer;
  return is_string;
}

bool JsonCursor::skip_string() {
  std::string_view token;
  return string_token(token, scratch_);
}

}  // namespace thalweg::functions
