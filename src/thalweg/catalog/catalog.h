#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "thalweg/catalog/function.h"
#include "thalweg/catalog/table.h"

namespace thalweg::catalog {

struct Database {
  std::optional<std::string> comment;
  OptionMap properties;
};

using CatalogObject = std::variant<CatalogTablePtr, CatalogViewPtr>;

/// A place where permanent objects are kept, by database and name. Owned by a CatalogManager; one
/// thread at a time.
///
/// It only stores: rules and error texts are the manager's. "put" replaces what is there; the
/// database exists.
class Catalog {
 public:
  virtual ~Catalog() = default;

  /// Sorted.
  virtual std::vector<std::string> databases() const = 0;
  virtual std::optional<Database> database(const std::string& name) const = 0;
  virtual void put_database(const std::string& name, Database database) = 0;
  virtual void remove_database(const std::string& name) = 0;

  /// Tables and views, sorted by name.
  virtual std::vector<std::string> objects(const std::string& database) const = 0;
  virtual std::optional<CatalogObject> object(const std::string& database,
                                              const std::string& name) const = 0;
  virtual void put_object(const std::string& database,
                          const std::string& name,
                          CatalogObject object) = 0;
  virtual void remove_object(const std::string& database, const std::string& name) = 0;

  /// Names in lower case, sorted.
  virtual std::vector<std::string> functions(const std::string& database) const = 0;
  virtual CatalogFunctionPtr function(const std::string& database,
                                      const std::string& name) const = 0;
  virtual void put_function(const std::string& database,
                            const std::string& name,
                            CatalogFunctionPtr function) = 0;
  virtual void remove_function(const std::string& database, const std::string& name) = 0;
};

/// Flink's generic_in_memory catalog: gone when the session ends.
std::unique_ptr<Catalog> make_in_memory_catalog(const std::string& default_database);

}  // namespace thalweg::catalog
