#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/sql/ast_name.h"
#include "thalweg/sql/token.h"

namespace thalweg::sql {

/// Reads tokens one by one for the parse functions of this module. Owned by one parse call; not
/// shared.
///
/// "accept" moves on when the token is there and tells so; "expect" throws when it is not.
class TokenCursor {
 public:
  explicit TokenCursor(std::string_view text);

  const Token& peek(size_t ahead = 0) const;
  const Token& next();

  size_t index() const { return index_; }

  void rewind(size_t index) { index_ = index; }

  bool at(TokenKind kind, size_t ahead = 0) const { return peek(ahead).kind == kind; }

  bool at(std::string_view keyword, size_t ahead = 0) const {
    return peek(ahead).keyword == keyword;
  }

  bool at_all(std::initializer_list<std::string_view> keywords) const;
  bool at_any(std::initializer_list<std::string_view> keywords) const;

  bool at_end() const { return at(TokenKind::kEnd); }

  bool accept(TokenKind kind);
  bool accept(std::string_view keyword);
  /// All of the keywords in a row, or none.
  bool accept_all(std::initializer_list<std::string_view> keywords);

  void expect(TokenKind kind, std::string_view what);
  void expect(std::string_view keyword);
  void expect_all(std::initializer_list<std::string_view> keywords);

  /// Whether the token may be a name: quoted, or a word that is not reserved.
  bool at_name(size_t ahead = 0) const;
  Identifier name(std::string_view what = "a name");
  ObjectName object_name(std::string_view what = "a name");
  std::vector<Identifier> names_in_parens();
  std::string string_literal(std::string_view what = "a string");
  int32_t unsigned_int(std::string_view what = "a number");

  /// From the start of the token at `first` to the end of the token read last.
  SourcePosition since(size_t first) const;
  /// The text from the token at `first` to the token read last, as typed.
  std::string text_since(size_t first) const;

  /// Throws "SQL parse failed. Encountered ..." for the next token.
  [[noreturn]] void unexpected(std::string_view expected) const;

  /// Guards the recursion of nested expressions and queries.
  class Nesting {
   public:
    explicit Nesting(TokenCursor& cursor);

    ~Nesting() { --cursor_.depth_; }

    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    TokenCursor& cursor_;
  };

 private:
  /// What probably went wrong at the next token; may be empty.
  std::string syntax_hint() const;

  std::string_view text_;
  std::vector<Token> tokens_;
  size_t index_ = 0;
  int depth_ = 0;
};

}  // namespace thalweg::sql
