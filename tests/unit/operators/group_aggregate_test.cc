#include "thalweg/operators/aggregate/group_aggregate.h"

#include <doctest/doctest.h>

#include "operator_harness.h"

namespace thalweg::operators {

namespace {

const Schema kInput = {
    {"k", DataType::string()}, {"v", DataType::big_int()}, {"f", DataType::boolean()}};

GroupAggregateSpec spec(bool needs_retract = false) {
  GroupAggregateSpec result;
  result.input = kInput;
  result.keys = {{0}};
  result.aggregates = {call("COUNT", {}, {}), call("SUM", {DataType::big_int()}, {1})};
  result.needs_retract = needs_retract;
  return result;
}

}  // namespace

TEST_CASE("each row sends its group's change") {
  OperatorHarness group(make_group_aggregate(spec()), kInput);
  group.feed({row("a", 1, true), row("b", 2, true), row("a", 3, true)}, {{1, {5}}, {3, {9}}});
  CHECK(group.take() == "+I(a, 1, 1)\nWM 5\n+I(b, 1, 2)\n-U(a, 1, 1)\n+U(a, 2, 4)\nWM 9\n");
  group.feed({row("b", nullptr, true)});
  CHECK(group.take() == "-U(b, 1, 2)\n+U(b, 2, 2)\n");
}

TEST_CASE("without update-before only +U is sent, and unchanged results are not") {
  GroupAggregateSpec no_before = spec();
  no_before.generate_update_before = false;
  no_before.aggregates = {call("SUM", {DataType::big_int()}, {1})};
  OperatorHarness group(make_group_aggregate(no_before), kInput);
  group.feed({row("a", 1, true), row("a", 0, true), row("a", nullptr, true), row("a", 5, true)});
  CHECK(group.take() == "+I(a, 1)\n+U(a, 6)\n");
}

TEST_CASE("with a time to live unchanged results are sent too") {
  GroupAggregateSpec with_ttl = spec();
  with_ttl.ttl_ms = 1000;
  with_ttl.aggregates = {call("SUM", {DataType::big_int()}, {1})};
  OperatorHarness group(make_group_aggregate(with_ttl), kInput);
  group.feed({row("a", 1, true), row("a", 0, true)});
  CHECK(group.take() == "+I(a, 1)\n-U(a, 1)\n+U(a, 1)\n");
  group.set_time(1000);
  group.feed({row("a", 7, true)});
  CHECK(group.take() == "+I(a, 7)\n");
}

TEST_CASE("distinct rows are an aggregate without aggregates") {
  GroupAggregateSpec distinct = spec();
  distinct.aggregates = {};
  OperatorHarness group(make_group_aggregate(distinct), kInput);
  group.feed({row("a", 1, true), row(nullptr, 2, true), row("a", 3, true), row(nullptr, 4, true)});
  CHECK(group.take() == "+I(a)\n+I(NULL)\n");
}

TEST_CASE("a group that is emptied is deleted, and made anew within the batch") {
  OperatorHarness group(make_group_aggregate(spec(true)), kInput);
  group.feed({row(kDelete, "x", 9, true),
              row("a", 1, true),
              row(kUpdateBefore, "a", 1, true),
              row(kUpdateAfter, "a", 2, true),
              row("b", 5, true),
              row(kDelete, "a", 2, true),
              row(kDelete, "a", 2, true)},
             {{3, {5}}, {7, {6}}});
  CHECK(group.take() ==
        "+I(a, 1, 1)\n-D(a, 1, 1)\nWM 5\n+I(a, 1, 2)\n+I(b, 1, 5)\n-D(a, 1, 2)\nWM 6\n");
  CHECK(group.state_size(0) == 1);
}

TEST_CASE("many groups emptied and made anew give the same as one row at a time") {
  std::vector<Row> rows;
  for (int i = 0; i < 3000; ++i) {
    const std::string key = std::to_string(i * 7919 % 23);
    rows.push_back(row(i % 3 == 2 ? kDelete : RowKind::kInsert, key.c_str(), i % 5, true));
  }
  OperatorHarness together(make_group_aggregate(spec(true)), kInput);
  OperatorHarness alone(make_group_aggregate(spec(true)), kInput);
  together.feed(rows);
  for (const Row& one : rows) {
    alone.feed({one});
  }
  CHECK(together.take() == alone.take());
}

TEST_CASE("FILTER and DISTINCT, with values taken back") {
  GroupAggregateSpec distinct = spec(true);
  distinct.aggregates = {call("COUNT", {DataType::big_int()}, {1}),
                         call("SUM", {DataType::big_int()}, {1}),
                         call("COUNT", {}, {})};
  distinct.aggregates[0].distinct = true;
  distinct.aggregates[1].distinct = true;
  distinct.aggregates[1].filter = {2};
  distinct.aggregates[2].filter = {2};
  OperatorHarness group(make_group_aggregate(distinct), kInput);
  group.feed({row("a", 1, true), row("a", 1, false), row("a", 2, false), row("a", 1, true)});
  CHECK(group.take() ==
        "+I(a, 1, 1, 1)\n-U(a, 1, 1, 1)\n+U(a, 2, 1, 1)\n-U(a, 2, 1, 1)\n+U(a, 2, 1, 2)\n");
  group.feed({row(kDelete, "a", 1, true), row(kDelete, "a", 1, true), row(kDelete, "a", 1, false)});
  CHECK(group.take() ==
        "-U(a, 2, 1, 2)\n+U(a, 2, 1, 1)\n-U(a, 2, 1, 1)\n+U(a, 2, NULL, 0)\n"
        "-U(a, 2, NULL, 0)\n+U(a, 1, NULL, 0)\n");
}

TEST_CASE("one set of values serves DISTINCT aggregates with different filters") {
  GroupAggregateSpec distinct = spec();
  distinct.keys = {};
  distinct.aggregates = {call("COUNT", {DataType::big_int()}, {1}),
                         call("COUNT", {DataType::big_int()}, {1})};
  distinct.aggregates[0].distinct = true;
  distinct.aggregates[1].distinct = true;
  distinct.aggregates[1].filter = {2};
  distinct.is_batch = true;
  OperatorHarness group(make_group_aggregate(distinct), kInput);
  group.feed({row("a", 1, true), row("a", 1, true), row("a", 2, false), row("a", nullptr, true)});
  group.end();
  CHECK(group.take() == "+I(2, 1)\n");
}

TEST_CASE("a keyless aggregate sends its empty result at the end when it is told to") {
  GroupAggregateSpec global = spec();
  global.keys = {};
  OperatorHarness silent(make_group_aggregate(global), kInput);
  silent.end();
  CHECK(silent.take().empty());
  global.emit_when_empty = true;
  for (const bool is_batch : {false, true}) {
    global.is_batch = is_batch;
    OperatorHarness empty(make_group_aggregate(global), kInput);
    empty.end();
    CHECK(empty.take() == "+I(0, NULL)\n");
  }
  global.is_batch = true;
  OperatorHarness full(make_group_aggregate(global), kInput);
  full.feed({row("a", 1, true), row("b", 2, true)});
  CHECK(full.take().empty());
  full.end();
  CHECK(full.take() == "+I(2, 3)\n");
}

TEST_CASE("batch mode sends each group once, in the order they came") {
  GroupAggregateSpec batch = spec();
  batch.is_batch = true;
  OperatorHarness group(make_group_aggregate(batch), kInput);
  group.feed({row("b", 1, true), row("a", 2, true), row("b", 3, true)});
  group.end();
  CHECK(group.take() == "+I(b, 2, 4)\n+I(a, 1, 2)\n");
}

TEST_CASE("bundles end after exactly their size, within batches too") {
  GroupAggregateSpec bundled = spec();
  bundled.mini_batch = MiniBatch{3, 1000};
  OperatorHarness group(make_group_aggregate(bundled), kInput);
  group.feed({row("a", 1, true),
              row("a", 1, true),
              row("b", 1, true),
              row("a", 1, true),
              row("b", 0, true),
              row("b", 0, true),
              row("c", 1, true)},
             {{3, {5}}, {4, {6}}});
  CHECK(group.take() ==
        "+I(a, 2, 2)\n+I(b, 1, 1)\nWM 5\n-U(a, 2, 2)\n+U(a, 3, 3)\n-U(b, 1, 1)\n+U(b, 3, 1)\n"
        "WM 6\n");
  group.end();
  CHECK(group.take() == "+I(c, 1, 1)\n");
}

TEST_CASE("mini-batch sends each group's change once a bundle") {
  GroupAggregateSpec bundled = spec(true);
  bundled.mini_batch = MiniBatch{6, 1000};
  OperatorHarness group(make_group_aggregate(bundled), kInput);
  group.feed({row("a", 1, true), row("b", 2, true), row("a", 3, true)}, {{2, {10}}});
  CHECK(group.take().empty());
  group.feed({row("a", 3, true), row("c", 3, true), row(kDelete, "c", 3, true)});
  CHECK(group.take() == "+I(a, 3, 7)\n+I(b, 1, 2)\nWM 10\n");
  group.feed({row(kDelete, "b", 2, true),
              row(kDelete, "new", 1, true),
              row(kUpdateBefore, "a", 3, true),
              row(kUpdateAfter, "a", 3, true)});
  group.set_time(999);
  CHECK(group.take().empty());
  group.set_time(1000);
  CHECK(group.take() == "-D(b, 1, 2)\n");
  CHECK(group.state_size(0) == 1);
  group.feed({row("a", 1, true)});
  group.before_snapshot();
  CHECK(group.take() == "-U(a, 3, 7)\n+U(a, 4, 8)\n");
}

}  // namespace thalweg::operators
