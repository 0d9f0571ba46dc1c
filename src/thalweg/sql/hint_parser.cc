#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

/// A string, a name or a number.
std::string parse_hint_word(TokenCursor& cursor) {
  if (cursor.at(TokenKind::kString) || cursor.at(TokenKind::kInteger) ||
      cursor.at(TokenKind::kDecimal)) {
    return cursor.next().text;
  }
  return cursor.object_name("a hint's argument").dotted();
}

HintArgument parse_hint_argument(TokenCursor& cursor) {
  const size_t first = cursor.index();
  HintArgument argument;
  argument.value = parse_hint_word(cursor);
  if (cursor.accept(TokenKind::kEquals)) {
    argument.key = std::move(argument.value);
    argument.value = parse_hint_word(cursor);
  }
  argument.position = cursor.since(first);
  return argument;
}

}  // namespace

std::vector<Hint> parse_hints(TokenCursor& cursor) {
  std::vector<Hint> hints;
  if (!cursor.accept(TokenKind::kHintBegin)) {
    return hints;
  }
  do {
    Hint hint;
    hint.name = cursor.name("a hint such as OPTIONS");
    if (cursor.accept(TokenKind::kLeftParen)) {
      while (!cursor.at(TokenKind::kRightParen)) {
        hint.args.push_back(parse_hint_argument(cursor));
        if (!cursor.accept(TokenKind::kComma)) {
          break;
        }
      }
      cursor.expect(TokenKind::kRightParen, ")");
    }
    hints.push_back(std::move(hint));
    cursor.accept(TokenKind::kComma);
  } while (!cursor.at(TokenKind::kHintEnd) && !cursor.at_end());
  cursor.expect(TokenKind::kHintEnd, "*/");
  return hints;
}

}  // namespace thalweg::sql
