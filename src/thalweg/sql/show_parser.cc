#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

void parse_pattern(TokenCursor& cursor, Show& show) {
  const size_t before = cursor.index();
  show.not_like = cursor.accept("NOT");
  if (cursor.accept("LIKE")) {
    show.like = cursor.string_literal("a pattern in quotes");
  } else if (cursor.accept("ILIKE")) {
    show.ilike = true;
    show.like = cursor.string_literal("a pattern in quotes");
  } else {
    show.not_like = false;
    cursor.rewind(before);
  }
}

/// [FROM | IN name] [[NOT] LIKE 'pattern']
void parse_scope_and_pattern(TokenCursor& cursor, Show& show) {
  if (cursor.accept("FROM") || cursor.accept("IN")) {
    show.name = cursor.object_name();
  }
  parse_pattern(cursor, show);
}

void parse_show_create(TokenCursor& cursor, Show& show) {
  constexpr std::pair<std::string_view, ShowKind> kObjects[] = {
      {"TABLE", ShowKind::kCreateTable},
      {"VIEW", ShowKind::kCreateView},
      {"CATALOG", ShowKind::kCreateCatalog},
      {"DATABASE", ShowKind::kCreateDatabase},
      {"MODEL", ShowKind::kCreateModel}};
  bool found = false;
  for (const auto& [word, kind] : kObjects) {
    if (cursor.accept(word)) {
      show.show_kind = kind;
      found = true;
      break;
    }
  }
  if (!found) {
    if (!cursor.accept_all({"MATERIALIZED", "TABLE"})) {
      cursor.unexpected("TABLE, VIEW, CATALOG, DATABASE or MODEL");
    }
    show.show_kind = ShowKind::kCreateMaterializedTable;
  }
  show.name = cursor.object_name();
}

/// The lists that take a scope and a pattern.
bool parse_show_list(TokenCursor& cursor, Show& show) {
  constexpr std::pair<std::string_view, ShowKind> kLists[] = {{"CATALOGS", ShowKind::kCatalogs},
                                                              {"DATABASES", ShowKind::kDatabases},
                                                              {"TABLES", ShowKind::kTables},
                                                              {"VIEWS", ShowKind::kViews},
                                                              {"FUNCTIONS", ShowKind::kFunctions},
                                                              {"PROCEDURES", ShowKind::kProcedures},
                                                              {"MODELS", ShowKind::kModels}};
  for (const auto& [word, kind] : kLists) {
    if (cursor.accept(word)) {
      show.show_kind = kind;
      parse_scope_and_pattern(cursor, show);
      return true;
    }
  }
  if (cursor.accept_all({"USER", "FUNCTIONS"})) {
    show.show_kind = ShowKind::kUserFunctions;
  } else if (cursor.accept_all({"MATERIALIZED", "TABLES"})) {
    show.show_kind = ShowKind::kMaterializedTables;
  } else {
    return false;
  }
  parse_scope_and_pattern(cursor, show);
  return true;
}

bool parse_show_plain(TokenCursor& cursor, Show& show) {
  if (cursor.accept_all({"CURRENT", "CATALOG"})) {
    show.show_kind = ShowKind::kCurrentCatalog;
  } else if (cursor.accept_all({"CURRENT", "DATABASE"})) {
    show.show_kind = ShowKind::kCurrentDatabase;
  } else if (cursor.accept("MODULES")) {
    show.show_kind = ShowKind::kModules;
  } else if (cursor.accept_all({"FULL", "MODULES"})) {
    show.show_kind = ShowKind::kFullModules;
  } else if (cursor.accept("JARS")) {
    show.show_kind = ShowKind::kJars;
  } else if (cursor.accept("JOBS")) {
    show.show_kind = ShowKind::kJobs;
  } else {
    return false;
  }
  return true;
}

bool at_described_object(const TokenCursor& cursor, std::string_view word) {
  return cursor.at(word) && (cursor.at_name(1) || cursor.at("EXTENDED", 1));
}

void parse_described_object(TokenCursor& cursor, Describe& describe) {
  constexpr std::pair<std::string_view, DescribeKind> kObjects[] = {
      {"CATALOG", DescribeKind::kCatalog},
      {"DATABASE", DescribeKind::kDatabase},
      {"FUNCTION", DescribeKind::kFunction},
      {"MODEL", DescribeKind::kModel}};
  for (const auto& [word, kind] : kObjects) {
    if (at_described_object(cursor, word)) {
      cursor.next();
      describe.describe_kind = kind;
      break;
    }
  }
  describe.extended = cursor.accept("EXTENDED");
  describe.name = cursor.object_name();
}

}  // namespace

std::shared_ptr<Statement> parse_show(TokenCursor& cursor) {
  cursor.expect("SHOW");
  auto show = std::make_shared<Show>();
  if (parse_show_plain(cursor, *show) || parse_show_list(cursor, *show)) {
    return show;
  }
  if (cursor.accept("CREATE")) {
    parse_show_create(cursor, *show);
  } else if (cursor.accept("COLUMNS")) {
    show->show_kind = ShowKind::kColumns;
    if (!cursor.accept("FROM")) {
      cursor.expect("IN");
    }
    show->name = cursor.object_name("a table's name");
    parse_pattern(cursor, *show);
  } else if (cursor.accept("PARTITIONS")) {
    show->show_kind = ShowKind::kPartitions;
    show->name = cursor.object_name("a table's name");
    if (cursor.accept("PARTITION")) {
      show->partition = parse_partition_spec(cursor);
    }
  } else {
    cursor.unexpected(
        "CATALOGS, DATABASES, TABLES, VIEWS, COLUMNS, FUNCTIONS, MODULES, CREATE or another list");
  }
  return show;
}

std::shared_ptr<Statement> parse_describe(TokenCursor& cursor) {
  if (!cursor.accept("DESC")) {
    cursor.expect("DESCRIBE");
  }
  auto describe = std::make_shared<Describe>();
  if (cursor.at("JOB") && cursor.at(TokenKind::kString, 1)) {
    cursor.next();
    describe->describe_kind = DescribeKind::kJob;
    describe->job_id = cursor.next().text;
  } else {
    parse_described_object(cursor, *describe);
  }
  return describe;
}

}  // namespace thalweg::sql
