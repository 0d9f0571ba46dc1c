#include "thalweg/catalog/table_definition.h"

#include <doctest/doctest.h>

#include "thalweg/sql/parser.h"

namespace thalweg::catalog {
namespace {

const sql::CreateTable& statement_of(const sql::StatementPtr& statement) {
  return sql::as<sql::CreateTable>(*statement);
}

CatalogTable define(std::string_view text, const CatalogManager& catalogs) {
  return define_table(statement_of(sql::parse_statement(text)), catalogs);
}

std::vector<std::string> names(const CatalogTable& table) {
  std::vector<std::string> result;
  for (const sql::ColumnDefinition& column : table.columns) {
    result.push_back(column.name.text);
  }
  return result;
}

std::string message_of(std::string_view text, const CatalogManager& catalogs) {
  try {
    define(text, catalogs);
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

/// A manager that holds the table `base`.
struct WithBase {
  explicit WithBase(std::string_view text) {
    catalogs.create_table(catalogs.qualify(sql::parse_object_name("base")),
                          std::make_shared<CatalogTable>(define(text, catalogs)),
                          {});
  }

  CatalogManager catalogs;
};

constexpr std::string_view kBase =
    "CREATE TABLE base (id INT, name STRING, c AS UPPER(name), m BIGINT METADATA VIRTUAL, ts "
    "TIMESTAMP(3), "
    "PRIMARY KEY (id) NOT ENFORCED, WATERMARK FOR ts AS ts) COMMENT 'old' PARTITIONED BY (name) "
    "WITH ('connector'='kafka', 'topic'='x')";

TEST_CASE("the primary key makes its columns NOT NULL and gets a name") {
  const CatalogManager catalogs;
  const CatalogTable table = define(
      "CREATE TABLE t (a INT, b INT, c INT, PRIMARY KEY (a, b) NOT ENFORCED) PARTITIONED BY (c) "
      "WITH ('k'='v')",
      catalogs);
  CHECK(table.primary_key->name == "PK_a_b");
  CHECK_FALSE(table.columns[0].type.is_nullable());
  CHECK(table.columns[2].type.is_nullable());
  CHECK(
      define("CREATE TABLE t (a INT PRIMARY KEY NOT ENFORCED)", catalogs).primary_key->columns[0] ==
      "a");
}

TEST_CASE("definitions that cannot be") {
  const CatalogManager catalogs;
  for (const std::string_view text : {"CREATE TABLE t (a INT, a STRING)",
                                      "CREATE TABLE t (a INT, PRIMARY KEY (b) NOT ENFORCED)",
                                      "CREATE TABLE t (a INT, PRIMARY KEY (a))",
                                      "CREATE TABLE t (a INT, UNIQUE (a) NOT ENFORCED)",
                                      "CREATE TABLE t (a AS 1, PRIMARY KEY (a) NOT ENFORCED)",
                                      "CREATE TABLE t (a INT) PARTITIONED BY (b)",
                                      "CREATE TABLE t LIKE missing"}) {
    CAPTURE(std::string(text));
    CHECK_THROWS_AS(define(text, catalogs), Error);
  }
}

TEST_CASE("LIKE takes everything and lets options overwrite") {
  const WithBase with(kBase);
  const CatalogTable table =
      define("CREATE TABLE t (extra INT) WITH ('topic'='z') LIKE base", with.catalogs);
  CHECK(names(table) == std::vector<std::string>{"id", "name", "c", "m", "ts", "extra"});
  CHECK(table.primary_key.has_value());
  CHECK(table.watermark.has_value());
  CHECK(table.partition_keys == std::vector<std::string>{"name"});
  CHECK(table.options == OptionMap{{"connector", "kafka"}, {"topic", "z"}});
  CHECK_FALSE(table.comment.has_value());
}

TEST_CASE("LIKE EXCLUDING") {
  const WithBase with(kBase);
  const CatalogTable table =
      define("CREATE TABLE t (x INT) WITH ('a'='b') LIKE base (EXCLUDING ALL)", with.catalogs);
  CHECK(names(table) == std::vector<std::string>{"id", "name", "ts", "x"});
  CHECK_FALSE(table.primary_key.has_value());
  CHECK_FALSE(table.watermark.has_value());
  CHECK(table.options == OptionMap{{"a", "b"}});
  // Flink keeps the source's partitions even so.
  CHECK(table.partition_keys == std::vector<std::string>{"name"});
  const CatalogTable mixed =
      define("CREATE TABLE t LIKE base (EXCLUDING ALL INCLUDING GENERATED INCLUDING OPTIONS)",
             with.catalogs);
  CHECK(names(mixed) == std::vector<std::string>{"id", "name", "c", "ts"});
  CHECK(mixed.options.size() == 2);
}

TEST_CASE("LIKE conflicts") {
  const WithBase with(kBase);
  CHECK(message_of("CREATE TABLE t (id INT) LIKE base", with.catalogs) ==
        "A column named 'id' already exists in the base table.");
  CHECK(message_of("CREATE TABLE t (c AS 1) LIKE base", with.catalogs)
            .find("OVERWRITING GENERATED") != std::string::npos);
  CHECK(message_of("CREATE TABLE t (PRIMARY KEY (ts) NOT ENFORCED) LIKE base", with.catalogs)
            .find("EXCLUDING CONSTRAINTS") != std::string::npos);
  CHECK(message_of("CREATE TABLE t (WATERMARK FOR ts AS ts) LIKE base", with.catalogs)
            .find("WATERMARKS") != std::string::npos);
  CHECK(message_of("CREATE TABLE t WITH ('topic'='z') LIKE base (INCLUDING OPTIONS)", with.catalogs)
            .find("OPTIONS") != std::string::npos);
  CHECK(message_of("CREATE TABLE t LIKE base (OVERWRITING CONSTRAINTS)", with.catalogs)
            .starts_with("Illegal"));
  CHECK(message_of("CREATE TABLE t LIKE base (INCLUDING OPTIONS EXCLUDING OPTIONS)", with.catalogs)
            .find("once") != std::string::npos);
  const CatalogTable replaced =
      define("CREATE TABLE t (c AS 1) LIKE base (OVERWRITING GENERATED)", with.catalogs);
  CHECK(names(replaced) == std::vector<std::string>{"id", "name", "c", "m", "ts"});
}

TEST_CASE("CREATE TABLE AS takes the query's columns") {
  const CatalogManager catalogs;
  const Schema query = {{.name = "a", .type = DataType::integer().not_null()},
                        {.name = "b", .type = DataType::string()}};
  const auto complete = [&](std::string_view text) {
    const sql::StatementPtr statement = sql::parse_statement(text);
    CatalogTable table = define_table(statement_of(statement), catalogs);
    add_query_columns(table, statement_of(statement), query);
    return table;
  };
  CHECK(names(complete("CREATE TABLE t AS SELECT 1")) == std::vector<std::string>{"a", "b"});
  CHECK(names(complete("CREATE TABLE t (b, a) AS SELECT 1")) == std::vector<std::string>{"b", "a"});
  const CatalogTable typed =
      complete("CREATE TABLE t (x AS a + 1, a BIGINT, PRIMARY KEY (b) NOT ENFORCED) AS SELECT 1");
  CHECK(names(typed) == std::vector<std::string>{"x", "a", "b"});
  CHECK(typed.columns[1].type == DataType::big_int());
  CHECK_FALSE(typed.columns[2].type.is_nullable());
  CHECK_THROWS_AS(complete("CREATE TABLE t (c, a) AS SELECT 1"), Error);
}

}  // namespace
}  // namespace thalweg::catalog
