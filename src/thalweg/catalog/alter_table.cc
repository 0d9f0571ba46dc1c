#include "thalweg/catalog/alter_table.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "thalweg/catalog/alter_table_schema.h"

namespace thalweg::catalog {

namespace {

void set_options(CatalogTable& table, const sql::AlterTableSet& action) {
  if (!action.partition.empty()) {
    throw Error(ErrorCode::kNotSupported, "ALTER TABLE PARTITION SET is not supported");
  }
  for (const auto& [key, value] : option_map(action.options)) {
    table.options.insert_or_assign(key, value);
  }
}

void reset_options(CatalogTable& table, const sql::AlterTableReset& action) {
  for (const std::string& key : action.keys) {
    if (key == "connector") {
      throw Error(ErrorCode::kValidation,
                  "ALTER TABLE RESET does not support changing 'connector'");
    }
    table.options.erase(key);
  }
}

/// Applies the action that the variant holds.
class Alteration {
 public:
  Alteration(CatalogTable& table, const ObjectPath& path) : table_(table), path_(path) {}

  void operator()(const sql::AlterTableSchema& action) {
    if (action.modify) {
      modify_schema(table_, action);
    } else {
      add_to_schema(table_, action);
    }
  }

  void operator()(const sql::AlterTableDropColumns& action) { drop_columns(table_, action); }

  void operator()(const sql::AlterTableDropPart& action) { drop_part(table_, action, path_); }

  void operator()(const sql::AlterTableRenameColumn& action) { rename_column(table_, action); }

  void operator()(const sql::AlterTableSet& action) { set_options(table_, action); }

  void operator()(const sql::AlterTableReset& action) { reset_options(table_, action); }

  void operator()(const sql::AlterTableRename&) {
    unreachable("a table is renamed by the catalog manager");
  }

  void operator()(const sql::AlterTableAddPartitions&) { refuse("ALTER TABLE ADD PARTITION"); }

  void operator()(const sql::AlterTableDropPartitions&) { refuse("ALTER TABLE DROP PARTITION"); }

  void operator()(const sql::AlterTableCompact&) { refuse("ALTER TABLE COMPACT"); }

 private:
  [[noreturn]] static void refuse(std::string_view what) {
    throw Error(ErrorCode::kNotSupported, fmt::format("{} is not supported", what));
  }

  CatalogTable& table_;
  const ObjectPath& path_;
};

}  // namespace

CatalogTable alter_table(const CatalogTable& table,
                         const sql::AlterTable& statement,
                         const ObjectPath& path) {
  CatalogTable altered = table;
  altered.resolved = {};
  std::visit(Alteration(altered, path), statement.action);
  return altered;
}

}  // namespace thalweg::catalog
