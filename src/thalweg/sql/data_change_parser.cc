#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

void parse_on_conflict(TokenCursor& cursor, Insert& insert) {
  if (!cursor.accept("ON")) {
    return;
  }
  cursor.expect("CONFLICT");
  cursor.expect("DO");
  if (cursor.accept("ERROR")) {
    insert.on_conflict = Insert::OnConflict::kError;
  } else if (cursor.accept("NOTHING")) {
    insert.on_conflict = Insert::OnConflict::kNothing;
  } else if (cursor.accept("DEDUPLICATE")) {
    insert.on_conflict = Insert::OnConflict::kDeduplicate;
  } else {
    cursor.unexpected("ERROR, NOTHING or DEDUPLICATE");
  }
}

std::vector<ObjectName> parse_insert_columns(TokenCursor& cursor) {
  std::vector<ObjectName> columns;
  cursor.expect(TokenKind::kLeftParen, "(");
  do {
    columns.push_back(cursor.object_name("a column name"));
  } while (cursor.accept(TokenKind::kComma));
  cursor.expect(TokenKind::kRightParen, ")");
  return columns;
}

/// Whether "(" opens a query rather than a list of columns.
bool at_parenthesised_query(const TokenCursor& cursor) {
  size_t ahead = 1;
  while (cursor.at(TokenKind::kLeftParen, ahead)) {
    ++ahead;
  }
  return at_query(cursor, ahead);
}

}  // namespace

std::shared_ptr<Insert> parse_insert(TokenCursor& cursor) {
  const size_t first = cursor.index();
  auto insert = std::make_shared<Insert>();
  cursor.expect("INSERT");
  insert->overwrite = cursor.accept("OVERWRITE");
  if (!insert->overwrite) {
    cursor.expect("INTO");
  }
  cursor.accept("TABLE");
  insert->table = cursor.object_name("a table's name");
  insert->hints = parse_hints(cursor);
  if (cursor.accept("PARTITION")) {
    insert->partition = parse_partition_spec(cursor);
  }
  if (cursor.at(TokenKind::kLeftParen) && !at_parenthesised_query(cursor)) {
    insert->columns = parse_insert_columns(cursor);
  }
  insert->query = parse_query_expr(cursor);
  parse_on_conflict(cursor, *insert);
  insert->position = cursor.since(first);
  return insert;
}

std::shared_ptr<StatementSet> parse_statement_set_body(TokenCursor& cursor) {
  const size_t first = cursor.index();
  auto set = std::make_shared<StatementSet>();
  while (!cursor.at("END")) {
    set->inserts.push_back(parse_insert(cursor));
    cursor.expect(TokenKind::kSemicolon, ";");
  }
  if (set->inserts.empty()) {
    cursor.unexpected("INSERT");
  }
  cursor.expect("END");
  set->position = cursor.since(first);
  return set;
}

}  // namespace thalweg::sql
