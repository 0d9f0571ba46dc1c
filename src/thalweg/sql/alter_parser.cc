#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

std::shared_ptr<Statement> parse_alter_view(TokenCursor& cursor) {
  auto alter = std::make_shared<AlterView>();
  alter->name = cursor.object_name("a view's name");
  if (cursor.accept_all({"RENAME", "TO"})) {
    alter->new_name = cursor.object_name("a view's name");
    return alter;
  }
  cursor.expect("AS");
  const size_t query_first = cursor.index();
  alter->query = parse_query_expr(cursor);
  alter->query_text = cursor.text_since(query_first);
  return alter;
}

std::shared_ptr<Statement> parse_alter_database(TokenCursor& cursor) {
  auto alter = std::make_shared<AlterDatabase>();
  alter->name = cursor.object_name("a database's name");
  cursor.expect("SET");
  alter->options = parse_options(cursor);
  return alter;
}

std::shared_ptr<Statement> parse_alter_catalog(TokenCursor& cursor) {
  auto alter = std::make_shared<AlterCatalog>();
  alter->name = cursor.name("a catalog's name");
  if (cursor.accept("SET")) {
    alter->options = parse_options(cursor);
  } else if (cursor.accept("RESET")) {
    alter->reset_keys = parse_option_keys(cursor);
  } else {
    cursor.expect("COMMENT");
    alter->comment = cursor.string_literal("a comment in quotes");
  }
  return alter;
}

std::shared_ptr<Statement> parse_alter_function(TokenCursor& cursor, bool temporary, bool system) {
  auto alter = std::make_shared<AlterFunction>();
  alter->temporary = temporary;
  alter->system = system;
  alter->if_exists = parse_if_exists(cursor);
  alter->name = cursor.object_name("a function's name");
  cursor.expect("AS");
  alter->identifier = cursor.string_literal("the function's class or path in quotes");
  if (cursor.accept("LANGUAGE")) {
    if (!cursor.at_any({"JAVA", "SCALA", "SQL", "PYTHON"})) {
      cursor.unexpected("JAVA, SCALA, SQL or PYTHON");
    }
    alter->language = cursor.next().keyword;
  }
  return alter;
}

std::shared_ptr<Statement> parse_alter_model(TokenCursor& cursor) {
  auto alter = std::make_shared<AlterModel>();
  alter->if_exists = parse_if_exists(cursor);
  alter->name = cursor.object_name("a model's name");
  if (cursor.accept("SET")) {
    alter->options = parse_options(cursor);
  } else if (cursor.accept("RESET")) {
    alter->reset_keys = parse_option_keys(cursor);
  } else {
    cursor.expect_all({"RENAME", "TO"});
    alter->new_name = cursor.object_name("a model's name");
  }
  return alter;
}

std::shared_ptr<Statement> parse_alter_materialized_table(TokenCursor& cursor) {
  auto alter = std::make_shared<AlterMaterializedTable>();
  alter->name = cursor.object_name("a table's name");
  if (cursor.accept("SUSPEND")) {
    alter->action = MaterializedTableAction::kSuspend;
  } else if (cursor.accept("RESUME")) {
    alter->action = MaterializedTableAction::kResume;
    if (cursor.accept("WITH")) {
      alter->options = parse_options(cursor);
    }
  } else if (cursor.accept("REFRESH")) {
    alter->action = MaterializedTableAction::kRefresh;
    if (cursor.accept("PARTITION")) {
      alter->partition = parse_partition_spec(cursor);
    }
  } else {
    cursor.expect("AS");
    alter->action = MaterializedTableAction::kAs;
    const size_t query_first = cursor.index();
    alter->query = parse_query_expr(cursor);
    alter->query_text = cursor.text_since(query_first);
  }
  return alter;
}

}  // namespace

std::shared_ptr<Statement> parse_alter(TokenCursor& cursor) {
  cursor.expect("ALTER");
  if (cursor.accept("TABLE")) {
    return parse_alter_table(cursor);
  }
  if (cursor.accept("VIEW")) {
    return parse_alter_view(cursor);
  }
  if (cursor.accept("DATABASE")) {
    return parse_alter_database(cursor);
  }
  if (cursor.accept("CATALOG")) {
    return parse_alter_catalog(cursor);
  }
  if (cursor.accept("MODEL")) {
    return parse_alter_model(cursor);
  }
  if (cursor.accept_all({"MATERIALIZED", "TABLE"})) {
    return parse_alter_materialized_table(cursor);
  }
  const bool temporary = cursor.accept("TEMPORARY");
  const bool system = temporary && cursor.accept("SYSTEM");
  if (cursor.accept("FUNCTION")) {
    return parse_alter_function(cursor, temporary, system);
  }
  cursor.unexpected("TABLE, VIEW, DATABASE, CATALOG, FUNCTION or MODEL");
}

}  // namespace thalweg::sql
