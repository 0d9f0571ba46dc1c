// OVER in streaming mode, by time.
#include <algorithm>

#include <doctest/doctest.h>

#include "operator_harness.h"
#include "thalweg/operators/over/over_aggregate.h"

namespace thalweg::operators {

namespace {

using expression::OverBoundKind;

const DataType kTime =
    DataType::timestamp(3).with_time_attribute(TimeAttribute::kEventTime).not_null();
const Schema kInput = {{"k", DataType::string()},
                       {"v", DataType::big_int()},
                       {"f", DataType::boolean()},
                       {"ts", kTime}};

constexpr int64_t kUnbounded = -1;

OverAggregateSpec spec(bool is_rows, int64_t preceding = kUnbounded) {
  OverAggregateSpec result;
  result.input = kInput;
  result.partition_keys = {{0}};
  result.order = {{{3}}};
  result.frame.is_rows = is_rows;
  if (preceding != kUnbounded) {
    result.frame.lower = {OverBoundKind::kPreceding, Value(preceding)};
  }
  result.calls = {call("COUNT", {}, {}), call("SUM", {DataType::big_int()}, {1})};
  return result;
}

OverAggregateSpec by_clock(OverAggregateSpec spec) {
  spec.mode = OverMode::kProcessingTime;
  return spec;
}

/// RANK and such, which see the column of the order.
expression::AggregateCall call_with_order(const std::string& function, int32_t column) {
  expression::AggregateCall result = call(function, {}, {});
  result.arguments = {{column}};
  result.signature.arguments = {kInput[static_cast<size_t>(column)].type};
  return result;
}

Row at(const char* key, int64_t value, int64_t time) {
  return row(key, value, true, time);
}

}  // namespace

TEST_CASE("rows wait for the watermark and come in the order of time") {
  OperatorHarness over(make_over_aggregate(spec(true)), kInput);
  over.feed({at("a", 1, 30), at("b", 2, 10), at("a", 4, 10)}, {{3, {9}}});
  CHECK(over.take() == "WM 9\n");
  over.feed({at("a", 8, 10), at("a", 16, 40)}, {{1, {10}}});
  CHECK(over.take() ==
        "+I(b, 2, TRUE, 10, 1, 2)\n+I(a, 4, TRUE, 10, 1, 4)\n+I(a, 8, TRUE, 10, 2, 12)\nWM 10\n");
  over.watermark(35);
  CHECK(over.take() == "+I(a, 1, TRUE, 30, 3, 13)\nWM 35\n");
  over.watermark(kMaxEventTime.ms);
  CHECK(over.take() == "+I(a, 16, TRUE, 40, 4, 29)\nWM max\n");
}

TEST_CASE("in RANGE rows of one time share their result") {
  OperatorHarness over(make_over_aggregate(spec(false)), kInput);
  over.feed({at("a", 1, 10), at("a", 2, 20), at("b", 3, 20), at("a", 4, 20), at("a", 8, 30)},
            {{5, {20}}});
  CHECK(over.take() ==
        "+I(a, 1, TRUE, 10, 1, 1)\n+I(a, 2, TRUE, 20, 3, 7)\n+I(a, 4, TRUE, 20, 3, 7)\n"
        "+I(b, 3, TRUE, 20, 1, 3)\nWM 20\n");
  over.watermark(30);
  CHECK(over.take() == "+I(a, 8, TRUE, 30, 4, 15)\nWM 30\n");
}

TEST_CASE("an unbounded frame drops rows that the watermark has passed") {
  OperatorHarness over(make_over_aggregate(spec(true)), kInput);
  over.feed({at("a", 1, 10), at("a", 2, 10), at("b", 3, 9), at("a", 4, 11)},
            {{1, {10}}, {4, {11}}});
  CHECK(over.take() == "+I(a, 1, TRUE, 10, 1, 1)\nWM 10\n+I(a, 4, TRUE, 11, 2, 5)\nWM 11\n");
  CHECK(over.counter("numLateRecordsDropped") == 2);
}

TEST_CASE("a bounded frame drops rows that are not behind the last of their partition") {
  OperatorHarness over(make_over_aggregate(spec(true, 1)), kInput);
  over.feed({at("a", 1, 10), at("a", 2, 10), at("b", 3, 9)}, {{1, {20}}});
  CHECK(over.take() == "+I(a, 1, TRUE, 10, 1, 1)\nWM 20\n");
  over.feed({at("a", 4, 11)});
  over.watermark(21);
  CHECK(over.take() == "+I(b, 3, TRUE, 9, 1, 3)\n+I(a, 4, TRUE, 11, 2, 5)\nWM 21\n");
}

TEST_CASE("what is late does not depend on how rows are batched") {
  const std::vector<Row> rows = {at("a", 1, 10),
                                 at("b", 2, 30),
                                 at("a", 4, 9),
                                 at("a", 8, 12),
                                 at("a", 16, 25),
                                 at("b", 32, 29)};
  const std::vector<Mark> marks = {{1, {10}}, {2, {20}}, {5, {35}}, {6, {40}}};
  for (const int64_t preceding : {kUnbounded, int64_t{1}}) {
    OperatorHarness together(make_over_aggregate(spec(true, preceding)), kInput);
    OperatorHarness alone(make_over_aggregate(spec(true, preceding)), kInput);
    together.feed(rows, marks);
    for (size_t i = 0; i < rows.size(); ++i) {
      alone.feed({rows[i]});
      for (const Mark& mark : marks) {
        if (mark.row == static_cast<int32_t>(i) + 1) {
          alone.watermark(mark.watermark.ms);
        }
      }
    }
    const std::string output = together.take();
    CHECK(output == alone.take());
    // With a bounded frame a row behind the watermark is not late where its partition is not so
    // far.
    CHECK((output.find("+I(a, 8") != std::string::npos) == (preceding != kUnbounded));
    CHECK(together.counter("numLateRecordsDropped") == alone.counter("numLateRecordsDropped"));
    CHECK(together.counter("numLateRecordsDropped") == (preceding == kUnbounded ? 3 : 2));
  }
}

TEST_CASE("a partition that was forgotten begins anew, in one batch as in many") {
  OverAggregateSpec doubles = spec(false, 10);
  doubles.input[1].type = DataType::float64();
  doubles.calls = {call("SUM", {DataType::float64()}, {1})};
  const auto value = [](double number, int64_t time) {
    return Row{RowKind::kInsert,
               {Value(std::string("a")), Value(number), Value(true), Value(time)}};
  };
  const std::vector<Row> rows = {
      value(0.1, 100), value(0.2, 101), value(0.3, 102), value(1, 130), value(1, 145)};
  OperatorHarness together(make_over_aggregate(doubles), doubles.input);
  together.feed(rows, {{5, {200}}});
  OperatorHarness alone(make_over_aggregate(doubles), doubles.input);
  for (const Row& one : rows) {
    alone.feed({one});
    alone.watermark(std::get<int64_t>(one.values[3].data));
  }
  alone.watermark(200);
  const auto rows_of = [](std::string text) {
    std::string out;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = text.find('\n', begin) + 1;
      out += text[begin] == '+' ? text.substr(begin, end - begin) : "";
      begin = end;
    }
    return out;
  };
  const std::string output = rows_of(together.take());
  CHECK(output == rows_of(alone.take()));
  CHECK(output.ends_with("+I(a, 1.0, TRUE, 130, 1.0)\n+I(a, 1.0, TRUE, 145, 1.0)\n"));
  CHECK(together.state_size(0) == 0);
  CHECK(alone.state_size(0) == 0);
}

