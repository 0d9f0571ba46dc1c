#include <map>
#include <utility>

#include "thalweg/catalog/catalog.h"
#include "thalweg/common/check.h"

namespace thalweg::catalog {

namespace {

class InMemoryCatalog final : public Catalog {
 public:
  explicit InMemoryCatalog(const std::string& default_database) { contents_[default_database]; }

  std::vector<std::string> databases() const override { return names(contents_); }

  std::optional<Database> database(const std::string& name) const override {
    const auto found = contents_.find(name);
    return found == contents_.end() ? std::nullopt : std::optional(found->second.database);
  }

  void put_database(const std::string& name, Database database) override {
    contents_[name].database = std::move(database);
  }

  void remove_database(const std::string& name) override { contents_.erase(name); }

  std::vector<std::string> objects(const std::string& database) const override {
    const Contents* contents = find(database);
    return contents == nullptr ? std::vector<std::string>() : names(contents->objects);
  }

  std::optional<CatalogObject> object(const std::string& database,
                                      const std::string& name) const override {
    const Contents* contents = find(database);
    if (contents == nullptr) {
      return std::nullopt;
    }
    const auto found = contents->objects.find(name);
    return found == contents->objects.end() ? std::nullopt : std::optional(found->second);
  }

  void put_object(const std::string& database,
                  const std::string& name,
                  CatalogObject object) override {
    require(database).objects.insert_or_assign(name, std::move(object));
  }

  void remove_object(const std::string& database, const std::string& name) override {
    require(database).objects.erase(name);
  }

  std::vector<std::string> functions(const std::string& database) const override {
    const Contents* contents = find(database);
    return contents == nullptr ? std::vector<std::string>() : names(contents->functions);
  }

  CatalogFunctionPtr function(const std::string& database, const std::string& name) const override {
    const Contents* contents = find(database);
    if (contents == nullptr) {
      return nullptr;
    }
    const auto found = contents->functions.find(name);
    return found == contents->functions.end() ? nullptr : found->second;
  }

  void put_function(const std::string& database,
                    const std::string& name,
                    CatalogFunctionPtr function) override {
    require(database).functions.insert_or_assign(name, std::move(function));
  }

  void remove_function(const std::string& database, const std::string& name) override {
    require(database).functions.erase(name);
  }

 private:
  struct Contents {
    Database database;
    std::map<std::string, CatalogObject> objects;
    std::map<std::string, CatalogFunctionPtr> functions;
  };

  template <typename Map>
  static std::vector<std::string> names(const Map& map) {
    std::vector<std::string> result;
    for (const auto& entry : map) {
      result.push_back(entry.first);
    }
    return result;
  }

  const Contents* find(const std::string& database) const {
    const auto found = contents_.find(database);
    return found == contents_.end() ? nullptr : &found->second;
  }

  Contents& require(const std::string& database) {
    const auto found = contents_.find(database);
    check(found != contents_.end(), "the manager has looked for the database");
    return found->second;
  }

  std::map<std::string, Contents> contents_;
};

}  // namespace

std::unique_ptr<Catalog> make_in_memory_catalog(const std::string& default_database) {
  return std::make_unique<InMemoryCatalog>(default_database);
}

}  // namespace thalweg::catalog
