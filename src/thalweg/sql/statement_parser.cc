#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

std::shared_ptr<Statement> parse_query_statement(TokenCursor& cursor) {
  auto statement = std::make_shared<QueryStatement>();
  statement->query = parse_query_expr(cursor);
  return statement;
}

std::optional<Identifier> parse_target_alias(TokenCursor& cursor) {
  if (cursor.accept("AS") || cursor.at_name()) {
    return cursor.name("an alias name");
  }
  return std::nullopt;
}

std::shared_ptr<Statement> parse_update(TokenCursor& cursor) {
  cursor.expect("UPDATE");
  auto update = std::make_shared<Update>();
  update->table = cursor.object_name("a table's name");
  update->alias = parse_target_alias(cursor);
  cursor.expect("SET");
  do {
    Assignment assignment;
    assignment.column = cursor.object_name("a column name");
    cursor.expect(TokenKind::kEquals, "=");
    assignment.value = parse_expr(cursor);
    update->assignments.push_back(std::move(assignment));
  } while (cursor.accept(TokenKind::kComma));
  if (cursor.accept("WHERE")) {
    update->where = parse_expr(cursor);
  }
  return update;
}

std::shared_ptr<Statement> parse_delete(TokenCursor& cursor) {
  cursor.expect_all({"DELETE", "FROM"});
  auto statement = std::make_shared<Delete>();
  statement->table = cursor.object_name("a table's name");
  statement->alias = parse_target_alias(cursor);
  if (cursor.accept("WHERE")) {
    statement->where = parse_expr(cursor);
  }
  return statement;
}

std::shared_ptr<Statement> parse_truncate(TokenCursor& cursor) {
  cursor.expect_all({"TRUNCATE", "TABLE"});
  auto truncate = std::make_shared<Truncate>();
  truncate->table = cursor.object_name("a table's name");
  return truncate;
}

/// What EXPLAIN and COMPILE PLAN take: a query, an insert or a statement set.
std::shared_ptr<Statement> parse_planned_statement(TokenCursor& cursor) {
  const TokenCursor::Nesting nesting(cursor);
  if (cursor.accept_all({"STATEMENT", "SET", "BEGIN"})) {
    return parse_statement_set_body(cursor);
  }
  return parse_any_statement(cursor);
}

std::shared_ptr<Statement> parse_explain(TokenCursor& cursor) {
  cursor.expect("EXPLAIN");
  auto explain = std::make_shared<Explain>();
  if (cursor.accept_all({"PLAN", "FOR"})) {
    explain->statement = parse_planned_statement(cursor);
    return explain;
  }
  if (cursor.at_any({"ESTIMATED_COST", "CHANGELOG_MODE", "JSON_EXECUTION_PLAN", "PLAN_ADVICE"})) {
    do {
      explain->details.push_back(cursor.next().keyword);
    } while (cursor.accept(TokenKind::kComma));
  }
  explain->statement = parse_planned_statement(cursor);
  return explain;
}

std::shared_ptr<Statement> parse_compile(TokenCursor& cursor) {
  cursor.expect("COMPILE");
  auto compile = std::make_shared<CompilePlan>();
  compile->execute = cursor.accept_all({"AND", "EXECUTE"});
  cursor.expect("PLAN");
  compile->path = cursor.string_literal("a path in quotes");
  compile->if_not_exists = parse_if_not_exists(cursor);
  cursor.expect("FOR");
  compile->statement = parse_planned_statement(cursor);
  return compile;
}

std::shared_ptr<Statement> parse_execute(TokenCursor& cursor) {
  cursor.expect("EXECUTE");
  if (cursor.accept_all({"STATEMENT", "SET"})) {
    cursor.expect("BEGIN");
    return parse_statement_set_body(cursor);
  }
  if (cursor.accept("PLAN")) {
    auto execute = std::make_shared<ExecutePlan>();
    execute->path = cursor.string_literal("a path in quotes");
    return execute;
  }
  return cursor.at("INSERT") ? std::shared_ptr<Statement>(parse_insert(cursor))
                             : parse_query_statement(cursor);
}

/// BEGIN STATEMENT SET alone, or the whole set when its statements follow.
std::shared_ptr<Statement> parse_begin(TokenCursor& cursor) {
  cursor.expect_all({"BEGIN", "STATEMENT", "SET"});
  if (cursor.at(TokenKind::kSemicolon) && cursor.at("INSERT", 1)) {
    cursor.next();
    return parse_statement_set_body(cursor);
  }
  return std::make_shared<BeginStatementSet>();
}

std::shared_ptr<Statement> parse_call(TokenCursor& cursor) {
  cursor.expect("CALL");
  if (!at_function_call(cursor)) {
    cursor.unexpected("a call of a procedure");
  }
  auto call = std::make_shared<Call>();
  call->call = parse_function_call(cursor);
  return call;
}

std::shared_ptr<Statement> parse_by_first_word(TokenCursor& cursor) {
  using StatementParser = std::shared_ptr<Statement> (*)(TokenCursor&);
  constexpr std::pair<std::string_view, StatementParser> kParsers[] = {
      {"CREATE", &parse_create},
      {"DROP", &parse_drop},
      {"ALTER", &parse_alter},
      {"SHOW", &parse_show},
      {"DESCRIBE", &parse_describe},
      {"DESC", &parse_describe},
      {"EXPLAIN", &parse_explain},
      {"EXECUTE", &parse_execute},
      {"COMPILE", &parse_compile},
      {"BEGIN", &parse_begin},
      {"UPDATE", &parse_update},
      {"DELETE", &parse_delete},
      {"TRUNCATE", &parse_truncate},
      {"CALL", &parse_call}};
  for (const auto& [word, parser] : kParsers) {
    if (cursor.at(word)) {
      return parser(cursor);
    }
  }
  if (cursor.accept("END")) {
    return std::make_shared<End>();
  }
  return parse_session_statement(cursor);
}

}  // namespace

std::shared_ptr<Statement> parse_any_statement(TokenCursor& cursor) {
  const size_t first = cursor.index();
  std::shared_ptr<Statement> statement;
  if (cursor.at("INSERT")) {
    statement = parse_insert(cursor);
  } else if (at_query(cursor) || cursor.at(TokenKind::kLeftParen) || cursor.at("TABLE")) {
    statement = parse_query_statement(cursor);
  } else {
    statement = parse_by_first_word(cursor);
  }
  if (!statement) {
    cursor.unexpected("a statement such as SELECT, INSERT, CREATE, SHOW or EXPLAIN");
  }
  statement->position = cursor.since(first);
  return statement;
}

}  // namespace thalweg::sql
