#include "thalweg/catalog/alter_table.h"

#include <doctest/doctest.h>

#include "thalweg/catalog/table_definition.h"
#include "thalweg/sql/parser.h"

namespace thalweg::catalog {
namespace {

CatalogTable base() {
  const CatalogManager catalogs;
  const sql::StatementPtr statement = sql::parse_statement(
      "CREATE TABLE pk (id INT, name STRING, spare INT, c AS UPPER(name), ts TIMESTAMP(3), p INT, "
      "PRIMARY KEY (id) NOT ENFORCED, WATERMARK FOR ts AS ts) PARTITIONED BY (p) WITH "
      "('connector'='x', 'a'='b')");
  return define_table(sql::as<sql::CreateTable>(*statement), catalogs);
}

CatalogTable altered(std::string_view action) {
  const sql::StatementPtr statement = sql::parse_statement("ALTER TABLE pk " + std::string(action));
  return alter_table(base(), sql::as<sql::AlterTable>(*statement), {"c", "d", "pk"});
}

std::string names(const CatalogTable& table) {
  std::string result;
  for (const sql::ColumnDefinition& column : table.columns) {
    result += (result.empty() ? "" : " ") + column.name.text;
  }
  return result;
}

std::string detail_of(std::string_view action) {
  try {
    altered(action);
  } catch (const Error& error) {
    constexpr std::string_view kPrefix = "Failed to execute ALTER TABLE statement.\n";
    CHECK(error.message().starts_with(kPrefix));
    return error.message().substr(std::min(kPrefix.size(), error.message().size()));
  }
  return "no error";
}

TEST_CASE("adding columns") {
  CHECK(names(altered("ADD (extra INT FIRST)")) == "extra id name spare c ts p");
  CHECK(names(altered("ADD (x INT AFTER id, y AS x + 1)")) == "id x name spare c ts p y");
  CHECK(detail_of("ADD id INT") == "Column `id` already exists in the table.");
  CHECK(detail_of("ADD x INT AFTER nope") ==
        "Referenced column `nope` by 'AFTER' does not exist in the table.");
  CHECK(detail_of("ADD PRIMARY KEY (name) NOT ENFORCED").find("already defined the primary key") !=
        std::string::npos);
  CHECK(detail_of("ADD WATERMARK FOR ts AS ts").find("already defined the watermark") !=
        std::string::npos);
}

TEST_CASE("modifying columns") {
  CHECK(altered("MODIFY spare BIGINT COMMENT 'c'").columns[2].type == DataType::big_int());
  CHECK(names(altered("MODIFY spare INT FIRST")) == "spare id name c ts p");
  CHECK(names(altered("MODIFY spare INT AFTER ts")) == "id name c ts spare p");
  CHECK(detail_of("MODIFY nope INT") == "Column `nope` does not exist in the table.");
  CHECK(altered("MODIFY PRIMARY KEY (name) NOT ENFORCED").primary_key->columns[0] == "name");
}

TEST_CASE("dropping") {
  CHECK(names(altered("DROP spare")) == "id name c ts p");
  CHECK(names(altered("DROP (name, c)")) == "id spare ts p");
  CHECK(detail_of("DROP name") == "The column `name` is referenced by computed column `c`.");
  CHECK(detail_of("DROP id") == "The column `id` is used as the primary key.");
  CHECK(detail_of("DROP p") == "The column `p` is used as the partition keys.");
  CHECK(detail_of("DROP ts") == "The column `ts` is referenced by watermark expression.");
  CHECK(detail_of("DROP nope") == "The column `nope` does not exist in the base table.");
  CHECK_FALSE(altered("DROP PRIMARY KEY").primary_key.has_value());
  CHECK_FALSE(altered("DROP CONSTRAINT PK_id").primary_key.has_value());
  CHECK(detail_of("DROP CONSTRAINT other").find("'PK_id'") != std::string::npos);
  CHECK_FALSE(altered("DROP WATERMARK").watermark.has_value());
  CHECK(detail_of("DROP DISTRIBUTION") ==
        "Table `c`.`d`.`pk` does not have a distribution to drop.");
}

TEST_CASE("renaming columns") {
  const CatalogTable renamed = altered("RENAME id TO ident");
  CHECK(names(renamed) == "ident name spare c ts p");
  CHECK(renamed.primary_key->columns[0] == "ident");
  CHECK(detail_of("RENAME name TO nm") ==
        "The column `name` is referenced by computed column `c`.");
  CHECK(detail_of("RENAME spare TO id") == "The column `id` already existed in table schema.");
  CHECK(detail_of("RENAME ts TO t") == "The column `ts` is referenced by watermark expression.");
}

TEST_CASE("options") {
  CHECK(altered("SET ('a'='z', 'n'='m')").options ==
        OptionMap{{"a", "z"}, {"connector", "x"}, {"n", "m"}});
  CHECK(altered("RESET ('a')").options == OptionMap{{"connector", "x"}});
  CHECK_THROWS_AS(altered("RESET ('connector')"), Error);
  CHECK_THROWS_AS(altered("ADD PARTITION (p = 1)"), Error);
}

}  // namespace
}  // namespace thalweg::catalog
