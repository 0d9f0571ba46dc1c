#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/catalog/catalog.h"
#include "thalweg/catalog/function.h"
#include "thalweg/catalog/object_path.h"
#include "thalweg/catalog/table.h"
#include "thalweg/sql/ast_name.h"

namespace thalweg::catalog {

/// The catalogs of a session, its current catalog and database, and its temporary objects, which
/// hide permanent ones of the same name. Owned by a session, used by one thread at a time. Errors
/// are Flink's, by class and words.
class CatalogManager {
 public:
  static constexpr std::string_view kDefaultCatalog = "default_catalog";
  static constexpr std::string_view kDefaultDatabase = "default_database";

  CatalogManager();

  // Where simple names are looked up.
  const std::string& current_catalog() const { return current_catalog_; }

  const std::string& current_database() const { return current_database_; }

  void use_catalog(const std::string& name);
  /// [catalog.]database
  void use_database(const sql::ObjectName& name);
  /// One to three parts; the missing ones are the current ones. Throws on more.
  ObjectPath qualify(const sql::ObjectName& name) const;

  // Catalogs
  struct CatalogInfo {
    OptionMap options;
    std::optional<std::string> comment;
  };

  std::vector<std::string> catalogs() const;
  bool has_catalog(const std::string& name) const;

  /// Throws when there is none.
  const Catalog& catalog(const std::string& name) const { return require_catalog(name); }

  /// For DESCRIBE and SHOW CREATE CATALOG; throws when there is none.
  const CatalogInfo& catalog_info(const std::string& name) const;
  /// `type` must be generic_in_memory.
  void create_catalog(const std::string& name, CatalogInfo info, bool if_not_exists);
  /// A catalog that the host brings along; its options are for DESCRIBE alone.
  void add_catalog(const std::string& name, std::unique_ptr<Catalog> catalog, CatalogInfo info);
  void alter_catalog(const sql::AlterCatalog& alter);
  void drop_catalog(const std::string& name, bool if_exists);

  // Databases: [catalog.]name
  std::vector<std::string> databases(const std::string& catalog) const;
  bool has_database(const std::string& catalog, const std::string& database) const;
  Database database(const sql::ObjectName& name) const;
  void create_database(const sql::ObjectName& name, Database database, bool if_not_exists);
  void alter_database(const sql::ObjectName& name, const OptionMap& changed);
  void drop_database(const sql::ObjectName& name, bool if_exists, bool cascade);

  // Tables and views
  /// Temporary ones first.
  std::optional<TableEntry> find(const ObjectPath& path) const;
  std::optional<TableEntry> find(const sql::ObjectName& name) const;
  /// As `find`, but with simple names looked up in `catalog`.`database` (the bodies of views).
  std::optional<TableEntry> find(const sql::ObjectName& name,
                                 const std::string& catalog,
                                 const std::string& database) const;
  /// The permanent table that ALTER TABLE changes; throws when it is missing, temporary or a view.
  /// Nothing when it is missing and `if_exists`.
  std::optional<TableEntry> find_for_alter(const sql::ObjectName& name, bool if_exists) const;

  struct CreateMode {
    bool temporary = false;
    bool if_not_exists = false;
    bool or_replace = false;
  };

  /// Whether it was made: not when it was there and `if_not_exists`.
  bool create_table(const ObjectPath& path, CatalogTablePtr table, CreateMode mode);
  bool create_view(const ObjectPath& path, CatalogViewPtr view, CreateMode mode);
  void replace_table(const ObjectPath& path, CatalogTablePtr table);
  void replace_view(const ObjectPath& path, CatalogViewPtr view);
  void rename_table(const ObjectPath& path, const std::string& new_name);
  void rename_view(const ObjectPath& path, const std::string& new_name);
  /// Whether there was one.
  bool drop_table(const ObjectPath& path, bool temporary, bool if_exists);
  bool drop_view(const ObjectPath& path, bool temporary, bool if_exists);

  /// Tables and views of a database, temporary ones included; sorted.
  std::vector<std::string> tables(const std::string& catalog, const std::string& database) const;
  std::vector<std::string> views(const std::string& catalog, const std::string& database) const;
  /// Temporary tables and views of the current database.
  std::vector<std::string> temporary_tables() const;
  std::vector<std::string> temporary_views() const;

  // Functions; names are case-insensitive. Flink's order for a simple name: temporary system
  // functions, built-in ones, temporary catalog functions, catalog functions.
  CatalogFunctionPtr find_temporary_system_function(const std::string& name) const;
  CatalogFunctionPtr find_catalog_function(const sql::ObjectName& name) const;
  bool create_function(const ObjectPath& path,
                       CatalogFunctionPtr function,
                       bool temporary,
                       bool if_not_exists);
  bool create_temporary_system_function(const std::string& name,
                                        CatalogFunctionPtr function,
                                        bool if_not_exists);
  void alter_function(const ObjectPath& path,
                      CatalogFunctionPtr function,
                      bool temporary,
                      bool if_exists);
  bool drop_function(const ObjectPath& path, bool temporary, bool if_exists);
  bool drop_temporary_system_function(const std::string& name, bool if_exists);
  /// Temporary system functions, and those of the database; sorted.
  std::vector<std::string> user_functions(const std::string& catalog,
                                          const std::string& database) const;

 private:
  struct NamedCatalog {
    std::unique_ptr<Catalog> catalog;
    CatalogInfo info;
    /// Current after USE CATALOG, where no option says otherwise.
    std::string default_database = "default";
  };

  Catalog& require_catalog(const std::string& name) const;
  /// Splits [catalog.]database.
  std::pair<std::string, std::string> database_path(const sql::ObjectName& name) const;
  bool create_object(const ObjectPath& path, CatalogObject object, CreateMode mode);
  bool create_temporary(const ObjectPath& path, CatalogObject object, CreateMode mode);
  bool drop_object(const ObjectPath& path, bool view, bool temporary, bool if_exists);
  bool drop_temporary_object(const ObjectPath& path, bool view, bool if_exists);
  void rename_object(const ObjectPath& path, const std::string& new_name, bool view);
  std::vector<std::string> list_objects(const std::string& catalog,
                                        const std::string& database,
                                        bool views_only) const;

  std::map<std::string, NamedCatalog> catalogs_;
  std::string current_catalog_;
  std::string current_database_;
  std::map<ObjectPath, CatalogObject> temporary_objects_;
  std::map<ObjectPath, CatalogFunctionPtr> temporary_functions_;
  std::map<std::string, CatalogFunctionPtr> temporary_system_functions_;
};

}  // namespace thalweg::catalog
