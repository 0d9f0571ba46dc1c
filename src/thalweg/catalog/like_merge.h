#pragma once

#include "thalweg/catalog/table.h"
#include "thalweg/sql/ast_ddl.h"

namespace thalweg::catalog {

/// CREATE TABLE ... LIKE: merges `derived`, what the statement itself says, with the `source`
/// table, by INCLUDING, EXCLUDING and OVERWRITING of each feature (docs: "CREATE TABLE, LIKE";
/// class MergeTableLikeUtil in Flink).
CatalogTable merge_like(const CatalogTable& source,
                        CatalogTable derived,
                        const sql::TableLike& like);

}  // namespace thalweg::catalog
