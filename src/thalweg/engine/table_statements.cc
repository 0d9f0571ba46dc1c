#include "thalweg/catalog/alter_table.h"
#include "thalweg/catalog/table_definition.h"
#include "thalweg/engine/statements.h"
#include "thalweg/planner/planner.h"
#include "thalweg/sql/unparser.h"

namespace thalweg::engine {

namespace {

void resolve(SessionState& state, catalog::CatalogTable& table) {
  catalog::check_keys(table);
  table.resolved = planner::resolve_columns(table, state.planner);
}

/// "expected a table, 't' is a view" and the like come from the catalog; this only adds the new
/// definition.
catalog::CatalogViewPtr make_view(SessionState& state,
                                  const sql::QueryPtr& query,
                                  const std::string& text,
                                  const std::vector<sql::Identifier>& columns,
                                  std::optional<std::string> comment) {
  auto view = std::make_shared<catalog::CatalogView>();
  view->original_text = text;
  view->expanded_text = planner::expanded_text(*query, state.planner);
  view->query = query;
  view->catalog = state.catalogs.current_catalog();
  view->database = state.catalogs.current_database();
  view->schema = planner::schema_of_query(*query, columns, true, state.planner);
  view->comment = std::move(comment);
  return view;
}

}  // namespace

catalog::CatalogObject define_object(SessionState& state, const sql::Statement& statement) {
  if (statement.kind == sql::StatementKind::kCreateView) {
    const auto& create = sql::as<sql::CreateView>(statement);
    return make_view(state, create.query, create.query_text, create.columns, create.comment);
  }
  if (statement.kind != sql::StatementKind::kCreateTable) {
    throw Error(ErrorCode::kValidation, "A catalog's object is defined by CREATE TABLE or VIEW");
  }
  const auto& create = sql::as<sql::CreateTable>(statement);
  catalog::CatalogTable table = catalog::define_table(create, state.catalogs);
  resolve(state, table);
  return std::make_shared<const catalog::CatalogTable>(std::move(table));
}

Result execute_create_table(SessionState& state, const sql::CreateTable& create) {
  const catalog::ObjectPath path = state.catalogs.qualify(create.name);
  catalog::CatalogTable table = catalog::define_table(create, state.catalogs);
  Schema query_schema;
  if (create.as_query != nullptr) {
    query_schema = planner::schema_of_query(*create.as_query, {}, false, state.planner);
    catalog::add_query_columns(table, create, query_schema);
  }
  resolve(state, table);
  const bool made =
      state.catalogs.create_table(path,
                                  std::make_shared<catalog::CatalogTable>(std::move(table)),
                                  {create.temporary, create.if_not_exists, create.or_replace});
  if (create.as_query == nullptr || !made) {
    return {};
  }
  try {
    sql::Insert insert;
    insert.table = create.name;
    insert.query = create.as_query;
    for (const Field& column : query_schema) {
      insert.columns.emplace_back(
          std::vector<sql::Identifier>{sql::Identifier(column.name, create.position)});
    }
    return execute_insert_plans(state, {planner::bind_insert(insert, state.planner)}, {});
  } catch (...) {
    state.catalogs.drop_table(path, create.temporary, true);
    throw;
  }
}

Result execute_alter_table(SessionState& state, const sql::AlterTable& alter) {
  const auto entry = state.catalogs.find_for_alter(alter.name, alter.if_exists);
  if (!entry) {
    return {};
  }
  if (const auto* rename = std::get_if<sql::AlterTableRename>(&alter.action)) {
    state.catalogs.rename_table(entry->path, rename->new_name.last());
    return {};
  }
  catalog::CatalogTable table = catalog::alter_table(*entry->table(), alter, entry->path);
  resolve(state, table);
  state.catalogs.replace_table(entry->path,
                               std::make_shared<catalog::CatalogTable>(std::move(table)));
  return {};
}

Result execute_create_view(SessionState& state, const sql::CreateView& create) {
  state.catalogs.create_view(
      state.catalogs.qualify(create.name),
      make_view(state, create.query, create.query_text, create.columns, create.comment),
      {create.temporary, create.if_not_exists, create.or_replace});
  return {};
}

Result execute_alter_view(SessionState& state, const sql::AlterView& alter) {
  const catalog::ObjectPath path = state.catalogs.qualify(alter.name);
  if (alter.new_name) {
    state.catalogs.rename_view(path, alter.new_name->last());
  } else {
    state.catalogs.replace_view(path,
                                make_view(state, alter.query, alter.query_text, {}, std::nullopt));
  }
  return {};
}

}  // namespace thalweg::engine
