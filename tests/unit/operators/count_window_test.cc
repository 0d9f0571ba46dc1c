#include <doctest/doctest.h>

#include "operator_harness.h"
#include "thalweg/operators/window/count_window_aggregate.h"

namespace thalweg::operators {

namespace {

const Schema kInput = {{"k", DataType::string()}, {"v", DataType::big_int()}};

CountWindowSpec spec(int64_t size, int64_t slide) {
  return {.input = kInput,
          .keys = {{0}},
          .aggregates = {call("SUM", {DataType::big_int()}, {1}), call("COUNT", {}, {})},
          .size = size,
          .slide = slide};
}

/// The values 1, 2, ... of one key, in batches of some rows.
std::string sums(int64_t size, int64_t slide, int count, int batch_rows) {
  OperatorHarness window(make_count_window_aggregate(spec(size, slide)), kInput);
  std::vector<Row> rows;
  for (int value = 1; value <= count; ++value) {
    rows.push_back(row("a", value));
    if (static_cast<int>(rows.size()) == batch_rows || value == count) {
      window.feed(rows);
      rows.clear();
    }
  }
  window.end();
  return window.take();
}

}  // namespace

TEST_CASE("tumbling windows of rows are sent when they are full, for each key apart") {
  OperatorHarness window(make_count_window_aggregate(spec(2, 2)), kInput);
  window.feed({row("a", 1), row("b", 10), row("a", 2), row("a", 3)});
  CHECK(window.take() == "+I(a, 3, 2)\n");
  window.feed({row("b", 20), row("a", 4), row("a", 5)});
  CHECK(window.take() == "+I(b, 30, 2)\n+I(a, 7, 2)\n");
  CHECK(window.state_size(1) == 1);
  window.end();
  CHECK(window.take().empty());
}

TEST_CASE("sliding windows of rows begin at every slide, whatever the batches") {
  const std::string expected = "+I(a, 10, 4)\n+I(a, 18, 4)\n+I(a, 26, 4)\n";
  for (const int batch_rows : {1, 2, 3, 100}) {
    CHECK(sums(4, 2, 9, batch_rows) == expected);
  }
  CHECK(sums(3, 2, 5, 1) == "+I(a, 6, 3)\n+I(a, 12, 3)\n");
  // Rows between the windows count in none.
  CHECK(sums(2, 3, 6, 4) == "+I(a, 3, 2)\n+I(a, 9, 2)\n");
}

TEST_CASE("watermarks stay between the windows that rows before and after them fill") {
  OperatorHarness window(make_count_window_aggregate(spec(1, 1)), kInput);
  window.feed({row("a", 1), row("a", 2)}, {{1, {5}}});
  CHECK(window.take() == "+I(a, 1, 1)\nWM 5\n+I(a, 2, 1)\n");
}

TEST_CASE("without keys there is one row of windows") {
  CountWindowSpec all = spec(2, 2);
  all.keys = {};
  OperatorHarness window(make_count_window_aggregate(all), kInput);
  window.feed({row("a", 1), row("b", 2), row("c", 3)});
  CHECK(window.take() == "+I(3, 2)\n");
}

}  // namespace thalweg::operators
