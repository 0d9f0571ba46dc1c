// Names, types and their errors, in Flink's words.
#include <doctest/doctest.h>

#include "planner/planner_fixture.h"
#include "thalweg/sql/parser.h"

namespace thalweg::planner {

namespace {

Planning with_view() {
  Planning planning;
  planning.run(
      "CREATE VIEW t AS SELECT * FROM (VALUES (1,'a',10),(2,'b',20),(3,'a',CAST(NULL AS INT))) AS "
      "x(id,name,v)");
  return planning;
}

}  // namespace

TEST_CASE("names that are not there") {
  Planning planning = with_view();
  CHECK(planning.error("SELECT nope FROM t") == "1:8-11 Column 'nope' not found in any table");
  CHECK(planning.error("SELECT id, nme FROM t") == "1:12-14 Column 'nme' not found in any table");
  CHECK(planning.error("SELECT t.nope FROM t") == "1:10-13 Column 'nope' not found in table 't'");
  CHECK(planning.error("SELECT * FROM no_such_table") ==
        "1:15-27 Object 'no_such_table' not found");
  CHECK(planning.error("SELECT a.b.c FROM t") == "1:8-10 Table 'a.b' not found");
  CHECK(planning.error("SELECT user FROM t") == "1:8-11 Column 'user' not found in any table");
  CHECK(planning.error("SELECT NO_SUCH_FN(id) FROM t") ==
        "1:8-21 No match found for function signature NO_SUCH_FN(<NUMERIC>)");
}

TEST_CASE("an error inside a view points at the view's name") {
  Planning planning;
  planning.run("CREATE TABLE a (x INT, y INT) WITH ('connector'='print')");
  planning.run("CREATE VIEW v AS SELECT x, y FROM a");
  planning.catalogs.drop_table(
      planning.catalogs.qualify(sql::parse_object_name("a")), false, false);
  CHECK(planning.error("SELECT 1 FROM v") == "1:15-15 Object 'a' not found");
}

TEST_CASE("a table is called by its path too") {
  Planning planning;
  planning.run("CREATE TABLE a (x INT) WITH ('connector'='print')");
  CHECK(planning.error("SELECT default_database.a.x FROM a") == "");
}

TEST_CASE("groups") {
  Planning planning = with_view();
  CHECK(planning.error("SELECT id, name FROM t GROUP BY id") ==
        "1:12-15 Expression 'name' is not being grouped");
  CHECK(planning.error("SELECT id FROM t WHERE SUM(id) > 1") ==
        "1:24-30 Aggregate expression is illegal in WHERE clause");
  CHECK(planning.error("SELECT SUM(COUNT(*)) FROM t") ==
        "1:8-20 Aggregate expressions cannot be nested");
  CHECK(planning.error("SELECT id + 1, COUNT(*) FROM t GROUP BY id + 1") == "");
  CHECK(planning.error("SELECT UPPER(name), id + 1 + SUM(v) FROM t GROUP BY name, id + 1") == "");
}

TEST_CASE("types") {
  Planning planning = with_view();
  CHECK(planning.error("SELECT id + TRUE FROM t") ==
        "1:8-16 Cannot apply '+' to arguments of type '<INTEGER> + <BOOLEAN>'. Supported form(s): "
        "'<NUMERIC> + <NUMERIC>'\n'<DATETIME_INTERVAL> + <DATETIME_INTERVAL>'\n'<DATETIME> + "
        "<DATETIME_INTERVAL>'\n'<DATETIME_INTERVAL> + <DATETIME>'");
  CHECK(planning.error("SELECT * FROM t WHERE name") == "1:23-26 WHERE clause must be a condition");
  CHECK(planning.error("SELECT UPPER(id, 1) FROM t") ==
        "1:8-19 Invalid number of arguments to function 'UPPER'. Was expecting 1 arguments");
  CHECK(planning.error("SELECT SUM(id, 1) FROM t") ==
        "1:8-17 Invalid number of arguments to function 'SUM'. Was expecting 1 arguments");
  CHECK(planning.error("SELECT * FROM (VALUES (1,'a'),(2)) AS x(a,b)") ==
        "1:16-33 Values passed to VALUES operator must have compatible types");
  CHECK(planning.error("SELECT INTERVAL '360' SECOND") ==
        "1:8-28 Interval field value 360 exceeds precision of SECOND(2) field");
  CHECK(planning.error("SELECT 1/0") == "Division by zero");
}

TEST_CASE("windows need a time attribute") {
  Planning planning = with_view();
  CHECK(planning.error("SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(id), INTERVAL '1' MINUTE))")
            .ends_with("The window function TUMBLE(TABLE table_name, DESCRIPTOR(timecol), datetime "
                       "interval[, datetime interval]) requires the timecol to be TIMESTAMP or "
                       "TIMESTAMP_LTZ, but is INTEGER.\nBesides, the timecol must be a time "
                       "attribute type in streaming mode."));
  CHECK(planning.error("SELECT COUNT(*) FROM t GROUP BY TUMBLE(id, INTERVAL '1' MINUTE)") ==
        "1:33-63 Cannot apply '$TUMBLE' to arguments of type '$TUMBLE(<INTEGER>, <INTERVAL "
        "MINUTE>)'. Supported form(s): '$TUMBLE(<DATETIME>, <DATETIME_INTERVAL>)'\n"
        "'$TUMBLE(<DATETIME>, <DATETIME_INTERVAL>, <TIME>)'");
}

TEST_CASE("sinks") {
  Planning planning = with_view();
  planning.run("CREATE TABLE snk (id INT, name STRING) WITH ('connector'='print')");
  planning.run("CREATE TABLE files (id INT, n BIGINT) WITH ('connector'='filesystem')");
  planning.run(
      "CREATE TABLE keyed (id INT, n BIGINT, PRIMARY KEY (n) NOT ENFORCED) WITH "
      "('connector'='print')");
  planning.run("CREATE TABLE broken (a INT) WITH ('connector'='missing','z'='1')");
  CHECK(planning.error("INSERT INTO snk SELECT id FROM t") ==
        "Column types of query result and sink for 'default_catalog.default_database.snk' do not "
        "match.\nCause: Different number of columns.\n\nQuery schema: [id: INT NOT NULL]\nSink "
        "schema:  [id: INT, name: STRING]");
  CHECK(planning.error("INSERT INTO snk SELECT name, name FROM t")
            .find("Cause: Incompatible types for sink column 'id' at position 1.") !=
        std::string::npos);
  CHECK(planning.error("INSERT INTO files SELECT id, COUNT(*) FROM t GROUP BY id") ==
        "Table sink 'default_catalog.default_database.files' doesn't support consuming update "
        "changes which is produced by node GroupAggregate(groupBy=[id], select=[id, COUNT(*) AS "
        "EXPR$1])");
  CHECK(planning.error("INSERT INTO keyed SELECT id, COUNT(*) FROM t GROUP BY id")
            .find("Primary key: [n], upsert key: [id].") != std::string::npos);
  CHECK(planning.error("SELECT * FROM broken") ==
        "1:15-20 Unable to create a source for reading table "
        "'default_catalog.default_database.broken'.\n\nTable options are:\n\n'connector'='missing'"
        "\n'z'='1'\n\nCause: One or more required options are missing.");
}

TEST_CASE("table definitions") {
  Planning planning;
  const auto error = [&](std::string_view statement) -> std::string {
    try {
      planning.run(statement);
    } catch (const Error& failure) {
      return failure.message();
    }
    return {};
  };
  CHECK(error("CREATE TABLE wm (a STRING, WATERMARK FOR a AS a) WITH ('connector'='datagen')") ==
        "Invalid data type of time field for watermark definition. The field must be of type "
        "TIMESTAMP(p) or TIMESTAMP_LTZ(p), the supported precision 'p' is from 0 to 3, but the "
        "time field type is STRING");
  CHECK(error("CREATE TABLE c (a INT, b AS nope + 1) WITH ('connector'='datagen')") ==
        "Column 'nope' not found in any table");
}

TEST_CASE("what a table's changes do not allow") {
  Planning planning;
  planning.run("CREATE TABLE u (id INT) WITH ('connector'='upsert')");
  CHECK(planning.error("SELECT * FROM u")
            .find("produces a changelog stream that contains UPDATE_AFTER but no UPDATE_BEFORE") !=
        std::string::npos);
  Planning batch(true);
  batch.run("CREATE TABLE u (id INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'='upsert')");
  CHECK(batch.error("SELECT * FROM u").find("only possible for INSERT-only table sources") !=
        std::string::npos);
}

TEST_CASE("what only batch mode can do") {
  const char* query = "SELECT APPROX_COUNT_DISTINCT(a) FROM (VALUES (1)) AS t(a)";
  CHECK(Planning().error(query).find("does not support yet for streaming") != std::string::npos);
  CHECK(Planning(true).error(query) == "");
}

}  // namespace thalweg::planner
