#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "thalweg/catalog/catalog_manager.h"

namespace thalweg::catalog {

namespace {

/// Function names are case-insensitive.
std::string normalized(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

ObjectPath normalized(const ObjectPath& path) {
  return {path.catalog, path.database, normalized(path.object)};
}

[[noreturn]] void missing(const ObjectPath& path) {
  throw Error(ErrorCode::kFunctionNotFound,
              fmt::format("Function {}.{} does not exist in Catalog {}.",
                          path.database,
                          path.object,
                          path.catalog));
}

[[noreturn]] void missing_temporary(const ObjectPath& path) {
  throw Error(ErrorCode::kFunctionNotFound,
              fmt::format("Temporary catalog function {} doesn't exist", path.quoted()));
}

}  // namespace

CatalogFunctionPtr CatalogManager::find_temporary_system_function(const std::string& name) const {
  const auto found = temporary_system_functions_.find(normalized(name));
  return found == temporary_system_functions_.end() ? nullptr : found->second;
}

CatalogFunctionPtr CatalogManager::find_catalog_function(const sql::ObjectName& name) const {
  if (name.parts.size() > 3) {
    return nullptr;
  }
  const ObjectPath path = normalized(qualify(name));
  const auto temporary = temporary_functions_.find(path);
  if (temporary != temporary_functions_.end()) {
    return temporary->second;
  }
  const auto catalog = catalogs_.find(path.catalog);
  return catalog == catalogs_.end() ? nullptr
                                    : catalog->second.catalog->function(path.database, path.object);
}

bool CatalogManager::create_function(const ObjectPath& path,
                                     CatalogFunctionPtr function,
                                     bool temporary,
                                     bool if_not_exists) {
  const ObjectPath key = normalized(path);
  Catalog& catalog = require_catalog(key.catalog);
  const bool exists = temporary ? temporary_functions_.contains(key)
                                : catalog.function(key.database, key.object) != nullptr;
  if (exists) {
    if (if_not_exists) {
      return false;
    }
    throw Error(
        ErrorCode::kAlreadyExists,
        temporary
            ? fmt::format(
                  "Could not register temporary catalog function. A function '{}' does already "
                  "exist.",
                  path.quoted())
            : fmt::format(
                  "Could not execute CREATE CATALOG FUNCTION: Function {}.{} already exists in "
                  "Catalog {}.",
                  path.database,
                  path.object,
                  path.catalog));
  }
  if (temporary) {
    temporary_functions_[key] = std::move(function);
    return true;
  }
  if (!catalog.database(key.database)) {
    throw Error(
        ErrorCode::kCatalogNotFound,
        fmt::format(
            "Could not execute CREATE CATALOG FUNCTION: Database {} does not exist in Catalog {}.",
            path.database,
            path.catalog));
  }
  catalog.put_function(key.database, key.object, std::move(function));
  return true;
}

bool CatalogManager::create_temporary_system_function(const std::string& name,
                                                      CatalogFunctionPtr function,
                                                      bool if_not_exists) {
  const std::string key = normalized(name);
  if (temporary_system_functions_.contains(key)) {
    if (if_not_exists) {
      return false;
    }
    throw Error(ErrorCode::kAlreadyExists,
                fmt::format("Could not register temporary system function. A function named '{}' "
                            "does already exist.",
                            name));
  }
  temporary_system_functions_[key] = std::move(function);
  return true;
}

void CatalogManager::alter_function(const ObjectPath& path,
                                    CatalogFunctionPtr function,
                                    bool temporary,
                                    bool if_exists) {
  if (temporary) {
    throw Error(ErrorCode::kValidation, "Alter temporary catalog function is not supported");
  }
  const ObjectPath key = normalized(path);
  Catalog& catalog = require_catalog(key.catalog);
  if (catalog.function(key.database, key.object) == nullptr) {
    if (if_exists) {
      return;
    }
    missing(path);
  }
  catalog.put_function(key.database, key.object, std::move(function));
}

bool CatalogManager::drop_function(const ObjectPath& path, bool temporary, bool if_exists) {
  const ObjectPath key = normalized(path);
  if (temporary) {
    const bool dropped = temporary_functions_.erase(key) > 0;
    if (!dropped && !if_exists) {
      missing_temporary(path);
    }
    return dropped;
  }
  if (temporary_functions_.contains(key)) {
    throw Error(ErrorCode::kValidation,
                fmt::format("Could not drop catalog function. A temporary function '{}' does "
                            "already exist. Please drop "
                            "the temporary function first.",
                            path.quoted()));
  }
  const auto catalog = catalogs_.find(key.catalog);
  if (catalog == catalogs_.end() ||
      catalog->second.catalog->function(key.database, key.object) == nullptr) {
    if (!if_exists) {
      missing(path);
    }
    return false;
  }
  catalog->second.catalog->remove_function(key.database, key.object);
  return true;
}

bool CatalogManager::drop_temporary_system_function(const std::string& name, bool if_exists) {
  const bool dropped = temporary_system_functions_.erase(normalized(name)) > 0;
  if (!dropped && !if_exists) {
    throw Error(
        ErrorCode::kFunctionNotFound,
        fmt::format(
            "Could not drop temporary system function. A function named '{}' doesn't exist.",
            name));
  }
  return dropped;
}

std::vector<std::string> CatalogManager::user_functions(const std::string& catalog,
                                                        const std::string& database) const {
  std::vector<std::string> names = require_catalog(catalog).functions(database);
  for (const auto& [path, function] : temporary_functions_) {
    if (path.catalog == catalog && path.database == database) {
      names.push_back(path.object);
    }
  }
  for (const auto& [name, function] : temporary_system_functions_) {
    // A name with a star is nobody's: expressions of the Table API call functions by it.
    if (!name.starts_with('*')) {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace thalweg::catalog
