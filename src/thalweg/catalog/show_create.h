#pragma once

#include <string>

#include "thalweg/catalog/catalog_manager.h"
#include "thalweg/catalog/table.h"

namespace thalweg::catalog {

/// The text of SHOW CREATE TABLE, with the line feed Flink puts at its end. Throws when the entry
/// is a view.
std::string show_create_table(const TableEntry& entry);

/// The text of SHOW CREATE VIEW. Throws when the entry is a table.
std::string show_create_view(const TableEntry& entry);

std::string show_create_catalog(const std::string& name, const CatalogManager::CatalogInfo& info);

}  // namespace thalweg::catalog
