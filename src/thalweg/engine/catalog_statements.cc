#include "thalweg/engine/statements.h"

namespace thalweg::engine {

Result execute_create_database(SessionState& state, const sql::CreateDatabase& create) {
  state.catalogs.create_database(
      create.name, {create.comment, catalog::option_map(create.options)}, create.if_not_exists);
  return {};
}

Result execute_create_catalog(SessionState& state, const sql::CreateCatalog& create) {
  state.catalogs.create_catalog(create.name.text,
                                {catalog::option_map(create.options), create.comment},
                                create.if_not_exists);
  return {};
}

Result execute_create_function(SessionState& state, const sql::CreateFunction& create) {
  auto function = std::make_shared<catalog::CatalogFunction>();
  function->language = create.language;
  function->identifier = create.identifier;
  function->resources = create.using_resources;
  function->options = catalog::option_map(create.options);
  if (create.system) {
    state.catalogs.create_temporary_system_function(
        create.name.last(), function, create.if_not_exists);
  } else {
    state.catalogs.create_function(
        state.catalogs.qualify(create.name), function, create.temporary, create.if_not_exists);
  }
  return {};
}

Result execute_alter_function(SessionState& state, const sql::AlterFunction& alter) {
  auto function = std::make_shared<catalog::CatalogFunction>();
  function->language = alter.language;
  function->identifier = alter.identifier;
  state.catalogs.alter_function(
      state.catalogs.qualify(alter.name), function, alter.temporary, alter.if_exists);
  return {};
}

Result execute_truncate(SessionState& state, const sql::Truncate& truncate) {
  const catalog::ObjectPath path = state.catalogs.qualify(truncate.table);
  const std::optional<catalog::TableEntry> entry = state.catalogs.find(truncate.table);
  if (!entry || entry->is_view()) {
    throw Error(ErrorCode::kTableNotFound,
                fmt::format("Cannot find table '{}' in any of the catalogs [{}], nor as a "
                            "temporary table.",
                            path.quoted(),
                            fmt::join(state.catalogs.catalogs(), ", ")))
        .at(truncate.table.position());
  }
  throw Error(ErrorCode::kNotSupported,
              state.planner.is_batch()
                  ? fmt::format("TRUNCATE TABLE statement is not supported for the table {} since "
                                "the table hasn't implemented the interface SupportsTruncate.",
                                path.summary())
                  : "TRUNCATE TABLE statement is not supported in streaming mode.")
      .at(truncate.position);
}

Result execute_drop(SessionState& state, const sql::Drop& drop) {
  catalog::CatalogManager& catalogs = state.catalogs;
  switch (drop.object) {
    case sql::ObjectKind::kTable:
      catalogs.drop_table(catalogs.qualify(drop.name), drop.temporary, drop.if_exists);
      return {};
    case sql::ObjectKind::kView:
      catalogs.drop_view(catalogs.qualify(drop.name), drop.temporary, drop.if_exists);
      return {};
    case sql::ObjectKind::kDatabase:
      catalogs.drop_database(drop.name, drop.if_exists, drop.cascade);
      return {};
    case sql::ObjectKind::kCatalog:
      catalogs.drop_catalog(drop.name.last(), drop.if_exists);
      return {};
    case sql::ObjectKind::kFunction:
      if (drop.system) {
        catalogs.drop_temporary_system_function(drop.name.last(), drop.if_exists);
      } else {
        catalogs.drop_function(catalogs.qualify(drop.name), drop.temporary, drop.if_exists);
      }
      return {};
    default:
      throw Error(ErrorCode::kNotSupported,
                  "DROP of models and materialized tables is not supported");
  }
}

Result execute_use(SessionState& state, const sql::Use& use) {
  if (use.catalog) {
    state.catalogs.use_catalog(use.name.last());
  } else {
    state.catalogs.use_database(use.name);
  }
  return {};
}

}  // namespace thalweg::engine
