#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "thalweg/catalog/catalog_manager.h"

namespace thalweg::catalog {

namespace {

bool is_view(const CatalogObject& object) {
  return std::holds_alternative<CatalogViewPtr>(object);
}

std::string_view kind_word(bool view) {
  return view ? "view" : "table";
}

std::string_view kind_title(bool view) {
  return view ? "View" : "Table";
}

[[noreturn]] void missing(const ObjectPath& path, bool view, std::string_view temporary) {
  throw Error(ErrorCode::kTableNotFound,
              fmt::format("{}{} with identifier '{}' does not exist.",
                          temporary,
                          temporary.empty() ? kind_title(view) : kind_word(view),
                          path.summary()));
}

}  // namespace

std::optional<TableEntry> CatalogManager::find(const ObjectPath& path) const {
  const auto temporary = temporary_objects_.find(path);
  if (temporary != temporary_objects_.end()) {
    return TableEntry{.path = path, .temporary = true, .object = temporary->second};
  }
  const auto catalog = catalogs_.find(path.catalog);
  if (catalog == catalogs_.end()) {
    return std::nullopt;
  }
  std::optional<CatalogObject> object = catalog->second.catalog->object(path.database, path.object);
  if (!object) {
    return std::nullopt;
  }
  return TableEntry{.path = path, .temporary = false, .object = std::move(*object)};
}

std::optional<TableEntry> CatalogManager::find(const sql::ObjectName& name) const {
  return find(name, current_catalog_, current_database_);
}

std::optional<TableEntry> CatalogManager::find(const sql::ObjectName& name,
                                               const std::string& catalog,
                                               const std::string& database) const {
  const std::vector<sql::Identifier>& parts = name.parts;
  switch (parts.size()) {
    case 1:
      return find(ObjectPath{catalog, database, parts[0].text});
    case 2:
      return find(ObjectPath{catalog, parts[0].text, parts[1].text});
    case 3:
      return find(ObjectPath{parts[0].text, parts[1].text, parts[2].text});
    default:
      return std::nullopt;
  }
}

std::optional<TableEntry> CatalogManager::find_for_alter(const sql::ObjectName& name,
                                                         bool if_exists) const {
  const ObjectPath path = qualify(name);
  std::optional<TableEntry> entry = find(path);
  if (!entry || entry->temporary) {
    if (if_exists) {
      return std::nullopt;
    }
    throw Error(ErrorCode::kTableNotFound,
                fmt::format("Table {} doesn't exist or is a temporary table.", path.quoted()))
        .at(name.position());
  }
  if (entry->is_view()) {
    throw Error(ErrorCode::kValidation, "ALTER TABLE for a view is not allowed")
        .at(name.position());
  }
  return entry;
}

bool CatalogManager::create_temporary(const ObjectPath& path,
                                      CatalogObject object,
                                      CreateMode mode) {
  const auto found = temporary_objects_.find(path);
  if (found != temporary_objects_.end() && !mode.or_replace) {
    if (mode.if_not_exists) {
      return false;
    }
    throw Error(
        ErrorCode::kAlreadyExists,
        fmt::format("Temporary {} '{}' already exists", kind_word(is_view(object)), path.quoted()));
  }
  temporary_objects_.insert_or_assign(path, std::move(object));
  return true;
}

bool CatalogManager::create_object(const ObjectPath& path, CatalogObject object, CreateMode mode) {
  if (mode.temporary) {
    return create_temporary(path, std::move(object), mode);
  }
  const std::string failure =
      fmt::format("Could not execute CreateTable in path {}", path.quoted());
  const auto catalog = catalogs_.find(path.catalog);
  if (catalog == catalogs_.end()) {
    throw Error(ErrorCode::kCatalogNotFound,
                fmt::format("Catalog {} does not exist.", path.catalog));
  }
  Catalog& target = *catalog->second.catalog;
  if (!target.database(path.database)) {
    throw Error(
        ErrorCode::kCatalogNotFound,
        fmt::format(
            "{}\nDatabase {} does not exist in Catalog {}.", failure, path.database, path.catalog));
  }
  if (target.object(path.database, path.object) && !mode.or_replace) {
    if (mode.if_not_exists) {
      return false;
    }
    throw Error(ErrorCode::kAlreadyExists,
                fmt::format("{}\nTable (or view) {}.{} already exists in Catalog {}.",
                            failure,
                            path.database,
                            path.object,
                            path.catalog));
  }
  target.put_object(path.database, path.object, std::move(object));
  return true;
}

bool CatalogManager::create_table(const ObjectPath& path, CatalogTablePtr table, CreateMode mode) {
  return create_object(path, CatalogObject(std::move(table)), mode);
}

bool CatalogManager::create_view(const ObjectPath& path, CatalogViewPtr view, CreateMode mode) {
  return create_object(path, CatalogObject(std::move(view)), mode);
}

void CatalogManager::replace_table(const ObjectPath& path, CatalogTablePtr table) {
  require_catalog(path.catalog)
      .put_object(path.database, path.object, CatalogObject(std::move(table)));
}

void CatalogManager::replace_view(const ObjectPath& path, CatalogViewPtr view) {
  const std::optional<TableEntry> old = find(path);
  if (!old || old->temporary) {
    throw Error(ErrorCode::kTableNotFound,
                fmt::format("View {} doesn't exist or is a temporary view.", path.quoted()));
  }
  if (!old->is_view()) {
    throw Error(ErrorCode::kValidation, "ALTER VIEW for a table is not allowed");
  }
  require_catalog(path.catalog)
      .put_object(path.database, path.object, CatalogObject(std::move(view)));
}

void CatalogManager::rename_object(const ObjectPath& path, const std::string& new_name, bool view) {
  Catalog& catalog = require_catalog(path.catalog);
  std::optional<CatalogObject> object = catalog.object(path.database, path.object);
  if (!object || is_view(*object) != view) {
    missing(path, view, "");
  }
  if (catalog.object(path.database, new_name)) {
    throw Error(ErrorCode::kAlreadyExists,
                fmt::format("Could not execute ALTER {0} {1} RENAME TO {4}.{3}.{2}\nTable (or "
                            "view) {3}.{2} already exists in Catalog {4}.",
                            view ? "VIEW" : "TABLE",
                            path.summary(),
                            new_name,
                            path.database,
                            path.catalog));
  }
  catalog.remove_object(path.database, path.object);
  catalog.put_object(path.database, new_name, std::move(*object));
}

void CatalogManager::rename_table(const ObjectPath& path, const std::string& new_name) {
  rename_object(path, new_name, false);
}

void CatalogManager::rename_view(const ObjectPath& path, const std::string& new_name) {
  rename_object(path, new_name, true);
}

bool CatalogManager::drop_temporary_object(const ObjectPath& path, bool view, bool if_exists) {
  const auto found = temporary_objects_.find(path);
  if (found != temporary_objects_.end() && is_view(found->second) == view) {
    temporary_objects_.erase(found);
    return true;
  }
  if (!if_exists) {
    missing(path, view, "Temporary ");
  }
  return false;
}

bool CatalogManager::drop_object(const ObjectPath& path,
                                 bool view,
                                 bool temporary,
                                 bool if_exists) {
  if (temporary) {
    return drop_temporary_object(path, view, if_exists);
  }
  const auto hidden_by = temporary_objects_.find(path);
  if (hidden_by != temporary_objects_.end() && is_view(hidden_by->second) == view) {
    throw Error(ErrorCode::kValidation,
                fmt::format("Temporary {0} with identifier '{1}' exists. Drop it first before "
                            "removing the permanent {0}.",
                            kind_word(view),
                            path.quoted()))
        .hint(fmt::format("DROP TEMPORARY {} {}", view ? "VIEW" : "TABLE", path.quoted()));
  }
  const auto catalog = catalogs_.find(path.catalog);
  const std::optional<CatalogObject> object =
      catalog == catalogs_.end() ? std::nullopt
                                 : catalog->second.catalog->object(path.database, path.object);
  if (object && is_view(*object) == view) {
    catalog->second.catalog->remove_object(path.database, path.object);
    return true;
  }
  if (!if_exists) {
    missing(path, view, "");
  }
  return false;
}

bool CatalogManager::drop_table(const ObjectPath& path, bool temporary, bool if_exists) {
  return drop_object(path, false, temporary, if_exists);
}

bool CatalogManager::drop_view(const ObjectPath& path, bool temporary, bool if_exists) {
  return drop_object(path, true, temporary, if_exists);
}

std::vector<std::string> CatalogManager::list_objects(const std::string& catalog,
                                                      const std::string& database,
                                                      bool views_only) const {
  const Catalog& source = require_catalog(catalog);
  if (!source.database(database)) {
    throw Error(ErrorCode::kCatalogNotFound,
                fmt::format("Database '{}'.'{}' doesn't exist.", catalog, database));
  }
  std::vector<std::string> names;
  for (const std::string& name : source.objects(database)) {
    if (!views_only || is_view(*source.object(database, name))) {
      names.push_back(name);
    }
  }
  for (const auto& [path, object] : temporary_objects_) {
    if (path.catalog == catalog && path.database == database && (!views_only || is_view(object))) {
      names.push_back(path.object);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> CatalogManager::tables(const std::string& catalog,
                                                const std::string& database) const {
  return list_objects(catalog, database, false);
}

std::vector<std::string> CatalogManager::views(const std::string& catalog,
                                               const std::string& database) const {
  return list_objects(catalog, database, true);
}

std::vector<std::string> CatalogManager::temporary_tables() const {
  std::vector<std::string> names;
  for (const auto& [path, object] : temporary_objects_) {
    if (path.catalog == current_catalog_ && path.database == current_database_) {
      names.push_back(path.object);
    }
  }
  return names;
}

std::vector<std::string> CatalogManager::temporary_views() const {
  std::vector<std::string> names;
  for (const auto& [path, object] : temporary_objects_) {
    if (path.catalog == current_catalog_ && path.database == current_database_ && is_view(object)) {
      names.push_back(path.object);
    }
  }
  return names;
}

}  // namespace thalweg::catalog
