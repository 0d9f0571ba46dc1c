#include "thalweg/catalog/catalog_manager.h"

#include <doctest/doctest.h>

#include "thalweg/sql/parser.h"

namespace thalweg::catalog {
namespace {

sql::ObjectName name(std::string_view text) {
  return sql::parse_object_name(text);
}

CatalogTablePtr table(std::string connector = "print") {
  auto result = std::make_shared<CatalogTable>();
  result->options["connector"] = std::move(connector);
  return result;
}

CatalogViewPtr view() {
  return std::make_shared<CatalogView>();
}

template <typename Action>
std::pair<ErrorCode, std::string> error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.code(), error.message()};
  }
  return {ErrorCode::kInternal, "no error"};
}

std::string first_line(const std::pair<ErrorCode, std::string>& error) {
  return error.second.substr(0, error.second.find('\n'));
}

TEST_CASE("names of one to three parts") {
  const CatalogManager catalogs;
  CHECK(catalogs.qualify(name("t")).summary() == "default_catalog.default_database.t");
  CHECK(catalogs.qualify(name("db.t")).quoted() == "`default_catalog`.`db`.`t`");
  CHECK(catalogs.qualify(name("c.db.t")).summary() == "c.db.t");
  CHECK_THROWS_AS(catalogs.qualify(name("a.b.c.d")), Error);
}

TEST_CASE("tables: create, find, list, drop") {
  CatalogManager catalogs;
  const ObjectPath path = catalogs.qualify(name("a"));
  CHECK(catalogs.create_table(path, table(), {}));
  CHECK_FALSE(catalogs.create_table(path, table(), {.if_not_exists = true}));
  const auto exists = error_of([&] { catalogs.create_table(path, table(), {}); });
  CHECK(exists.first == ErrorCode::kAlreadyExists);
  CHECK(first_line(exists) ==
        "Could not execute CreateTable in path `default_catalog`.`default_database`.`a`");
  CHECK(catalogs.create_table(path, table("kafka"), {.or_replace = true}));
  CHECK(catalogs.find(name("a"))->table()->options.at("connector") == "kafka");
  CHECK(catalogs.create_view(catalogs.qualify(name("v")), view(), {}));
  CHECK(catalogs.tables("default_catalog", "default_database") ==
        std::vector<std::string>{"a", "v"});
  CHECK(catalogs.views("default_catalog", "default_database") == std::vector<std::string>{"v"});
  CHECK(catalogs.drop_table(path, false, false));
  CHECK(error_of([&] { catalogs.drop_table(path, false, false); }).second ==
        "Table with identifier 'default_catalog.default_database.a' does not exist.");
  CHECK_FALSE(catalogs.drop_table(path, false, true));
  CHECK_THROWS_AS(catalogs.drop_table(catalogs.qualify(name("v")), false, false), Error);
  CHECK(catalogs.drop_view(catalogs.qualify(name("v")), false, false));
}

TEST_CASE("temporary objects hide permanent ones") {
  CatalogManager catalogs;
  const ObjectPath path = catalogs.qualify(name("t"));
  catalogs.create_table(path, table("permanent"), {});
  catalogs.create_table(path, table("temporary"), {.temporary = true});
  CHECK(catalogs.find(path)->temporary);
  CHECK(catalogs.find(path)->table()->options.at("connector") == "temporary");
  CHECK(catalogs.tables("default_catalog", "default_database") == std::vector<std::string>{"t"});
  CHECK(catalogs.temporary_tables() == std::vector<std::string>{"t"});
  CHECK(error_of([&] {
          catalogs.drop_table(path, false, false);
        }).second.starts_with("Temporary table with identifier"));
  CHECK_THROWS_AS(catalogs.find_for_alter(name("t"), false), Error);
  CHECK(catalogs.drop_table(path, true, false));
  CHECK(catalogs.find(path)->table()->options.at("connector") == "permanent");
  CHECK(error_of([&] { catalogs.drop_table(path, true, false); }).second ==
        "Temporary table with identifier 'default_catalog.default_database.t' does not exist.");
}

