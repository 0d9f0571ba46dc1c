// Which fields of ROW columns sources are asked for.
#include <doctest/doctest.h>

#include "planner/planner_fixture.h"
#include "thalweg/planner/physical_plan.h"

namespace thalweg::planner {

namespace {

constexpr std::string_view kColumns =
    "(kind INT, bid ROW<id BIGINT, price BIGINT, seen TIMESTAMP(3), place ROW<city STRING, zip "
    "INT>>, "
    "ask ROW<id BIGINT, seen TIMESTAMP(3)>, "
    "ts AS CASE WHEN kind = 0 THEN ask.seen ELSE bid.seen END, WATERMARK FOR ts AS ts) ";

Planning with_tables() {
  Planning planning;
  for (const std::string_view connector : {"nested", "plain", "per-split"}) {
    planning.run(
        fmt::format("CREATE TABLE `{0}` {1} WITH ('connector' = '{0}')", connector, kColumns));
  }
  planning.run("CREATE TABLE p (id BIGINT) WITH ('connector' = 'print')");
  planning.run("CREATE TABLE q (city STRING) WITH ('connector' = 'print')");
  return planning;
}

const Scan& scan_of(const PhysicalPtr& root) {
  const PhysicalNode* node = root.get();
  while (!node->inputs.empty()) {
    node = node->execution ? node->execution.get() : node->inputs[0].get();
  }
  return as<Scan>(*node);
}

/// What the source gives for the query.
std::string fields_read(Planning& planning, std::string_view query) {
  const PhysicalPlan plan = planning.optimize(query);
  const Scan& scan = scan_of(plan.roots[0]);
  std::string text;
  for (size_t i = 0; i < scan.schema.size(); ++i) {
    const size_t column = scan.table.projection ? (*scan.table.projection)[i] : i;
    CHECK(scan.table.columns[column].type == scan.schema[i].type);
    text += (i == 0 ? "" : ", ") + scan.schema[i].name + " " + scan.schema[i].type.to_string();
  }
  return text;
}

}  // namespace

TEST_CASE("fields that nobody reads are not asked for, at any depth") {
  Planning planning = with_tables();
  CHECK(fields_read(planning, "SELECT bid.id, bid.place.zip FROM nested WHERE kind = 1") ==
        "kind INT, bid ROW<`id` BIGINT, `seen` TIMESTAMP(3), `place` ROW<`zip` INT>>, "
        "ask ROW<`seen` TIMESTAMP(3)>");
  CHECK(fields_read(planning, "SELECT ask.id FROM `per-split`") ==
        "kind INT, bid ROW<`seen` TIMESTAMP(3)>, ask ROW<`id` BIGINT, `seen` TIMESTAMP(3)>");
}

TEST_CASE("a row that is read whole keeps its fields") {
  Planning planning = with_tables();
  const std::string_view rest =
      "bid ROW<`id` BIGINT, `price` BIGINT, `seen` TIMESTAMP(3), `place` ROW<`city` STRING, `zip` "
      "INT>>, ask ROW<`seen` TIMESTAMP(3)>";
  for (const std::string_view query :
       {"SELECT bid FROM nested",
        "SELECT bid.id FROM nested WHERE bid IS NULL",
        "SELECT LAST_VALUE(bid) FROM nested",
        "SELECT id FROM (SELECT bid, bid.id AS id FROM nested UNION ALL SELECT bid, kind FROM "
        "nested) WHERE bid IS NOT NULL"}) {
    CAPTURE(query);
    CHECK(fields_read(planning, query) == fmt::format("kind INT, {}", rest));
  }
}

TEST_CASE("a source that can't is left alone") {
  Planning planning = with_tables();
  CHECK(fields_read(planning, "SELECT ask.id FROM plain").find("`city`") != std::string::npos);
}

TEST_CASE("a shared scan reads what all its consumers need, and plans show no fields") {
  Planning planning = with_tables();
  constexpr std::string_view kSet =
      "EXECUTE STATEMENT SET BEGIN INSERT INTO p SELECT bid.id FROM nested; INSERT INTO q SELECT "
      "bid.place.city FROM nested; END";
  CHECK(fields_read(planning, kSet) ==
        "kind INT, bid ROW<`id` BIGINT, `seen` TIMESTAMP(3), `place` ROW<`city` STRING>>, "
        "ask ROW<`seen` TIMESTAMP(3)>");
  std::string plain = planning.explain("SELECT bid.place.city FROM plain WHERE kind = 1");
  const std::string nested = planning.explain("SELECT bid.place.city FROM nested WHERE kind = 1");
  for (size_t at = plain.find("plain"); at != std::string::npos; at = plain.find("plain")) {
    plain.replace(at, 5, "nested");
  }
  CHECK(plain == nested);
}

}  // namespace thalweg::planner
