#pragma once

#include "thalweg/catalog/object_path.h"
#include "thalweg/catalog/table.h"
#include "thalweg/sql/ast_ddl.h"

namespace thalweg::catalog {

// The changes that ALTER TABLE makes to columns, keys and watermark, in place; the rules and words
// are those of Flink's SchemaConverter classes (AlterTableUtils, 2.3).

void add_to_schema(CatalogTable& table, const sql::AlterTableSchema& action);
void modify_schema(CatalogTable& table, const sql::AlterTableSchema& action);
void drop_columns(CatalogTable& table, const sql::AlterTableDropColumns& action);
void drop_part(CatalogTable& table, const sql::AlterTableDropPart& action, const ObjectPath& path);
void rename_column(CatalogTable& table, const sql::AlterTableRenameColumn& action);

}  // namespace thalweg::catalog
