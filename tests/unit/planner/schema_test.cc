// Names and types of queries' columns.
#include <doctest/doctest.h>

#include "planner/planner_fixture.h"
#include "thalweg/planner/type_text.h"

namespace thalweg::planner {

TEST_CASE("literals") {
  Planning planning;
  CHECK(planning.schema("SELECT 1, 3000000000, 1.50, 1e0, 'ab', TRUE, X'4a'") ==
        "EXPR$0 INT NOT NULL, EXPR$1 BIGINT NOT NULL, EXPR$2 DECIMAL(3, 2) NOT NULL, EXPR$3 DOUBLE "
        "NOT NULL, EXPR$4 CHAR(2) NOT NULL, EXPR$5 BOOLEAN NOT NULL, EXPR$6 BINARY(1) "
        "NOT NULL");
  CHECK(planning.schema("SELECT DATE '2024-02-29' d, TIME '12:34:56' t, TIMESTAMP '2024-01-02 "
                        "03:04:05' a, TIMESTAMP '2024-01-02 03:04:05.67' b, INTERVAL '1-2' YEAR TO "
                        "MONTH y, -5 n") ==
        "d DATE NOT NULL, t TIME(0) NOT NULL, a TIMESTAMP(0) NOT NULL, b TIMESTAMP(2) NOT NULL, y "
        "INTERVAL YEAR(2) TO MONTH NOT NULL, n INT NOT NULL");
}

TEST_CASE("names") {
  Planning planning;
  CHECK(planning.schema("SELECT 1 AS a, 2 AS a, 3") ==
        "a INT NOT NULL, a0 INT NOT NULL, EXPR$2 INT NOT NULL");
  CHECK(planning.schema("SELECT x.*, x.b AS c, x.a + 1 FROM (VALUES (1, 'p'), (2, 'qq')) AS x(a, "
                        "b)") ==
        "a INT NOT NULL, b VARCHAR(2) NOT NULL, c VARCHAR(2) NOT NULL, EXPR$3 INT NOT NULL");
  CHECK(planning.schema("WITH q AS (SELECT 1 AS a), r(z) AS (SELECT a FROM q) SELECT * FROM r") ==
        "z INT NOT NULL");
  CHECK(planning.schema("SELECT COUNT(*), SUM(a) AS s FROM (VALUES (1), (2)) AS x(a)") ==
        "EXPR$0 BIGINT NOT NULL, s INT");
  CHECK(planning.schema("SELECT a, SUM(b) FROM (VALUES (1, 2)) AS x(a, b) GROUP BY a") ==
        "a INT NOT NULL, EXPR$1 INT NOT NULL");
}

TEST_CASE("common types") {
  Planning planning;
  CHECK(planning.schema("SELECT CASE WHEN TRUE THEN 1 ELSE 2.5 END c, CASE WHEN TRUE THEN 'a' END "
                        "d, COALESCE(CAST(NULL AS INT), 1) e") ==
        "c DECIMAL(11, 1) NOT NULL, d CHAR(1), e INT NOT NULL");
  CHECK(planning.schema("SELECT 1 AS a UNION ALL SELECT CAST(NULL AS BIGINT)") == "a BIGINT");
}

TEST_CASE("time attributes travel through queries") {
  Planning planning;
  planning.run(
      "CREATE TABLE e (k STRING, m TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', pt AS PROCTIME(), "
      "ts "
      "TIMESTAMP(3), up AS UPPER(k), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH "
      "('connector'='kafka')");
  CHECK(planning.schema("SELECT * FROM e") ==
        "k STRING, m TIMESTAMP_LTZ(3) NOT NULL, pt TIMESTAMP_LTZ(3) *PROCTIME* NOT NULL, ts "
        "TIMESTAMP(3) *ROWTIME*, up STRING");
  CHECK(
      planning.schema("SELECT ts + INTERVAL '1' SECOND AS u, CAST(ts AS TIMESTAMP(3)) c FROM e") ==
      "u TIMESTAMP(3), c TIMESTAMP(3)");
  CHECK(planning.schema("SELECT window_start, window_time FROM TABLE(TUMBLE(TABLE e, "
                        "DESCRIPTOR(pt), INTERVAL '1' MINUTE))") ==
        "window_start TIMESTAMP(3) NOT NULL, window_time TIMESTAMP_LTZ(3) *PROCTIME* NOT NULL");
  CHECK(planning.schema("SELECT TUMBLE_ROWTIME(ts, INTERVAL '1' MINUTE) r, COUNT(*) n FROM e GROUP "
                        "BY TUMBLE(ts, INTERVAL '1' MINUTE)") ==
        "r TIMESTAMP(3) *ROWTIME* NOT NULL, n BIGINT NOT NULL");
}

TEST_CASE("UNION ALL and CASE keep a time attribute that all sides have") {
  Planning planning;
  planning.run(
      "CREATE TABLE a (k STRING, ts TIMESTAMP(3), p AS PROCTIME(), WATERMARK FOR ts AS ts) WITH "
      "('connector'='x')");
  planning.run("CREATE TABLE b (k STRING, ts TIMESTAMP(3)) WITH ('connector'='x')");
  CHECK(planning.schema("SELECT k, ts, p FROM a UNION ALL SELECT UPPER(k), ts, p FROM a") ==
        "k STRING, ts TIMESTAMP(3) *ROWTIME*, p TIMESTAMP_LTZ(3) *PROCTIME* NOT NULL");
  CHECK(planning.schema("SELECT ts FROM a UNION ALL SELECT ts FROM b") == "ts TIMESTAMP(3)");
  CHECK(planning.schema("SELECT ts FROM a UNION ALL SELECT ts FROM a UNION ALL SELECT ts FROM b") ==
        "ts TIMESTAMP(3)");
  CHECK(planning.schema("SELECT CASE WHEN k = 'x' THEN ts ELSE ts END t FROM a") ==
        "t TIMESTAMP(3) *ROWTIME*");
}

TEST_CASE("intervals are told as Flink keeps them") {
  const Schema schema =
      resolved_schema({{"d", DataType::interval_day_time("DAY", "DAY").not_null()},
                       {"y", DataType::interval_year_month("YEAR", "MONTH")},
                       {"i", DataType::integer()}});
  CHECK(schema[0].type.to_string() == "INTERVAL SECOND(3) NOT NULL");
  CHECK(schema[1].type.to_string() == "INTERVAL MONTH");
  CHECK(schema[2].type == DataType::integer());
}

TEST_CASE("JSON clauses decide the types of their functions") {
  Planning planning;
  CHECK(planning.schema("SELECT JSON_VALUE('{}', '$.a') a, JSON_VALUE('{}', '$.a' RETURNING INT "
                        "DEFAULT 1 ON EMPTY) b, JSON_QUERY('[]', '$' RETURNING ARRAY<STRING>) c") ==
        "a STRING, b INT, c ARRAY<STRING>");
  CHECK(planning.error("SELECT JSON_VALUE('{}', '$.a' RETURNING DATE)") != "");
}

}  // namespace thalweg::planner