TEST_CASE("rows wait in any order, and long") {
  OperatorHarness over(make_over_aggregate(spec(true)), kInput);
  int64_t sent = 0;
  for (int64_t round = 0; round < 100; ++round) {
    std::vector<Row> rows;
    for (int64_t i = 0; i < 4000; ++i) {
      // One in a hundred is far ahead.
      const int64_t time = i % 100 == 7 ? 1'000'000 + round : round * 10 + (i * 37) % 40 - 20;
      rows.push_back(at("a", 1, time));
    }
    over.feed(rows);
    over.watermark(round * 10 - 21);
    const std::string output = over.take();
    sent += std::count(output.begin(), output.end(), '+');
    if (round == 49) {
      over.restart();
    }
  }
  CHECK(sent > 300'000);
  over.watermark(kMaxEventTime.ms);
  const std::string rest = over.take();
  CHECK(sent + std::count(rest.begin(), rest.end(), '+') == 400'000);
  CHECK(rest.ends_with("+I(a, 1, TRUE, 1000099, 400000, 400000)\nWM max\n"));
  CHECK(over.counter("numLateRecordsDropped") == 0);
}

TEST_CASE("waiting rows and partitions that are not whole are charged to the state's budget") {
  std::vector<Row> rows;
  for (int64_t i = 0; i < 1000; ++i) {
    rows.push_back(at("a name that is too long to lie in its view", i, 10 + i));
  }
  const auto error_of = [&rows](OperatorHarness& over) -> std::optional<ErrorCode> {
    try {
      for (int i = 0; i < 100; ++i) {
        over.feed(rows);
      }
    } catch (const Error& error) {
      return error.code();
    }
    return std::nullopt;
  };
  OperatorHarness waiting(make_over_aggregate(spec(true)), kInput, 1 << 20U);
  CHECK(error_of(waiting) == ErrorCode::kStateMemoryExceeded);
  OverAggregateSpec sorted = spec(true);
  sorted.mode = OverMode::kBatch;
  OperatorHarness batch(make_over_aggregate(sorted), kInput, 1 << 20U);
  CHECK(error_of(batch) == ErrorCode::kStateMemoryExceeded);

  OperatorHarness over(make_over_aggregate(spec(true)), kInput);
  over.feed({rows[0]});
  over.watermark(10);
  // What the partition keeps stays; what waits goes.
  const int64_t kept_bytes = over.state_bytes();
  rows.erase(rows.begin());
  over.feed(rows);
  CHECK(over.state_bytes() > kept_bytes + 999 * 42);
  over.watermark(kMaxEventTime.ms);
  CHECK(over.state_bytes() == kept_bytes);
  OperatorHarness whole(make_over_aggregate(sorted), kInput);
  whole.feed(rows);
  whole.end();
  CHECK(whole.state_bytes() == 0);
}

TEST_CASE("times before 1970 are times as others are") {
  for (const int64_t preceding : {kUnbounded, int64_t{5}}) {
    OperatorHarness over(make_over_aggregate(spec(false, preceding)), kInput);
    over.feed({at("a", 1, -10), at("a", 2, -5), at("a", 4, 0)}, {{3, {0}}});
    CHECK(over.take().find("+I(a, 2, TRUE, -5, 2, 3)") != std::string::npos);
    CHECK(over.counter("numLateRecordsDropped") == 0);
  }
}

TEST_CASE("rows leave a frame of rows, and one of time") {
  OperatorHarness rows(make_over_aggregate(spec(true, 1)), kInput);
  const std::vector<Row> input = {
      at("a", 1, 10), at("a", 2, 20), at("b", 3, 20), at("a", 4, 30), at("a", 8, 31)};
  rows.feed(input, {{5, {100}}});
  CHECK(rows.take() ==
        "+I(a, 1, TRUE, 10, 1, 1)\n+I(a, 2, TRUE, 20, 2, 3)\n+I(b, 3, TRUE, 20, 1, 3)\n"
        "+I(a, 4, TRUE, 30, 2, 6)\n+I(a, 8, TRUE, 31, 2, 12)\nWM 100\n");
  OperatorHarness range(make_over_aggregate(spec(false, 10)), kInput);
  range.feed(input, {{5, {100}}});
  CHECK(range.take() ==
        "+I(a, 1, TRUE, 10, 1, 1)\n+I(a, 2, TRUE, 20, 2, 3)\n+I(b, 3, TRUE, 20, 1, 3)\n"
        "+I(a, 4, TRUE, 30, 2, 6)\n+I(a, 8, TRUE, 31, 2, 12)\nWM 100\n");
  OperatorHarness current(make_over_aggregate(spec(false, 0)), kInput);
  current.feed({at("a", 1, 10), at("a", 2, 10), at("a", 4, 11)}, {{3, {100}}});
  CHECK(current.take() ==
        "+I(a, 1, TRUE, 10, 2, 3)\n+I(a, 2, TRUE, 10, 2, 3)\n+I(a, 4, TRUE, 11, 1, 4)\nWM 100\n");
}

TEST_CASE("a partition whose last row has left a frame of time is forgotten") {
  OperatorHarness over(make_over_aggregate(spec(false, 10)), kInput);
  over.feed({at("a", 1, 100), at("b", 2, 100)}, {{2, {105}}});
  CHECK(over.state_size(0) == 2);
  over.feed({at("b", 4, 112)});
  over.watermark(115);
  CHECK(over.state_size(0) == 2);
  over.watermark(116);
  CHECK(over.state_size(0) == 1);
  over.watermark(200);
  CHECK(over.state_size(0) == 0);
  over.take();
  // Nothing is left that it would be late by.
  over.feed({at("a", 8, 50)});
  over.watermark(201);
  CHECK(over.take() == "+I(a, 8, TRUE, 50, 1, 8)\nWM 201\n");
}

TEST_CASE("FILTER and DISTINCT are of the frame's rows") {
  OverAggregateSpec filtered = spec(true, 2);
  filtered.calls = {call("SUM", {DataType::big_int()}, {1}),
                    call("COUNT", {DataType::big_int()}, {1}),
                    call("MAX", {DataType::big_int()}, {1})};
  filtered.calls[0].filter = {2};
  filtered.calls[1].distinct = true;
  OperatorHarness over(make_over_aggregate(filtered), kInput);
  over.feed({row("a", 5, true, 1),
             row("a", 7, false, 2),
             row("a", 5, true, 3),
             row("a", nullptr, true, 4),
             row("a", 5, nullptr, 5)},
            {{5, {9}}});
  CHECK(over.take() ==
        "+I(a, 5, TRUE, 1, 5, 1, 5)\n+I(a, 7, FALSE, 2, 5, 2, 7)\n+I(a, 5, TRUE, 3, 10, 2, 7)\n"
        "+I(a, NULL, TRUE, 4, 5, 2, 7)\n+I(a, 5, NULL, 5, 5, 1, 5)\nWM 9\n");
}

TEST_CASE("calls that can't take rows back see the frame's rows too") {
  OverAggregateSpec numbered = spec(true, 1);
  numbered.calls = {call("ROW_NUMBER", {}, {}),
                    call("SUM", {DataType::big_int()}, {1}),
                    call("LAG", {DataType::big_int()}, {1})};
  OperatorHarness over(make_over_aggregate(numbered), kInput);
  over.feed({at("a", 1, 10), at("a", 2, 20), at("b", 3, 20), at("a", 4, 30)}, {{4, {30}}});
  CHECK(over.take() ==
        "+I(a, 1, TRUE, 10, 1, 1, NULL)\n+I(a, 2, TRUE, 20, 2, 3, 1)\n"
        "+I(b, 3, TRUE, 20, 1, 3, NULL)\n+I(a, 4, TRUE, 30, 2, 6, 2)\nWM 30\n");
}

TEST_CASE("many whole frames are computed together") {
  OverAggregateSpec numbered = spec(true, 99);
  numbered.calls = {call("ROW_NUMBER", {}, {})};
  OperatorHarness over(make_over_aggregate(numbered), kInput);
  std::vector<Row> rows;
  std::string expected;
  for (int64_t i = 0; i < 2000; ++i) {
    rows.push_back(at("a", i, i));
    expected += fmt::format("+I(a, {}, TRUE, {}, {})\n", i, i, std::min<int64_t>(i + 1, 100));
  }
  over.feed(rows, {{2000, {2000}}});
  CHECK(over.take() == expected + "WM 2000\n");
}

TEST_CASE("rank functions go on from row to row") {
  OverAggregateSpec ranked = spec(false);
  ranked.calls = {call("ROW_NUMBER", {}, {}),
                  call_with_order("RANK", 3),
                  call_with_order("DENSE_RANK", 3),
                  call("LAST_VALUE", {DataType::big_int()}, {1})};
  OperatorHarness over(make_over_aggregate(ranked), kInput);
  over.feed({at("a", 1, 10), at("a", 2, 20)}, {{2, {10}}});
  over.restart();
  over.feed({at("a", 3, 20), at("a", 4, 30)});
  over.watermark(30);
  CHECK(over.take() ==
        "+I(a, 1, TRUE, 10, 1, 1, 1, 1)\nWM 10\n+I(a, 2, TRUE, 20, 3, 2, 2, 3)\n"
        "+I(a, 3, TRUE, 20, 3, 2, 2, 3)\n+I(a, 4, TRUE, 30, 4, 4, 3, 4)\nWM 30\n");
}

TEST_CASE("a restart keeps waiting rows, frames and what is late") {
  for (const int64_t preceding : {kUnbounded, int64_t{2}}) {
    OperatorHarness over(make_over_aggregate(spec(true, preceding)), kInput);
    over.feed({at("a", 1, 10), at("a", 2, 20), at("a", 4, 30)}, {{3, {20}}});
    over.restart();
    over.feed({at("a", 8, 15), at("a", 16, 25)});
    over.watermark(30);
    CHECK(over.counter("numLateRecordsDropped") == 1);
    CHECK(over.take() == fmt::format("+I(a, 1, TRUE, 10, 1, 1)\n+I(a, 2, TRUE, 20, 2, 3)\nWM 20\n"
                                     "+I(a, 16, TRUE, 25, 3, 19)\n+I(a, 4, TRUE, 30, {})\nWM 30\n",
                                     preceding == kUnbounded ? "4, 23" : "3, 22"));
  }
}

TEST_CASE("a partition is forgotten after its time to live, but not while rows wait") {
  OverAggregateSpec with_ttl = spec(true, 5);
  with_ttl.ttl_ms = 1000;
  OperatorHarness over(make_over_aggregate(with_ttl), kInput);
  over.feed({at("a", 1, 10), at("b", 2, 50)}, {{2, {10}}});
  over.set_time(1499);
  CHECK(over.state_size(0) == 2);
  over.set_time(1500);
  CHECK(over.state_size(0) == 1);
  over.feed({at("a", 4, 60)});
  over.watermark(60);
  CHECK(over.take() ==
        "+I(a, 1, TRUE, 10, 1, 1)\nWM 10\n+I(b, 2, TRUE, 50, 1, 2)\n+I(a, 4, TRUE, 60, 1, 4)\n"
        "WM 60\n");
  over.set_time(3000);
  CHECK(over.state_size(0) == 0);
}

TEST_CASE("by processing time each row is sent at once") {
  OperatorHarness unbounded(make_over_aggregate(by_clock(spec(false))), kInput);
  unbounded.feed({at("a", 1, 0), at("b", 2, 0), at("a", 4, 0)}, {{1, {5}}});
  CHECK(unbounded.take() ==
        "+I(a, 1, TRUE, 0, 1, 1)\nWM 5\n+I(b, 2, TRUE, 0, 1, 2)\n+I(a, 4, TRUE, 0, 2, 5)\n");
  OperatorHarness rows(make_over_aggregate(by_clock(spec(true, 1))), kInput);
  rows.feed({at("a", 1, 0), at("b", 2, 0), at("a", 4, 0)});
  rows.restart();
  rows.feed({at("a", 8, 0)});
  CHECK(rows.take() ==
        "+I(a, 1, TRUE, 0, 1, 1)\n+I(b, 2, TRUE, 0, 1, 2)\n+I(a, 4, TRUE, 0, 2, 5)\n"
        "+I(a, 8, TRUE, 0, 2, 12)\n");
}

TEST_CASE("by processing time a partition is forgotten after its time to live") {
  OverAggregateSpec with_ttl = by_clock(spec(true));
  with_ttl.ttl_ms = 1000;
  OperatorHarness over(make_over_aggregate(with_ttl), kInput);
  over.feed({at("a", 1, 0), at("b", 2, 0)});
  over.set_time(800);
  over.feed({at("b", 4, 0)});
  over.set_time(1600);
  CHECK(over.state_size(0) == 1);
  over.feed({at("a", 8, 0), at("b", 16, 0)});
  CHECK(over.take() ==
        "+I(a, 1, TRUE, 0, 1, 1)\n+I(b, 2, TRUE, 0, 1, 2)\n+I(b, 4, TRUE, 0, 2, 6)\n"
        "+I(a, 8, TRUE, 0, 1, 8)\n+I(b, 16, TRUE, 0, 3, 22)\n");
}

TEST_CASE("a range of processing time is computed when its millisecond is over") {
  OperatorHarness over(make_over_aggregate(by_clock(spec(false, 10))), kInput);
  over.set_time(100);
  over.feed({at("a", 1, 0), at("b", 2, 0), at("a", 4, 0)}, {{3, {5}}});
  CHECK(over.take() == "WM 5\n");
  over.set_time(101);
  CHECK(over.take() ==
        "+I(a, 1, TRUE, 0, 2, 5)\n+I(a, 4, TRUE, 0, 2, 5)\n+I(b, 2, TRUE, 0, 1, 2)\n");
  over.set_time(111);
  over.feed({at("a", 8, 0)});
  over.set_time(112);
  CHECK(over.take() == "+I(a, 8, TRUE, 0, 1, 8)\n");
  over.feed({at("a", 16, 0)});
  over.end();
  CHECK(over.counter("numProcTimeRowsDroppedAtEnd") == 1);
  CHECK(over.take().empty());
  OperatorHarness current(make_over_aggregate(by_clock(spec(false, 0))), kInput);
  current.feed({at("a", 1, 0), at("a", 2, 0)});
  current.set_time(1);
  CHECK(current.take() == "+I(a, 1, TRUE, 0, 2, 3)\n+I(a, 2, TRUE, 0, 2, 3)\n");
  CHECK(current.state_size(0) == 0);
}

TEST_CASE("without partition keys all rows are one partition") {
  OverAggregateSpec all = spec(true, 1);
  all.partition_keys = {};
  OperatorHarness over(make_over_aggregate(all), kInput);
  over.feed({at("a", 1, 10), at("b", 2, 10), at("c", 4, 20)}, {{3, {20}}});
  CHECK(over.take() ==
        "+I(a, 1, TRUE, 10, 1, 1)\n+I(b, 2, TRUE, 10, 2, 3)\n+I(c, 4, TRUE, 20, 2, 6)\nWM 20\n");
}

}  // namespace thalweg::operators
