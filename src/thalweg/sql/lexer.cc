#include "thalweg/sql/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace thalweg::sql {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_word_part(char c) {
  return is_word_start(c) || is_digit(c);
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

std::string to_upper(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return upper;
}

constexpr std::array<std::pair<std::string_view, TokenKind>, 8> kLongSymbols = {{
    {"/*+", TokenKind::kHintBegin},
    {"*/", TokenKind::kHintEnd},
    {"<>", TokenKind::kNotEquals},
    {"!=", TokenKind::kNotEquals},
    {"<=", TokenKind::kLessOrEqual},
    {">=", TokenKind::kGreaterOrEqual},
    {"||", TokenKind::kConcat},
    {"=>", TokenKind::kArrow},
}};

constexpr std::array<std::pair<char, TokenKind>, 21> kSymbols = {{
    {'(', TokenKind::kLeftParen},    {')', TokenKind::kRightParen},  {'[', TokenKind::kLeftBracket},
    {']', TokenKind::kRightBracket}, {'{', TokenKind::kLeftBrace},   {'}', TokenKind::kRightBrace},
    {';', TokenKind::kSemicolon},    {'.', TokenKind::kDot},         {',', TokenKind::kComma},
    {'=', TokenKind::kEquals},       {'<', TokenKind::kLess},        {'>', TokenKind::kGreater},
    {'?', TokenKind::kQuestion},     {':', TokenKind::kColon},       {'+', TokenKind::kPlus},
    {'-', TokenKind::kMinus},        {'*', TokenKind::kStar},        {'/', TokenKind::kSlash},
    {'%', TokenKind::kPercent},      {'|', TokenKind::kVerticalBar}, {'^', TokenKind::kCaret},
}};

/// Walks over the text once; lives for one call of `tokenize`.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (true) {
      if (!skip_blanks()) {
        break;  // a comment without an end
      }
      begin();
      if (at_end()) {
        break;
      }
      scan();
    }
    begin();
    finish(TokenKind::kEnd, {});
    return std::move(tokens_);
  }

 private:
  bool at_end() const { return offset_ >= text_.size(); }

  char peek(size_t ahead = 0) const {
    return offset_ + ahead < text_.size() ? text_[offset_ + ahead] : '\0';
  }

  bool starts(std::string_view prefix) const {
    return text_.substr(offset_, prefix.size()) == prefix;
  }

  void advance(size_t count = 1) {
    for (; count > 0 && !at_end(); --count, ++offset_) {
      const char c = text_[offset_];
      if (c == '\n') {
        last_line_ = line_++;
        last_column_ = column_;
        column_ = 1;
      } else if ((static_cast<unsigned char>(c) & 0xC0U) !=
                 0x80U) {  // not inside a UTF-8 character
        last_line_ = line_;
        last_column_ = column_++;
      }
    }
  }

  void begin() { start_ = Token{.position = {line_, column_, line_, column_}, .offset = offset_}; }

  void finish(TokenKind kind, std::string text) {
    start_.kind = kind;
    start_.text = std::move(text);
    start_.end = offset_;
    if (offset_ > start_.offset) {
      start_.position.end_line = last_line_;
      start_.position.end_column = last_column_;
    }
    tokens_.push_back(std::move(start_));
  }

  std::string raw() const {
    return std::string(text_.substr(start_.offset, offset_ - start_.offset));
  }

  /// False when a comment never ends; the token that says so is added.
  bool skip_blanks() {
    while (!at_end()) {
      if (is_space(peek())) {
        advance();
      } else if (starts("--") || starts("//")) {
        while (!at_end() && peek() != '\n') {
          advance();
        }
      } else if (starts("/*") && !starts("/*+")) {
        if (!skip_block_comment()) {
          return false;
        }
      } else {
        break;
      }
    }
    return true;
  }

  bool skip_block_comment() {
    begin();
    const size_t end = text_.find("*/", offset_ + 2);
    if (end == std::string_view::npos) {
      advance(text_.size() - offset_);
      finish(TokenKind::kUnterminated, "/*");
      return false;
    }
    advance(end + 2 - offset_);
    return true;
  }

  void scan() {
    const char c = peek();
    if (scan_prefixed_string()) {
      return;
    }
    if (is_word_start(c)) {
      scan_word();
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      scan_number();
    } else if (c == '\'') {
      scan_quoted('\'', TokenKind::kString);
    } else if (c == '`') {
      scan_quoted('`', TokenKind::kQuotedName);
    } else {
      scan_symbol();
    }
  }

  bool scan_prefixed_string() {
    const char c = peek();
    if ((c == 'U' || c == 'u') && peek(1) == '&' && peek(2) == '\'') {
      advance(2);
      scan_quoted('\'', TokenKind::kUnicodeString);
      return true;
    }
    if (peek(1) != '\'') {
      return false;
    }
    if (c == 'X' || c == 'x') {
      advance();
      scan_quoted('\'', TokenKind::kBinary);
      return true;
    }
    if (c == 'N' || c == 'n') {
      advance();
      scan_quoted('\'', TokenKind::kString);
      return true;
    }
    return false;
  }

  void scan_word() {
    while (!at_end() && is_word_part(peek())) {
      advance();
    }
    std::string text = raw();
    start_.keyword = to_upper(text);
    finish(TokenKind::kWord, std::move(text));
  }

  void skip_digits() {
    while (is_digit(peek())) {
      advance();
    }
  }

  void scan_number() {
    TokenKind kind = TokenKind::kInteger;
    skip_digits();
    if (peek() == '.') {
      kind = TokenKind::kDecimal;
      advance();
      skip_digits();
    }
    const size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if ((peek() == 'e' || peek() == 'E') && is_digit(peek(1 + sign))) {
      kind = TokenKind::kApproximate;
      advance(1 + sign);
      skip_digits();
    }
    finish(kind, raw());
  }

  void scan_quoted(char quote, TokenKind kind) {
    advance();
    std::string text;
    while (!at_end()) {
      if (peek() == quote && peek(1) == quote) {
        text += quote;
        advance(2);
      } else if (peek() == quote) {
        advance();
        finish(kind, std::move(text));
        return;
      } else {
        text += peek();
        advance();
      }
    }
    finish(TokenKind::kUnterminated, std::string(1, quote));
  }

  void scan_symbol() {
    for (const auto& [symbol, kind] : kLongSymbols) {
      if (starts(symbol)) {
        advance(symbol.size());
        finish(kind, std::string(symbol));
        return;
      }
    }
    const char c = peek();
    const auto* found = std::find_if(
        kSymbols.begin(), kSymbols.end(), [c](const auto& entry) { return entry.first == c; });
    advance();
    finish(found == kSymbols.end() ? TokenKind::kInvalid : found->second, raw());
  }

  std::string_view text_;
  size_t offset_ = 0;
  int32_t line_ = 1;
  int32_t column_ = 1;
  int32_t last_line_ = 1;
  int32_t last_column_ = 1;
  Token start_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) {
  return Lexer(text).run();
}

}  // namespace thalweg::sql
