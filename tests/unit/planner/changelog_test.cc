// Which rows travel: retractions are asked for only where someone needs them.
#include <doctest/doctest.h>

#include "planner/planner_fixture.h"

namespace thalweg::planner {

namespace {

Planning with_tables(bool batch = false) {
  Planning planning(batch);
  planning.run("CREATE TABLE orders (id INT, item STRING, price INT) WITH ('connector'='x')");
  planning.run(
      "CREATE TABLE totals (item STRING, total INT, PRIMARY KEY (item) NOT ENFORCED) WITH "
      "('connector'='upsert')");
  planning.run("CREATE TABLE shown (item STRING, total INT) WITH ('connector'='print')");
  return planning;
}

const GroupAggregate& find_aggregate(const PhysicalNode& node) {
  if (const auto* aggregate = if_a<GroupAggregate>(node)) {
    return *aggregate;
  }
  return find_aggregate(*node.inputs.at(0));
}

}  // namespace

TEST_CASE("update before is sent where the sink wants it") {
  Planning planning = with_tables();
  const std::string_view upsert =
      "INSERT INTO totals SELECT item, SUM(price) FROM orders GROUP BY item";
  CHECK(!find_aggregate(*planning.optimize(upsert).roots[0]).sends_update_before);
  const std::string_view print =
      "INSERT INTO shown SELECT item, SUM(price) FROM orders GROUP BY item";
  CHECK(find_aggregate(*planning.optimize(print).roots[0]).sends_update_before);
  const PhysicalPlan query = planning.optimize("SELECT item, SUM(price) FROM orders GROUP BY item");
  CHECK(find_aggregate(*query.roots[0]).sends_update_before);
  CHECK(query.roots[0]->changelog.update_before);
}

TEST_CASE("an aggregate of an aggregate takes rows back") {
  Planning planning = with_tables();
  const PhysicalPlan plan = planning.optimize(
      "SELECT s, COUNT(*) FROM (SELECT item, SUM(price) s FROM orders GROUP BY item) GROUP BY s");
  const GroupAggregate& outer = find_aggregate(*plan.roots[0]);
  CHECK(outer.needs_retract);
  CHECK(outer.changelog.remove);
  const GroupAggregate& inner = find_aggregate(*outer.inputs[0]);
  CHECK(!inner.needs_retract);
  CHECK(inner.sends_update_before);
}

TEST_CASE("an upsert source is normalised by its key") {
  Planning planning = with_tables();
  const PhysicalPlan plan = planning.optimize("SELECT total FROM totals WHERE total > 1");
  const auto& calc = as<Calc>(*plan.roots[0]);
  const auto& normalize = as<ChangelogNormalize>(*calc.inputs[0]);
  CHECK(normalize.sends_update_before);
  CHECK(normalize.schema[static_cast<size_t>(normalize.keys[0].value)].name == "item");
}

TEST_CASE("batch aggregates emit once") {
  Planning planning = with_tables(true);
  const PhysicalPlan plan = planning.optimize("SELECT item, SUM(price) FROM orders GROUP BY item");
  CHECK(plan.is_batch);
  CHECK(plan.roots[0]->changelog.is_insert_only());
  CHECK(as<GroupAggregate>(*plan.roots[0]->execution).emits_at_end);
}

TEST_CASE("computed VALUES run as one source") {
  Planning planning = with_tables();
  const PhysicalPlan plan = planning.optimize(
      "SELECT UPPER(a), b FROM (VALUES ('x', 1 + 1), ('y', CAST(NULL AS INT))) AS "
      "t(a, b) WHERE a <> 'z'");
  const auto& rows = as<Values>(*plan.roots[0]->execution).rows;
  REQUIRE(rows.size() == 2);
  CHECK(std::get<std::string>(rows[0][0].data) == "X");
  CHECK(std::get<int64_t>(rows[0][1].data) == 2);
  CHECK(rows[1][1].is_null());
}

TEST_CASE("a statement set reads a shared table once") {
  Planning planning = with_tables();
  planning.run("CREATE TABLE other (item STRING, total INT) WITH ('connector'='print')");
  const PhysicalPlan plan = planning.optimize(
      "EXECUTE STATEMENT SET BEGIN INSERT INTO shown SELECT item, price FROM orders; INSERT INTO "
      "other SELECT item, price FROM orders; END");
  REQUIRE(plan.roots.size() == 2);
  CHECK(plan.roots[0]->inputs[0] == plan.roots[1]->inputs[0]);
}

TEST_CASE("rows that no row can become are not read") {
  Planning planning = with_tables();
  const PhysicalPlan never = planning.optimize("SELECT COUNT(*) FROM orders WHERE 1 = 2");
  const GroupAggregate& total = find_aggregate(*never.roots[0]);
  CHECK(total.emits_when_empty);
  CHECK(total.inputs[0]->inputs[0]->kind == PhysicalNodeKind::kValues);
  const PhysicalPlan some = planning.optimize("SELECT COUNT(*) FROM orders WHERE id = 2");
  CHECK(!find_aggregate(*some.roots[0]).emits_when_empty);
  // Literal rows stay as they are unless all of them go, as in Flink.
  const PhysicalPlan thinned =
      planning.optimize("SELECT b FROM (VALUES (1, 'x'), (2, 'y')) AS t(a, b) WHERE a > 1");
  CHECK(as<Values>(*as<Calc>(*thinned.roots[0]).inputs[0]).rows.size() == 2);
  const PhysicalPlan none =
      planning.optimize("SELECT b FROM (VALUES (1, 'x'), (2, 'y')) AS t(a, b) WHERE a > 5");
  CHECK(as<Values>(*none.roots[0]).rows.empty());
}

}  // namespace thalweg::planner
