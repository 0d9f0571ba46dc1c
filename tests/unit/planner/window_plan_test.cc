// How queries over windows are recognised, and what they run as.
#include <doctest/doctest.h>

#include "planner/planner_fixture.h"

namespace thalweg::planner {

namespace {

Planning with_bids(bool batch = false) {
  Planning planning(batch);
  planning.run(R"sql(
CREATE TABLE bids (bid_id INT, item STRING, price DECIMAL(10,2), ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector'='filesystem'))sql");
  return planning;
}

std::string physical(Planning& planning, std::string_view query) {
  return section(planning.explain(query), "Optimized Physical Plan");
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("window functions and their aggregates") {
  Planning planning = with_bids();
  CHECK(has(physical(planning,
                     "SELECT window_start, window_end, COUNT(*) n FROM TABLE(HOP(TABLE bids, "
                     "DESCRIPTOR(ts), INTERVAL '5' MINUTES, INTERVAL '10' MINUTES)) GROUP BY "
                     "window_start, window_end"),
            "window=[HOP(time_col=[ts], size=[10 min], slide=[5 min])]"));
  CHECK(
      has(physical(planning,
                   "SELECT item, window_start, window_end, SUM(price) FROM TABLE(SESSION(TABLE "
                   "bids PARTITION BY item, DESCRIPTOR(ts), INTERVAL '5' MINUTES)) GROUP BY item, "
                   "window_start, window_end"),
          "\n+- WindowAggregate(groupBy=[item], window=[SESSION(time_col=[ts], gap=[5 min])]"));
  CHECK(
      has(physical(planning,
                   "SELECT window_start, SUM(price) FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), "
                   "INTERVAL '10' MINUTES)) GROUP BY window_start"),
          "GroupAggregate(groupBy=[window_start]"));
  CHECK(has(physical(planning,
                     "SELECT item, window_start, window_end, SUM(price) FROM TABLE(SESSION(TABLE "
                     "bids, DESCRIPTOR(ts), INTERVAL '5' MINUTES)) GROUP BY item, window_start, "
                     "window_end"),
            "GroupAggregate(groupBy=[item, window_start, window_end]"));
  CHECK(has(physical(planning,
                     "SELECT window_start, window_end, SUM(s) FROM (SELECT item, window_start, "
                     "window_end, SUM(price) s FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), "
                     "INTERVAL '10' MINUTES)) GROUP BY item, window_start, window_end) GROUP BY "
                     "window_start, window_end"),
            "window=[TUMBLE(win_start=[window_start], win_end=[window_end], size=[10 min])]"));
  CHECK(has(physical(planning,
                     "SELECT item, SUM(price) FROM TABLE(TUMBLE(DATA => TABLE bids, TIMECOL => "
                     "DESCRIPTOR(ts), SIZE => INTERVAL '10' MINUTES, `OFFSET` => INTERVAL '2' "
                     "MINUTES)) GROUP BY item, window_start, window_end"),
            "size=[10 min], offset=[2 min]"));
}

TEST_CASE("sizes that do not fit") {
  Planning planning = with_bids();
  CHECK(planning.error("SELECT window_start, COUNT(*) n FROM TABLE(HOP(TABLE bids, DESCRIPTOR(ts), "
                       "INTERVAL '4' MINUTES, INTERVAL '10' MINUTES)) GROUP BY window_start, "
                       "window_end") ==
        "HOP table function based aggregate requires size must be an integral multiple of slide, "
        "but got size 600000 ms and slide 240000 ms");
  CHECK(planning.error("SELECT * FROM TABLE(HOP(TABLE bids, DESCRIPTOR(ts), INTERVAL '4' MINUTES, "
                       "INTERVAL '10' MINUTES))") == "");
}

TEST_CASE("the halves of a window aggregate run as one") {
  Planning planning = with_bids();
  const PhysicalPlan plan = planning.optimize(
      "SELECT item, window_start, window_end, SUM(price) s FROM TABLE(TUMBLE(TABLE bids, "
      "DESCRIPTOR(ts), INTERVAL '10' MINUTES)) GROUP BY item, window_start, window_end");
  const PhysicalNode& global = *plan.roots[0]->inputs[0];
  const auto& complete = as<WindowAggregate>(*global.execution);
  CHECK(complete.phase == AggregatePhase::kComplete);
  CHECK(complete.window.size_ms == 600'000);
  CHECK(complete.inputs[0]->schema[static_cast<size_t>(complete.window.time_column.value)].name ==
        "ts");
  CHECK(complete.properties.size() == 2);
  CHECK(as<Exchange>(*complete.inputs[0]).keys == complete.keys);
}

TEST_CASE("batch groups the rows of the window function") {
  Planning planning = with_bids(true);
  const std::string plan =
      physical(planning,
               "SELECT window_start, window_end, SUM(price) s FROM TABLE(TUMBLE(TABLE bids, "
               "DESCRIPTOR(ts), INTERVAL '10' MINUTES)) GROUP BY window_start, window_end");
  CHECK(has(plan, "HashAggregate(isMerge=[true], groupBy=[window_start, window_end]"));
  CHECK(has(plan, "WindowTableFunction(window=[TUMBLE(time_col=[ts], size=[10 min])])"));
  CHECK(!has(plan, "WatermarkAssigner"));
  CHECK(planning.error("SELECT * FROM TABLE(SESSION(TABLE bids PARTITION BY item, DESCRIPTOR(ts), "
                       "INTERVAL '5' MINUTES))") ==
        "Unaligned windows like session are not supported in batch mode yet.");
}

TEST_CASE("watermarks that the source makes itself") {
  Planning planning;
  planning.run(
      "CREATE TABLE k (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH "
      "('connector'='per-split')");
  const PhysicalPlan plan = planning.optimize("SELECT id, ts FROM k");
  const auto& scan = as<Scan>(*plan.roots[0]);
  CHECK(scan.watermark != nullptr);
  CHECK(scan.row_time.value == 1);
}

}  // namespace thalweg::planner
