#pragma once

#include "thalweg/catalog/object_path.h"
#include "thalweg/catalog/table.h"
#include "thalweg/sql/ast_ddl.h"

namespace thalweg::catalog {

/// The table after an ALTER TABLE that changes columns, keys, watermark, distribution or options.
/// The planner resolves the result again. RENAME TO is CatalogManager::rename_table; partitions and
/// COMPACT are not supported.
CatalogTable alter_table(const CatalogTable& table,
                         const sql::AlterTable& statement,
                         const ObjectPath& path);

}  // namespace thalweg::catalog
