#include "thalweg/catalog/catalog_manager.h"

#include <utility>

#include <fmt/format.h>

namespace thalweg::catalog {

namespace {

[[noreturn]] void no_catalog(const std::string& name) {
  throw Error(ErrorCode::kCatalogNotFound,
              fmt::format("A catalog with name [{}] does not exist.", name))
      .hint("SHOW CATALOGS lists them");
}

[[noreturn]] void no_database(const std::string& catalog, const std::string& database) {
  throw Error(
      ErrorCode::kCatalogNotFound,
      fmt::format(
          "A database with name [{}] does not exist in the catalog: [{}].", database, catalog))
      .hint("SHOW DATABASES lists them");
}

}  // namespace

CatalogManager::CatalogManager()
    : current_catalog_(kDefaultCatalog), current_database_(kDefaultDatabase) {
  catalogs_[current_catalog_] = {.catalog = make_in_memory_catalog(current_database_),
                                 .info = {},  // no statement made it: nothing to describe
                                 .default_database = current_database_};
}

Catalog& CatalogManager::require_catalog(const std::string& name) const {
  const auto found = catalogs_.find(name);
  if (found == catalogs_.end()) {
    no_catalog(name);
  }
  return *found->second.catalog;
}

void CatalogManager::use_catalog(const std::string& name) {
  require_catalog(name);
  if (name == current_catalog_) {
    return;
  }
  const NamedCatalog& catalog = catalogs_.at(name);
  const auto option = catalog.info.options.find("default-database");
  current_catalog_ = name;
  current_database_ =
      option == catalog.info.options.end() ? catalog.default_database : option->second;
}

void CatalogManager::use_database(const sql::ObjectName& name) {
  const auto [catalog, database] = database_path(name);
  if (!require_catalog(catalog).database(database)) {
    no_database(catalog, database);
  }
  current_catalog_ = catalog;
  current_database_ = database;
}

std::pair<std::string, std::string> CatalogManager::database_path(
    const sql::ObjectName& name) const {
  if (name.parts.size() > 2) {
    throw Error(
        ErrorCode::kValidation,
        fmt::format("A database is named [catalog.]database, but here is {}", name.dotted()))
        .at(name.position());
  }
  return name.is_simple() ? std::pair(current_catalog_, name.last())
                          : std::pair(name.parts[0].text, name.last());
}

ObjectPath CatalogManager::qualify(const sql::ObjectName& name) const {
  const std::vector<sql::Identifier>& parts = name.parts;
  switch (parts.size()) {
    case 1:
      return {current_catalog_, current_database_, parts[0].text};
    case 2:
      return {current_catalog_, parts[0].text, parts[1].text};
    case 3:
      return {parts[0].text, parts[1].text, parts[2].text};
    default:
      throw Error(ErrorCode::kValidation,
                  fmt::format("An object is named [[catalog.]database.]object, but here is {}",
                              name.dotted()))
          .at(name.position());
  }
}

std::vector<std::string> CatalogManager::catalogs() const {
  std::vector<std::string> names;
  for (const auto& [name, catalog] : catalogs_) {
    names.push_back(name);
  }
  return names;
}

bool CatalogManager::has_catalog(const std::string& name) const {
  return catalogs_.contains(name);
}

const CatalogManager::CatalogInfo& CatalogManager::catalog_info(const std::string& name) const {
  const auto found = catalogs_.find(name);
  if (found == catalogs_.end() || found->second.info.options.empty()) {
    throw Error(ErrorCode::kCatalogNotFound,
                fmt::format("Cannot obtain metadata information from Catalog {}.", name));
  }
  return found->second.info;
}

namespace {

/// What a catalog in memory can be told.
void check_options(const std::string& name, const OptionMap& options) {
  for (const auto& [key, value] : options) {
    if (key != "type" && key != "default-database" && key != "property-version") {
      throw Error(ErrorCode::kUnknownOption,
                  fmt::format("Unable to create catalog '{}'. Unsupported options found for "
                              "'generic_in_memory'.\n\nUnsupported options:\n\n{}\n\nSupported "
                              "options:\n\ndefault-database\nproperty-version",
                              name,
                              key));
    }
  }
}

}  // namespace

void CatalogManager::create_catalog(const std::string& name, CatalogInfo info, bool if_not_exists) {
  if (has_catalog(name)) {
    if (if_not_exists) {
      return;
    }
    throw Error(ErrorCode::kAlreadyExists, fmt::format("Catalog {} already exists.", name));
  }
  const auto type = info.options.find("type");
  if (type == info.options.end()) {
    throw Error(ErrorCode::kMissingOption,
                fmt::format("Unable to create catalog '{}'. Catalog options do not contain an "
                            "option key 'type' for "
                            "discovering a catalog.",
                            name))
        .hint("write WITH ('type' = 'generic_in_memory')");
  }
  if (type->second != "generic_in_memory") {
    throw Error(
        ErrorCode::kNotSupported,
        fmt::format("Unable to create catalog '{}'. Catalogs of type '{}' are not supported",
                    name,
                    type->second))
        .hint("the catalog there is: 'generic_in_memory'");
  }
  check_options(name, info.options);
  const auto option = info.options.find("default-database");
  const std::string database = option == info.options.end() ? "default" : option->second;
  catalogs_[name] = {.catalog = make_in_memory_catalog(database), .info = std::move(info)};
}

void CatalogManager::add_catalog(const std::string& name,
                                 std::unique_ptr<Catalog> catalog,
                                 CatalogInfo info) {
  if (has_catalog(name)) {
    throw Error(ErrorCode::kAlreadyExists, fmt::format("Catalog {} already exists.", name));
  }
  catalogs_[name] = {.catalog = std::move(catalog), .info = std::move(info)};
}

void CatalogManager::alter_catalog(const sql::AlterCatalog& alter) {
  const auto found = catalogs_.find(alter.name.text);
  if (found == catalogs_.end()) {
    throw Error(ErrorCode::kCatalogNotFound,
                fmt::format("Catalog {} does not exist.", alter.name.text))
        .at(alter.name.position);
  }
  CatalogInfo info = found->second.info;
  for (const auto& [key, value] : option_map(alter.options)) {
    info.options.insert_or_assign(key, value);
  }
  for (const std::string& key : alter.reset_keys) {
    if (key == "type") {
      throw Error(ErrorCode::kValidation, "ALTER CATALOG RESET does not support changing 'type'");
    }
    info.options.erase(key);
  }
  if (alter.comment) {
    info.comment = alter.comment;
  }
  if (const auto type = info.options.find("type");
      type != info.options.end() && type->second == "generic_in_memory") {
    check_options(alter.name.text, info.options);
  }
  found->second.info = std::move(info);
}

void CatalogManager::drop_catalog(const std::string& name, bool if_exists) {
  if (!has_catalog(name)) {
    if (if_exists) {
      return;
    }
    throw Error(ErrorCode::kCatalogNotFound, fmt::format("Catalog {} does not exist.", name));
  }
  if (name == current_catalog_) {
    throw Error(ErrorCode::kValidation, "Cannot drop a catalog which is currently in use.")
        .hint("USE CATALOG another one before");
  }
  catalogs_.erase(name);
}

std::vector<std::string> CatalogManager::databases(const std::string& catalog) const {
  return require_catalog(catalog).databases();
}

bool CatalogManager::has_database(const std::string& catalog, const std::string& database) const {
  const auto found = catalogs_.find(catalog);
  return found != catalogs_.end() && found->second.catalog->database(database).has_value();
}

Database CatalogManager::database(const sql::ObjectName& name) const {
  const auto [catalog, database] = database_path(name);
  std::optional<Database> found = require_catalog(catalog).database(database);
  if (!found) {
    no_database(catalog, database);
  }
  return *found;
}

void CatalogManager::create_database(const sql::ObjectName& name,
                                     Database database,
                                     bool if_not_exists) {
  const auto [catalog, simple] = database_path(name);
  Catalog& target = require_catalog(catalog);
  if (target.database(simple)) {
    if (if_not_exists) {
      return;
    }
    throw Error(
        ErrorCode::kAlreadyExists,
        fmt::format("Could not execute CREATE DATABASE: Database {} already exists in Catalog {}.",
                    simple,
                    catalog))
        .at(name.position());
  }
  target.put_database(simple, std::move(database));
}

void CatalogManager::alter_database(const sql::ObjectName& name, const OptionMap& changed) {
  Database altered = database(name);
  for (const auto& [key, value] : changed) {
    altered.properties.insert_or_assign(key, value);
  }
  const auto [catalog, simple] = database_path(name);
  require_catalog(catalog).put_database(simple, std::move(altered));
}

void CatalogManager::drop_database(const sql::ObjectName& name, bool if_exists, bool cascade) {
  const auto [catalog, simple] = database_path(name);
  Catalog& target = require_catalog(catalog);
  const std::string what = fmt::format("Could not execute DROP DATABASE {}{}.{} {}",
                                       if_exists ? "IF EXISTS " : "",
                                       catalog,
                                       simple,
                                       cascade ? "CASCADE" : "RESTRICT");
  if (!target.database(simple)) {
    if (if_exists) {
      return;
    }
    throw Error(ErrorCode::kCatalogNotFound,
                fmt::format("{}\nDatabase {} does not exist in Catalog {}.", what, simple, catalog))
        .at(name.position());
  }
  if (catalog == current_catalog_ && simple == current_database_) {
    throw Error(ErrorCode::kValidation, "Cannot drop a database which is currently in use.")
        .at(name.position())
        .hint("USE another database before");
  }
  if (!cascade && !(target.objects(simple).empty() && target.functions(simple).empty())) {
    throw Error(ErrorCode::kDatabaseNotEmpty,
                fmt::format("{}\nDatabase {} in catalog {} is not empty.", what, simple, catalog))
        .at(name.position())
        .hint("DROP DATABASE ... CASCADE drops what is in it too");
  }
  target.remove_database(simple);
}

}  // namespace thalweg::catalog
