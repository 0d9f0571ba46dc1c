#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "thalweg/common/error.h"

namespace thalweg::sql {

enum class TokenKind : uint8_t {
  kEnd,            // the end of the text
  kWord,           // keyword or plain name
  kQuotedName,     // `name`
  kString,         // 'text', N'text', E'text'
  kUnicodeString,  // U&'text', escapes not yet resolved
  kBinary,         // X'4A'
  kInteger,
  kDecimal,
  kApproximate,
  kHintBegin,  // /*+
  kHintEnd,    // */
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kSemicolon,
  kDot,
  kComma,
  kEquals,
  kNotEquals,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kQuestion,
  kColon,
  kPlus,
  kMinus,
  kStar,
  kSlash,
  kPercent,
  kConcat,
  kVerticalBar,
  kCaret,
  kArrow,         // =>
  kUnterminated,  // a string, quoted name or comment that never ends
  kInvalid,       // a character that starts no token
};

/// A piece of SQL text. `offset` and `end` are bytes; `position` counts lines and characters.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  /// Words and numbers as written; strings and quoted names without their quotes.
  std::string text = {};
  /// Words only: the text in upper case.
  std::string keyword = {};
  SourcePosition position = {};
  size_t offset = 0;
  size_t end = 0;
};

}  // namespace thalweg::sql
