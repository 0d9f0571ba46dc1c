#include <array>
#include <optional>
#include <string>
#include <utility>

#include "thalweg/sql/grammar.h"
#include "thalweg/sql/unicode_escape.h"

namespace thalweg::sql {

namespace {

ExprPtr literal(const TokenCursor& cursor, size_t first, LiteralKind kind, std::string text) {
  auto node = make_node<Literal>(cursor, first);
  node->literal_kind = kind;
  node->text = std::move(text);
  return node;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string decode_hex(const Token& token) {
  std::string bytes;
  if (token.text.size() % 2 != 0) {
    throw Error(ErrorCode::kSqlSyntax,
                "SQL parse failed. Binary literal string must contain an even number of hexits")
        .at(token.position);
  }
  for (size_t i = 0; i < token.text.size(); i += 2) {
    const int high = hex_digit(token.text[i]);
    const int low = hex_digit(token.text[i + 1]);
    if (high < 0 || low < 0) {
      throw Error(ErrorCode::kSqlSyntax,
                  "SQL parse failed. Binary literal string must contain only characters '0' - '9', "
                  "'A' - 'F'")
          .at(token.position);
    }
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

ExprPtr parse_string(TokenCursor& cursor) {
  const size_t first = cursor.index();
  std::string text = cursor.next().text;
  int32_t line = cursor.since(first).end_line;
  // The SQL standard joins literals that stand on lines of their own.
  while (cursor.at(TokenKind::kString) && cursor.peek().position.line > line) {
    line = cursor.peek().position.end_line;
    text += cursor.next().text;
  }
  return literal(cursor, first, LiteralKind::kString, std::move(text));
}

ExprPtr parse_unicode_string(TokenCursor& cursor) {
  const size_t first = cursor.index();
  const Token token = cursor.next();
  char escape = '\\';
  if (cursor.accept("UESCAPE")) {
    const Token character = cursor.peek();
    if (cursor.string_literal("an escape character").size() != 1) {
      throw Error(ErrorCode::kSqlSyntax, "SQL parse failed. UESCAPE takes one character")
          .at(character.position);
    }
    escape = character.text[0];
  }
  std::optional<std::string> text = resolve_unicode_escapes(token.text, escape);
  if (!text) {
    throw Error(ErrorCode::kSqlSyntax,
                "SQL parse failed. Malformed Unicode escape in string literal")
        .at(token.position)
        .hint("write four hexadecimal digits, as in U&'\\00E9', or the escape character twice");
  }
  return literal(cursor, first, LiteralKind::kString, std::move(*text));
}

/// DATE 'x', TIME 'x', TIMESTAMP 'x'; null when no string follows the word.
ExprPtr parse_datetime(TokenCursor& cursor) {
  constexpr std::array<std::pair<std::string_view, LiteralKind>, 3> kWords = {
      {{"DATE", LiteralKind::kDate},
       {"TIME", LiteralKind::kTime},
       {"TIMESTAMP", LiteralKind::kTimestamp}}};
  const size_t first = cursor.index();
  for (const auto& [word, kind] : kWords) {
    if (cursor.at(word) && cursor.at(TokenKind::kString, 1)) {
      cursor.next();
      std::string text = cursor.next().text;
      return literal(cursor, first, kind, std::move(text));
    }
  }
  if (cursor.accept_all({"TIMESTAMP", "WITH", "LOCAL", "TIME", "ZONE"})) {
    std::string text = cursor.string_literal("a timestamp in quotes");
    return literal(cursor, first, LiteralKind::kTimestampLtz, std::move(text));
  }
  return nullptr;
}

ExprPtr parse_word_literal(TokenCursor& cursor) {
  const size_t first = cursor.index();
  if (cursor.accept("NULL")) {
    return literal(cursor, first, LiteralKind::kNull, "NULL");
  }
  if (cursor.accept("TRUE")) {
    return literal(cursor, first, LiteralKind::kBoolean, "TRUE");
  }
  if (cursor.accept("FALSE")) {
    return literal(cursor, first, LiteralKind::kBoolean, "FALSE");
  }
  if (cursor.accept("UNKNOWN")) {  // SQL's third truth value
    return literal(cursor, first, LiteralKind::kNull, "UNKNOWN");
  }
  if (cursor.at("INTERVAL")) {
    return parse_interval(cursor);
  }
  return parse_datetime(cursor);
}

}  // namespace

ExprPtr parse_literal(TokenCursor& cursor) {
  const size_t first = cursor.index();
  switch (cursor.peek().kind) {
    case TokenKind::kInteger:
    case TokenKind::kDecimal: {
      std::string digits = cursor.next().text;
      return literal(cursor, first, LiteralKind::kExactNumeric, std::move(digits));
    }
    case TokenKind::kApproximate: {
      std::string digits = cursor.next().text;
      return literal(cursor, first, LiteralKind::kApproximateNumeric, std::move(digits));
    }
    case TokenKind::kString:
      return parse_string(cursor);
    case TokenKind::kUnicodeString:
      return parse_unicode_string(cursor);
    case TokenKind::kBinary: {
      std::string bytes = decode_hex(cursor.next());
      return literal(cursor, first, LiteralKind::kBinary, std::move(bytes));
    }
    case TokenKind::kWord:
      return parse_word_literal(cursor);
    default:
      return nullptr;
  }
}

}  // namespace thalweg::sql
