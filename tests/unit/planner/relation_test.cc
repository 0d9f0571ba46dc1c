// The Table API builds the same plans as SQL.
#include "thalweg/planner/relation.h"

#include <doctest/doctest.h>

#include "planner/planner_fixture.h"
#include "thalweg/sql/ast_build.h"
#include "thalweg/sql/parser.h"

namespace thalweg::planner {

namespace {

sql::SelectItem item(std::string_view expression, std::string alias = {}) {
  sql::SelectItem result;
  result.expr = sql::parse_expression(expression);
  if (!alias.empty()) {
    result.alias = sql::Identifier(std::move(alias));
  }
  return result;
}

Planning with_sensors() {
  Planning planning;
  planning.run(R"sql(
CREATE TABLE sensor_readings (device_id VARCHAR, co DOUBLE, humidity DOUBLE, motion BOOLEAN,
  temp DOUBLE, ampere_hour DOUBLE, ts BIGINT, proctime AS PROCTIME())
WITH ('connector' = 'kafka'))sql");
  return planning;
}

}  // namespace

TEST_CASE("a group window of the Table API has SQL's plan") {
  Planning planning = with_sensors();
  const Relation table =
      Relation::of_path(sql::parse_object_name("sensor_readings"), planning.context());
  const Relation windows =
      table.aggregate({sql::parse_expression("TUMBLE(proctime, INTERVAL '30' SECOND)"),
                       sql::parse_expression("device_id")},
                      {item("device_id"),
                       item("TUMBLE_START(proctime, INTERVAL '30' SECOND)", "window_start"),
                       item("TUMBLE_END(proctime, INTERVAL '30' SECOND)", "window_end"),
                       item("SUM(ampere_hour)", "charge_consumed")});
  const std::string from_api = explain({windows.plan()}, {}, planning.context());
  const std::string from_sql = planning.explain(R"sql(
SELECT device_id, TUMBLE_START(proctime, INTERVAL '30' SECOND) AS window_start,
  TUMBLE_END(proctime, INTERVAL '30' SECOND) AS window_end, SUM(ampere_hour) AS charge_consumed
FROM sensor_readings GROUP BY device_id, TUMBLE(proctime, INTERVAL '30' SECOND))sql");
  CHECK(section(from_api, "Optimized Physical Plan") ==
        section(from_sql, "Optimized Physical Plan"));
  CHECK(section(from_sql, "Optimized Physical Plan") == R"plan(
Calc(select=[device_id, w$start AS window_start, w$end AS window_end, charge_consumed])
+- GroupWindowAggregate(groupBy=[device_id], window=[TumblingGroupWindow('w$, proctime, 30000)], properties=[w$start, w$end, w$proctime], select=[device_id, SUM(ampere_hour) AS charge_consumed, start('w$) AS w$start, end('w$) AS w$end, proctime('w$) AS w$proctime])
   +- Exchange(distribution=[hash[device_id]])
      +- Calc(select=[device_id, PROCTIME() AS proctime, ampere_hour])
         +- TableSourceScan(table=[[default_catalog, default_database, sensor_readings]], fields=[device_id, co, humidity, motion, temp, ampere_hour, ts])
)plan" + 1);
}

TEST_CASE("operations on columns") {
  Planning planning;
  const Relation rows = Relation::of_rows({{"a", DataType::integer()}, {"b", DataType::string()}},
                                          {{Value(int64_t{1}), Value(std::string("x"))}},
                                          planning.context());
  CHECK(rows.alias({"k"}).schema()[0].name == "k");
  CHECK(rows.drop_columns({"a"}).schema().size() == 1);
  CHECK(rows.rename_columns({{"a", "z"}}).schema()[0].name == "z");
  CHECK(rows.add_columns({item("a + 1", "c")}, false).schema()[2].name == "c");
  CHECK(rows.add_columns({item("a + 1", "a")}, true).schema().size() == 2);
  CHECK(rows.distinct().schema().size() == 2);
  CHECK(rows.set_operation(rows, sql::SetOp::kUnion, true).schema()[1].name == "b");
  const Relation limited =
      rows.order_by({{sql::parse_expression("a"), true, {}}}).limit(1, std::nullopt).limit(0, 5);
  CHECK(section(explain({limited.plan()}, {}, planning.context()), "Abstract Syntax Tree") ==
        "LogicalSort(sort0=[$0], dir0=[DESC-nulls-last], offset=[1], fetch=[5])\n"
        "+- LogicalValues(tuples=[[{ 1, _UTF-16LE'x' }]])\n");
}

TEST_CASE("windows of a number of rows") {
  Planning planning;
  planning.run(
      "CREATE TABLE e (k STRING, v INT, pt AS PROCTIME(), ts TIMESTAMP(3), WATERMARK FOR ts AS ts) "
      "WITH ('connector'='x')");
  const Relation rows = Relation::of_path(sql::parse_object_name("e"), planning.context());
  const auto windowed = [&](const char* time, const char* function) {
    const sql::ExprPtr count = sql::make_call("$ROW_INTERVAL", {sql::make_exact("3")});
    return rows.aggregate({sql::make_call("TUMBLE", {sql::make_column(time), count})},
                          {item(function)});
  };
  CHECK(section(explain({windowed("pt", "SUM(v)").plan()}, {}, planning.context()),
                "Optimized Execution Plan")
            .starts_with("GroupWindowAggregate(window=[TumblingGroupWindow('w$, pt, 3)], "
                         "select=[SUM(v) AS EXPR$0])"));
  CHECK_THROWS_WITH_AS(windowed("ts", "SUM(v)"),
                       "Event-time grouping windows on row intervals are currently not supported.",
                       Error);
}

TEST_CASE("the Table API's plus joins texts, SQL's does not") {
  Planning planning;
  const Relation rows = Relation::of_rows({{"a", DataType::integer()}, {"b", DataType::string()}},
                                          {{Value(int64_t{1}), Value(std::string("x"))}},
                                          planning.context());
  const auto sum_of = [](const char* left, const char* right) {
    return sql::make_operator(sql::Op::kPlus, {sql::make_column(left), sql::make_column(right)});
  };
  CHECK(rows.project({{sum_of("b", "a"), std::nullopt}}).schema()[0].type == DataType::string());
  CHECK(rows.project({{sum_of("a", "a"), std::nullopt}}).schema()[0].type == DataType::integer());
  CHECK(planning.error("SELECT 'a' + 'b'").find("Cannot apply '+'") != std::string::npos);
}

}  // namespace thalweg::planner