TEST_CASE("renaming") {
  CatalogManager catalogs;
  const ObjectPath path = catalogs.qualify(name("a"));
  catalogs.create_table(path, table(), {});
  catalogs.create_table(catalogs.qualify(name("b")), table(), {});
  CHECK(error_of([&] { catalogs.rename_table(path, "b"); }).first == ErrorCode::kAlreadyExists);
  catalogs.rename_table(path, "c");
  CHECK_FALSE(catalogs.find(path));
  CHECK(catalogs.find(name("c")));
}

TEST_CASE("databases") {
  CatalogManager catalogs;
  catalogs.create_database(name("db1"), {.comment = "c", .properties = {{"k", "v"}}}, false);
  CHECK_THROWS_AS(catalogs.create_database(name("db1"), {}, false), Error);
  catalogs.create_database(name("db1"), {}, true);
  CHECK(catalogs.database(name("db1")).properties.at("k") == "v");
  catalogs.use_database(name("db1"));
  CHECK(catalogs.current_database() == "db1");
  CHECK(error_of([&] { catalogs.drop_database(name("db1"), false, false); }).second ==
        "Cannot drop a database which is currently in use.");
  catalogs.create_table(catalogs.qualify(name("a")), table(), {});
  catalogs.use_database(name("default_database"));
  const auto full =
      error_of([&] { catalogs.drop_database(name("default_catalog.db1"), false, false); });
  CHECK(full.first == ErrorCode::kDatabaseNotEmpty);
  CHECK(first_line(full) == "Could not execute DROP DATABASE default_catalog.db1 RESTRICT");
  catalogs.drop_database(name("db1"), false, true);
  CHECK_THROWS_AS(catalogs.use_database(name("db1")), Error);
  catalogs.drop_database(name("db1"), true, false);
  CHECK(error_of([&] {
          catalogs.create_table({"default_catalog", "nope", "t"}, table(), {});
        }).first == ErrorCode::kCatalogNotFound);
}

TEST_CASE("catalogs") {
  CatalogManager catalogs;
  catalogs.create_catalog(
      "c",
      {.options = {{"type", "generic_in_memory"}, {"default-database", "d"}}, .comment = {}},
      false);
  CHECK_THROWS_AS(catalogs.create_catalog("c", {}, false), Error);
  CHECK_THROWS_AS(
      catalogs.create_catalog("h", {.options = {{"type", "hive"}}, .comment = {}}, false), Error);
  catalogs.use_catalog("c");
  CHECK(catalogs.current_database() == "d");
  CHECK(catalogs.catalogs() == std::vector<std::string>{"c", "default_catalog"});
  CHECK_THROWS_AS(catalogs.drop_catalog("c", false), Error);
  catalogs.use_catalog("default_catalog");
  CHECK(catalogs.current_database() == "default_database");
  catalogs.drop_catalog("c", false);
  CHECK(error_of([&] { catalogs.use_catalog("c"); }).second ==
        "A catalog with name [c] does not exist.");
}

TEST_CASE("functions are found without regard to case") {
  CatalogManager catalogs;
  const auto function = std::make_shared<CatalogFunction>();
  const ObjectPath path = catalogs.qualify(name("Func"));
  CHECK(catalogs.create_function(path, function, false, false));
  CHECK_FALSE(catalogs.create_function(path, function, false, true));
  CHECK_THROWS_AS(catalogs.create_function(path, function, false, false), Error);
  CHECK(catalogs.find_catalog_function(name("FUNC")) == function);
  CHECK(catalogs.find_catalog_function(name("other.func")) == nullptr);
  const auto temporary = std::make_shared<CatalogFunction>();
  catalogs.create_function(path, temporary, true, false);
  CHECK(catalogs.find_catalog_function(name("func")) == temporary);
  CHECK_THROWS_AS(catalogs.drop_function(path, false, false), Error);
  catalogs.drop_function(path, true, false);
  catalogs.drop_function(path, false, false);
  CHECK_THROWS_AS(catalogs.drop_function(path, false, false), Error);
  catalogs.create_temporary_system_function("S", function, false);
  CHECK(catalogs.find_temporary_system_function("s") == function);
  CHECK(catalogs.user_functions("default_catalog", "default_database") ==
        std::vector<std::string>{"s"});
  CHECK(catalogs.drop_temporary_system_function("s", false));
}

}  // namespace
}  // namespace thalweg::catalog
