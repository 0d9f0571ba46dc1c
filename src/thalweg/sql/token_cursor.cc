#include "thalweg/sql/token_cursor.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "thalweg/sql/keyword_hint.h"
#include "thalweg/sql/lexer.h"
#include "thalweg/sql/reserved_words.h"

namespace thalweg::sql {

namespace {

/// Deep enough for any query a person or a tool writes, and safe on a thread's one-megabyte stack.
constexpr int kMaxNesting = 200;

bool is_unquoted_reserved(const Token& token) {
  return token.kind == TokenKind::kWord && is_reserved(token.keyword);
}

std::string unterminated_message(const Token& token) {
  const std::string_view what = token.text == "/*"  ? "comment"
                                : token.text == "`" ? "quoted name"
                                                    : "string";
  return fmt::format("SQL parse failed. The {} that starts at line {}, column {} has no end.",
                     what,
                     token.position.line,
                     token.position.column);
}

}  // namespace

TokenCursor::TokenCursor(std::string_view text) : text_(text), tokens_(tokenize(text)) {}

const Token& TokenCursor::peek(size_t ahead) const {
  return tokens_[std::min(index_ + ahead, tokens_.size() - 1)];
}

const Token& TokenCursor::next() {
  const Token& token = peek();
  if (index_ + 1 < tokens_.size()) {
    ++index_;
  }
  return token;
}

bool TokenCursor::at_all(std::initializer_list<std::string_view> keywords) const {
  size_t ahead = 0;
  return std::all_of(keywords.begin(), keywords.end(), [this, &ahead](std::string_view keyword) {
    return at(keyword, ahead++);
  });
}

bool TokenCursor::at_any(std::initializer_list<std::string_view> keywords) const {
  return std::any_of(
      keywords.begin(), keywords.end(), [this](std::string_view keyword) { return at(keyword); });
}

bool TokenCursor::accept(TokenKind kind) {
  if (!at(kind)) {
    return false;
  }
  next();
  return true;
}

bool TokenCursor::accept(std::string_view keyword) {
  if (!at(keyword)) {
    return false;
  }
  next();
  return true;
}

bool TokenCursor::accept_all(std::initializer_list<std::string_view> keywords) {
  if (!at_all(keywords)) {
    return false;
  }
  index_ += keywords.size();
  return true;
}

void TokenCursor::expect(TokenKind kind, std::string_view what) {
  if (!accept(kind)) {
    unexpected(what);
  }
}

void TokenCursor::expect(std::string_view keyword) {
  if (!accept(keyword)) {
    unexpected(keyword);
  }
}

void TokenCursor::expect_all(std::initializer_list<std::string_view> keywords) {
  for (const std::string_view keyword : keywords) {
    expect(keyword);
  }
}

bool TokenCursor::at_name(size_t ahead) const {
  const Token& token = peek(ahead);
  return token.kind == TokenKind::kQuotedName ||
         (token.kind == TokenKind::kWord && !is_reserved(token.keyword));
}

Identifier TokenCursor::name(std::string_view what) {
  if (!at_name()) {
    unexpected(what);
  }
  const Token& token = next();
  return Identifier(token.text, token.position);
}

ObjectName TokenCursor::object_name(std::string_view what) {
  ObjectName result;
  result.parts.push_back(name(what));
  while (at(TokenKind::kDot) && !at(TokenKind::kStar, 1)) {
    next();
    result.parts.push_back(name(what));
  }
  return result;
}

std::vector<Identifier> TokenCursor::names_in_parens() {
  std::vector<Identifier> names;
  expect(TokenKind::kLeftParen, "(");
  do {
    names.push_back(name());
  } while (accept(TokenKind::kComma));
  expect(TokenKind::kRightParen, ")");
  return names;
}

std::string TokenCursor::string_literal(std::string_view what) {
  if (!at(TokenKind::kString)) {
    unexpected(what);
  }
  return next().text;
}

int32_t TokenCursor::unsigned_int(std::string_view what) {
  if (!at(TokenKind::kInteger)) {
    unexpected(what);
  }
  const std::string& digits = peek().text;
  int32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc()) {
    unexpected("a number up to 2147483647");
  }
  next();
  return value;
}

SourcePosition TokenCursor::since(size_t first) const {
  const size_t last = index_ > first ? index_ - 1 : first;
  return span(tokens_[first].position, tokens_[last].position);
}

std::string TokenCursor::text_since(size_t first) const {
  if (index_ <= first) {
    return {};
  }
  const size_t begin = tokens_[first].offset;
  return std::string(text_.substr(begin, tokens_[index_ - 1].end - begin));
}

void TokenCursor::unexpected(std::string_view expected) const {
  const Token& token = peek();
  if (token.kind == TokenKind::kUnterminated) {
    throw Error(ErrorCode::kSqlSyntax, unterminated_message(token)).at(token.position);
  }
  const std::string found = token.kind == TokenKind::kEnd
                                ? "<EOF>"
                                : std::string(text_.substr(token.offset, token.end - token.offset));
  std::string message = fmt::format("SQL parse failed. Encountered \"{}\" at line {}, column {}.",
                                    found,
                                    token.position.line,
                                    token.position.column);
  if (!expected.empty()) {
    message += fmt::format("\nWas expecting: {}", expected);
  }
  if (is_unquoted_reserved(token) && expected.find("name") != std::string_view::npos) {
    throw Error(ErrorCode::kReservedWord, std::move(message))
        .at(token.position)
        .hint(fmt::format("{} is a reserved word; as a name write it in back quotes: `{}`",
                          token.keyword,
                          token.text));
  }
  throw Error(ErrorCode::kSqlSyntax, std::move(message)).at(token.position).hint(syntax_hint());
}

std::string TokenCursor::syntax_hint() const {
  if (at(TokenKind::kInvalid) && peek().text == "\"") {
    return "a string is written in single quotes, a name in back quotes";
  }
  // The word that stops the parser, or the one before it, which then passed for a name.
  for (size_t back = 0; back <= 1 && back <= index_; ++back) {
    const Token& word = tokens_[index_ - back];
    const std::string_view keyword = nearest_keyword(word.keyword);
    if (!keyword.empty() && !is_reserved(word.keyword)) {
      return fmt::format("did you mean {} instead of {}?", keyword, word.text);
    }
  }
  return {};
}

TokenCursor::Nesting::Nesting(TokenCursor& cursor) : cursor_(cursor) {
  if (cursor_.depth_ >= kMaxNesting) {
    throw Error(
        ErrorCode::kSqlSyntax,
        fmt::format("SQL parse failed. More than {} nested expressions or queries.", kMaxNesting))
        .at(cursor_.peek().position);
  }
  ++cursor_.depth_;
}

}  // namespace thalweg::sql
