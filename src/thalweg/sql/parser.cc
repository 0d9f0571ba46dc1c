#include "thalweg/sql/parser.h"

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

void expect_end(TokenCursor& cursor) {
  if (!cursor.at_end()) {
    cursor.unexpected("the end of the statement");
  }
}

}  // namespace

StatementPtr parse_statement(std::string_view text) {
  TokenCursor cursor(text);
  StatementPtr statement = parse_any_statement(cursor);
  cursor.accept(TokenKind::kSemicolon);
  expect_end(cursor);
  return statement;
}

std::vector<StatementPtr> parse_statements(std::string_view text) {
  TokenCursor cursor(text);
  std::vector<StatementPtr> statements;
  while (true) {
    while (cursor.accept(TokenKind::kSemicolon)) {
    }
    if (cursor.at_end()) {
      return statements;
    }
    statements.push_back(parse_any_statement(cursor));
    if (!cursor.at_end() && !cursor.at(TokenKind::kSemicolon)) {
      cursor.unexpected(";");
    }
  }
}

ExprPtr parse_expression(std::string_view text) {
  TokenCursor cursor(text);
  const size_t first = cursor.index();
  if (cursor.accept(TokenKind::kStar)) {
    expect_end(cursor);
    return make_node<Star>(cursor, first);
  }
  ExprPtr expr = parse_expr(cursor);
  expect_end(cursor);
  return expr;
}

QueryPtr parse_query(std::string_view text) {
  TokenCursor cursor(text);
  QueryPtr query = parse_query_expr(cursor);
  cursor.accept(TokenKind::kSemicolon);
  expect_end(cursor);
  return query;
}

DataType parse_data_type(std::string_view text) {
  TokenCursor cursor(text);
  DataType type = parse_nullable_type(cursor);
  expect_end(cursor);
  return type;
}

ObjectName parse_object_name(std::string_view text) {
  TokenCursor cursor(text);
  ObjectName name = cursor.object_name();
  expect_end(cursor);
  return name;
}

}  // namespace thalweg::sql
