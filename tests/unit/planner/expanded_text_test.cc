// The text of a view as SHOW CREATE VIEW shows it.
#include <doctest/doctest.h>

#include "planner/planner_fixture.h"
#include "thalweg/sql/parser.h"

namespace thalweg::planner {

namespace {

std::string expanded(std::string_view query) {
  Planning planning;
  planning.run("CREATE TABLE t (id INT, name STRING, r ROW<x INT>) WITH ('connector'='x')");
  planning.run("CREATE TABLE u (id INT, v INT) WITH ('connector'='x')");
  const sql::StatementPtr statement = sql::parse_statement(query);
  return expanded_text(*sql::as<sql::QueryStatement>(*statement).query, planning.context());
}

}  // namespace

TEST_CASE("names are written out") {
  CHECK(expanded("SELECT id, name AS n FROM t WHERE id > 1") ==
        "SELECT `t`.`id`, `t`.`name` AS `n`\n"
        "FROM `default_catalog`.`default_database`.`t` AS `t`\n"
        "WHERE `t`.`id` > 1");
  CHECK(expanded("SELECT * FROM u") ==
        "SELECT `u`.`id`, `u`.`v`\nFROM `default_catalog`.`default_database`.`u` AS `u`");
  CHECK(expanded("SELECT r.x, x.name FROM default_database.t x GROUP BY r.x, name") ==
        "SELECT `x`.`r`.`x`, `x`.`name`\n"
        "FROM `default_catalog`.`default_database`.`t` AS `x`\n"
        "GROUP BY `x`.`r`.`x`, `x`.`name`");
}

TEST_CASE("the star of COUNT stays") {
  CHECK(expanded("SELECT COUNT(*), u.* FROM u GROUP BY id, v") ==
        "SELECT COUNT(*), `u`.`id`, `u`.`v`\n"
        "FROM `default_catalog`.`default_database`.`u` AS `u`\n"
        "GROUP BY `u`.`id`, `u`.`v`");
}

TEST_CASE("tables without a name get one") {
  CHECK(expanded("SELECT id FROM (SELECT id FROM t) ORDER BY id") ==
        "SELECT `EXPR$0`.`id`\n"
        "FROM (SELECT `t`.`id`\n"
        "FROM `default_catalog`.`default_database`.`t` AS `t`) AS `EXPR$0`\n"
        "ORDER BY `id`");
  CHECK(expanded("SELECT * FROM (VALUES (1, 'a')) AS v(a, b)") ==
        "SELECT `v`.`a`, `v`.`b`\nFROM (VALUES ROW(1, 'a')) AS `v` (`a`, `b`)");
  CHECK(expanded("SELECT id FROM t UNION ALL SELECT id FROM u") ==
        "SELECT `t`.`id`\nFROM `default_catalog`.`default_database`.`t` AS `t`\n"
        "UNION ALL\n"
        "SELECT `u`.`id`\nFROM `default_catalog`.`default_database`.`u` AS `u`");
}

TEST_CASE("names of WITH tables stay") {
  CHECK(expanded("WITH w AS (SELECT id FROM t) SELECT id FROM w") ==
        "WITH `w` AS (SELECT `t`.`id`\n"
        "FROM `default_catalog`.`default_database`.`t` AS `t`)\n"
        "SELECT `id`\nFROM `w` AS `w`");
}

}  // namespace thalweg::planner
