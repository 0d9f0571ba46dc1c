#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

std::optional<std::string> parse_comment(TokenCursor& cursor) {
  if (!cursor.accept("COMMENT")) {
    return std::nullopt;
  }
  return cursor.string_literal("a comment in quotes");
}

std::shared_ptr<Statement> parse_create_view(TokenCursor& cursor, bool or_replace, bool temporary) {
  auto view = std::make_shared<CreateView>();
  view->or_replace = or_replace;
  view->temporary = temporary;
  view->if_not_exists = parse_if_not_exists(cursor);
  view->name = cursor.object_name("a view's name");
  if (cursor.at(TokenKind::kLeftParen)) {
    view->columns = cursor.names_in_parens();
  }
  view->comment = parse_comment(cursor);
  cursor.expect("AS");
  const size_t query_first = cursor.index();
  view->query = parse_query_expr(cursor);
  view->query_text = cursor.text_since(query_first);
  return view;
}

std::shared_ptr<Statement> parse_create_database(TokenCursor& cursor) {
  auto database = std::make_shared<CreateDatabase>();
  database->if_not_exists = parse_if_not_exists(cursor);
  database->name = cursor.object_name("a database's name");
  database->comment = parse_comment(cursor);
  if (cursor.accept("WITH")) {
    database->options = parse_options(cursor);
  }
  return database;
}

std::shared_ptr<Statement> parse_create_catalog(TokenCursor& cursor) {
  auto catalog = std::make_shared<CreateCatalog>();
  catalog->if_not_exists = parse_if_not_exists(cursor);
  catalog->name = cursor.name("a catalog's name");
  catalog->comment = parse_comment(cursor);
  if (cursor.accept("WITH")) {
    catalog->options = parse_options(cursor);
  }
  return catalog;
}

std::string parse_language(TokenCursor& cursor) {
  if (!cursor.accept("LANGUAGE")) {
    return "JAVA";
  }
  if (!cursor.at_any({"JAVA", "SCALA", "SQL", "PYTHON"})) {
    cursor.unexpected("JAVA, SCALA, SQL or PYTHON");
  }
  return cursor.next().keyword;
}

std::vector<FunctionResource> parse_resources(TokenCursor& cursor) {
  std::vector<FunctionResource> resources;
  if (!cursor.accept("USING")) {
    return resources;
  }
  do {
    if (!cursor.at_any({"JAR", "FILE", "ARCHIVE", "ARTIFACT"})) {
      cursor.unexpected("JAR, FILE or ARCHIVE");
    }
    FunctionResource resource;
    resource.kind = cursor.next().keyword;
    resource.path = cursor.string_literal("a path in quotes");
    resources.push_back(std::move(resource));
  } while (cursor.accept(TokenKind::kComma));
  return resources;
}

std::shared_ptr<Statement> parse_create_function(TokenCursor& cursor, bool temporary, bool system) {
  auto function = std::make_shared<CreateFunction>();
  function->temporary = temporary;
  function->system = system;
  function->if_not_exists = parse_if_not_exists(cursor);
  function->name = cursor.object_name("a function's name");
  cursor.expect("AS");
  function->identifier = cursor.string_literal("the function's class or path in quotes");
  function->language = parse_language(cursor);
  function->using_resources = parse_resources(cursor);
  if (cursor.accept("WITH")) {
    function->options = parse_options(cursor);
  }
  return function;
}

std::vector<ColumnDefinition> parse_model_columns(TokenCursor& cursor) {
  std::vector<ColumnDefinition> columns;
  cursor.expect(TokenKind::kLeftParen, "(");
  do {
    columns.push_back(parse_column_definition(cursor));
  } while (cursor.accept(TokenKind::kComma));
  cursor.expect(TokenKind::kRightParen, ")");
  return columns;
}

std::shared_ptr<Statement> parse_create_model(TokenCursor& cursor, bool temporary) {
  auto model = std::make_shared<CreateModel>();
  model->temporary = temporary;
  model->if_not_exists = parse_if_not_exists(cursor);
  model->name = cursor.object_name("a model's name");
  if (cursor.accept("INPUT")) {
    model->input = parse_model_columns(cursor);
  }
  if (cursor.accept("OUTPUT")) {
    model->output = parse_model_columns(cursor);
  }
  model->comment = parse_comment(cursor);
  if (cursor.accept("WITH")) {
    model->options = parse_options(cursor);
  }
  return model;
}

}  // namespace

std::shared_ptr<Statement> parse_create(TokenCursor& cursor) {
  cursor.expect("CREATE");
  const bool or_replace = cursor.accept_all({"OR", "REPLACE"});
  const bool or_alter = !or_replace && cursor.accept_all({"OR", "ALTER"});
  const bool temporary = cursor.accept("TEMPORARY");
  if (cursor.accept_all({"MATERIALIZED", "TABLE"})) {
    return parse_create_materialized_table(cursor, or_alter);
  }
  if (cursor.accept("TABLE")) {
    return parse_create_table(cursor, or_replace, temporary);
  }
  if (cursor.accept("VIEW")) {
    return parse_create_view(cursor, or_replace, temporary);
  }
  if (cursor.accept_all({"SYSTEM", "FUNCTION"})) {
    return parse_create_function(cursor, temporary, true);
  }
  if (cursor.accept("FUNCTION")) {
    return parse_create_function(cursor, temporary, false);
  }
  if (cursor.accept("MODEL")) {
    return parse_create_model(cursor, temporary);
  }
  if (!temporary && cursor.accept("DATABASE")) {
    return parse_create_database(cursor);
  }
  if (!temporary && cursor.accept("CATALOG")) {
    return parse_create_catalog(cursor);
  }
  cursor.unexpected("TABLE, VIEW, DATABASE, CATALOG, FUNCTION or MODEL");
}

std::shared_ptr<Statement> parse_drop(TokenCursor& cursor) {
  cursor.expect("DROP");
  auto drop = std::make_shared<Drop>();
  drop->temporary = cursor.accept("TEMPORARY");
  drop->system = drop->temporary && cursor.accept("SYSTEM");
  if (drop->system || cursor.at("FUNCTION")) {
    cursor.expect("FUNCTION");
    drop->object = ObjectKind::kFunction;
  } else if (cursor.accept_all({"MATERIALIZED", "TABLE"})) {
    drop->object = ObjectKind::kMaterializedTable;
  } else if (cursor.accept("TABLE")) {
    drop->object = ObjectKind::kTable;
  } else if (cursor.accept("VIEW")) {
    drop->object = ObjectKind::kView;
  } else if (cursor.accept("MODEL")) {
    drop->object = ObjectKind::kModel;
  } else if (!drop->temporary && cursor.accept("DATABASE")) {
    drop->object = ObjectKind::kDatabase;
  } else if (!drop->temporary && cursor.accept("CATALOG")) {
    drop->object = ObjectKind::kCatalog;
  } else {
    cursor.unexpected("TABLE, VIEW, DATABASE, CATALOG, FUNCTION or MODEL");
  }
  drop->if_exists = parse_if_exists(cursor);
  drop->name = cursor.object_name();
  if (drop->object == ObjectKind::kDatabase) {
    drop->cascade = cursor.accept("CASCADE");
    if (!drop->cascade) {
      cursor.accept("RESTRICT");
    }
  }
  return drop;
}

}  // namespace thalweg::sql
