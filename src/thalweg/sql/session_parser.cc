#include <utility>

#include "thalweg/sql/grammar.h"

// What changes or asks the session rather than data: USE, SET, modules, jars, jobs, the shell's own
// commands.

namespace thalweg::sql {

namespace {

std::shared_ptr<Statement> parse_use(TokenCursor& cursor) {
  cursor.expect("USE");
  if (cursor.accept("MODULES")) {
    auto modules = std::make_shared<UseModules>();
    do {
      modules->modules.push_back(cursor.name("a module's name"));
    } while (cursor.accept(TokenKind::kComma));
    return modules;
  }
  auto use = std::make_shared<Use>();
  use->catalog = cursor.at("CATALOG") && cursor.at_name(1);
  if (use->catalog) {
    cursor.next();
  }
  use->name = cursor.object_name();
  return use;
}

/// The text up to `stop` or the end of the statement, for keys and values without quotes.
std::string parse_bare_text(TokenCursor& cursor, TokenKind stop, std::string_view what) {
  const size_t first = cursor.index();
  while (!cursor.at(stop) && !cursor.at(TokenKind::kSemicolon) && !cursor.at_end()) {
    cursor.next();
  }
  std::string text = cursor.text_since(first);
  if (text.empty()) {
    cursor.unexpected(what);
  }
  return text;
}

std::string parse_setting(TokenCursor& cursor, TokenKind stop, std::string_view what) {
  if (cursor.at(TokenKind::kString)) {
    return cursor.next().text;
  }
  return parse_bare_text(cursor, stop, what);
}

bool at_statement_end(const TokenCursor& cursor) {
  return cursor.at_end() || cursor.at(TokenKind::kSemicolon);
}

std::shared_ptr<Statement> parse_set(TokenCursor& cursor) {
  cursor.expect("SET");
  auto set = std::make_shared<Set>();
  if (at_statement_end(cursor)) {
    return set;
  }
  set->key = parse_setting(cursor, TokenKind::kEquals, "a key in quotes");
  cursor.expect(TokenKind::kEquals, "=");
  set->value = parse_setting(cursor, TokenKind::kSemicolon, "a value in quotes");
  return set;
}

std::shared_ptr<Statement> parse_reset(TokenCursor& cursor) {
  cursor.expect("RESET");
  auto reset = std::make_shared<Reset>();
  if (!at_statement_end(cursor)) {
    reset->key = parse_setting(cursor, TokenKind::kSemicolon, "a key in quotes");
  }
  return reset;
}

std::shared_ptr<Statement> parse_load(TokenCursor& cursor) {
  auto load = std::make_shared<LoadModule>();
  load->name = cursor.name("a module's name");
  if (cursor.accept("WITH")) {
    load->options = parse_options(cursor);
  }
  return load;
}

std::shared_ptr<Statement> parse_jar(TokenCursor& cursor, bool remove) {
  auto jar = std::make_shared<Jar>();
  jar->remove = remove;
  jar->path = cursor.string_literal("a path in quotes");
  return jar;
}

std::shared_ptr<Statement> parse_stop_job(TokenCursor& cursor) {
  auto stop = std::make_shared<StopJob>();
  stop->job_id = cursor.string_literal("a job's id in quotes");
  while (cursor.accept("WITH")) {
    if (cursor.accept("SAVEPOINT")) {
      stop->with_savepoint = true;
    } else {
      cursor.expect("DRAIN");
      stop->with_drain = true;
    }
  }
  return stop;
}

std::shared_ptr<Statement> parse_analyze(TokenCursor& cursor) {
  auto analyze = std::make_shared<AnalyzeTable>();
  analyze->table = cursor.object_name("a table's name");
  if (cursor.accept("PARTITION")) {
    analyze->partition = parse_partition_spec(cursor);
  }
  cursor.expect_all({"COMPUTE", "STATISTICS"});
  if (cursor.accept("FOR")) {
    analyze->all_columns = cursor.accept_all({"ALL", "COLUMNS"});
    if (!analyze->all_columns) {
      cursor.expect("COLUMNS");
      do {
        analyze->columns.push_back(cursor.name("a column name"));
      } while (cursor.accept(TokenKind::kComma));
    }
  }
  return analyze;
}

/// QUIT, EXIT, CLEAR, HELP, and SOURCE 'file'.
std::shared_ptr<Statement> parse_client_command(TokenCursor& cursor) {
  if (!cursor.at_any({"QUIT", "EXIT", "CLEAR", "HELP", "SOURCE"})) {
    return nullptr;
  }
  auto command = std::make_shared<ClientCommand>();
  command->word = cursor.next().keyword;
  if (command->word == "SOURCE") {
    command->argument = parse_setting(cursor, TokenKind::kSemicolon, "a file's path in quotes");
  }
  return command;
}

}  // namespace

std::shared_ptr<Statement> parse_session_statement(TokenCursor& cursor) {
  if (cursor.at("USE")) {
    return parse_use(cursor);
  }
  if (cursor.at("SET")) {
    return parse_set(cursor);
  }
  if (cursor.at("RESET")) {
    return parse_reset(cursor);
  }
  if (cursor.accept_all({"LOAD", "MODULE"})) {
    return parse_load(cursor);
  }
  if (cursor.accept_all({"UNLOAD", "MODULE"})) {
    auto unload = std::make_shared<UnloadModule>();
    unload->name = cursor.name("a module's name");
    return unload;
  }
  if (cursor.accept_all({"ADD", "JAR"})) {
    return parse_jar(cursor, false);
  }
  if (cursor.accept_all({"REMOVE", "JAR"})) {
    return parse_jar(cursor, true);
  }
  if (cursor.accept_all({"STOP", "JOB"})) {
    return parse_stop_job(cursor);
  }
  if (cursor.accept_all({"ANALYZE", "TABLE"})) {
    return parse_analyze(cursor);
  }
  return parse_client_command(cursor);
}

}  // namespace thalweg::sql
