#pragma once

#include "thalweg/catalog/catalog_manager.h"
#include "thalweg/catalog/table.h"
#include "thalweg/sql/ast_ddl.h"

namespace thalweg::catalog {

/// The table that a CREATE TABLE statement defines, merged with the source of its LIKE clause.
/// Checks what needs no types: names, constraints, partition keys. `resolved` is left empty for the
/// planner.
///
/// For CREATE TABLE ... AS the columns of the query are not in it; see `add_query_columns`.
CatalogTable define_table(const sql::CreateTable& statement, const CatalogManager& catalogs);

/// CREATE TABLE ... AS: adds the query's columns before those of the statement, by Flink's rules:
/// without typed columns they are all there is (in the order of `column_order`); a typed column of
/// the same name gives its type and place.
void add_query_columns(CatalogTable& table,
                       const sql::CreateTable& statement,
                       const Schema& query_schema);

/// Makes the columns of the primary key NOT NULL, and checks that they and the partition keys
/// exist.
void check_keys(CatalogTable& table);

}  // namespace thalweg::catalog
