// OVER in streaming mode, by columns that are no time.
#include <algorithm>
#include <map>
#include <random>

#include <doctest/doctest.h>

#include "operator_harness.h"
#include "thalweg/operators/over/over_aggregate.h"

namespace thalweg::operators {

namespace {

const Schema kInput = {
    {"id", DataType::big_int()}, {"k", DataType::string()}, {"x", DataType::big_int()}};

OverAggregateSpec spec(bool is_rows) {
  OverAggregateSpec result;
  result.input = kInput;
  result.partition_keys = {{1}};
  result.order = {{{2}}};
  result.frame.is_rows = is_rows;
  result.calls = {call("SUM", {DataType::big_int()}, {0})};
  result.mode = OverMode::kUpdating;
  result.needs_retract = true;
  return result;
}

}  // namespace

TEST_CASE("in RANGE a row changes its peers before it comes, and those behind it after") {
  OperatorHarness over(make_over_aggregate(spec(false)), kInput);
  over.feed({row(1, "a", 10), row(2, "a", 20), row(3, "b", 5), row(4, "a", 20)}, {{3, {7}}});
  CHECK(over.take() ==
        "+I(1, a, 10, 1)\n+I(2, a, 20, 3)\n+I(3, b, 5, 3)\nWM 7\n-U(2, a, 20, 3)\n+U(2, a, 20, 7)\n"
        "+I(4, a, 20, 7)\n");
  over.restart();
  over.feed({row(5, "a", nullptr)});
  CHECK(over.take() ==
        "+I(5, a, NULL, 5)\n-U(1, a, 10, 1)\n+U(1, a, 10, 6)\n-U(2, a, 20, 7)\n+U(2, a, 20, 12)\n"
        "-U(4, a, 20, 7)\n+U(4, a, 20, 12)\n");
}

TEST_CASE("in ROWS a row comes behind its equals and changes what is behind it") {
  OverAggregateSpec numbered = spec(true);
  numbered.calls.push_back(call("ROW_NUMBER", {}, {}));
  OperatorHarness over(make_over_aggregate(numbered), kInput);
  over.feed({row(1, "a", 10), row(2, "a", 20), row(4, "a", 20), row(5, "a", 15)});
  CHECK(over.take() ==
        "+I(1, a, 10, 1, 1)\n+I(2, a, 20, 3, 2)\n+I(4, a, 20, 7, 3)\n+I(5, a, 15, 6, 2)\n"
        "-U(2, a, 20, 3, 2)\n+U(2, a, 20, 8, 3)\n-U(4, a, 20, 7, 3)\n+U(4, a, 20, 12, 4)\n");
}

TEST_CASE("a row that is taken back goes as -D, and one that comes in its place as +U") {
  OperatorHarness over(make_over_aggregate(spec(false)), kInput);
  over.feed({row(1, "a", 10),
             row(2, "a", 20),
             row(kUpdateBefore, 1, "a", 10),
             row(kUpdateAfter, 1, "a", 30),
             row(kDelete, 9, "a", 20),
             row(kDelete, 2, "a", 20)});
  CHECK(over.take() ==
        "+I(1, a, 10, 1)\n+I(2, a, 20, 3)\n-D(1, a, 10, 1)\n-U(2, a, 20, 3)\n+U(2, a, 20, 2)\n"
        "+U(1, a, 30, 3)\n-D(2, a, 20, 2)\n-U(1, a, 30, 3)\n+U(1, a, 30, 1)\n");
  CHECK(over.state_size(0) == 1);
  over.feed({row(kDelete, 1, "a", 30), row(kDelete, 7, "c", 1)});
  CHECK(over.take() == "-D(1, a, 30, 1)\n");
  CHECK(over.state_size(0) == 0);
}

TEST_CASE("without update-before only +U is sent, and equal results are not") {
  OverAggregateSpec no_before = spec(false);
  no_before.generate_update_before = false;
  no_before.calls = {call("MAX", {DataType::big_int()}, {0})};
  OperatorHarness over(make_over_aggregate(no_before), kInput);
  over.feed({row(1, "a", 10), row(5, "a", 20), row(3, "a", 5)});
  CHECK(over.take() == "+I(1, a, 10, 1)\n+I(5, a, 20, 5)\n+I(3, a, 5, 3)\n+U(1, a, 10, 3)\n");
}

TEST_CASE("rows that change at random leave what a partition without history would show") {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&random](int64_t end) { return static_cast<int64_t>(random() % end); };
    const bool is_rows = below(2) == 0;
    OverAggregateSpec changing = spec(is_rows);
    changing.calls.push_back(call("RANK", {}, {}));
    changing.calls.back().arguments = {{2}};
    OperatorHarness over(make_over_aggregate(changing), kInput);
    std::vector<Row> live;
    std::map<std::string, int> shown;
    int64_t next_id = 1;
    for (int batch = 0; batch < 12; ++batch) {
      std::vector<Row> rows;
      for (int i = 0; i < 8; ++i) {
        if (!live.empty() && below(3) == 0) {
          const auto gone = live.begin() + below(static_cast<int64_t>(live.size()));
          rows.push_back({kDelete, gone->values});
          live.erase(gone);
        } else {
          live.push_back(row(next_id++, below(2) == 0 ? "a" : "b", below(6)));
          rows.push_back(live.back());
        }
      }
      over.feed(rows);
      const std::string output = over.take();
      for (size_t begin = 0; begin < output.size();) {
        const size_t end = output.find('\n', begin);
        const bool adds = output[begin] == '+';
        int& times = shown[output.substr(begin + 2, end - begin - 2)];
        times += adds ? 1 : -1;
        REQUIRE_MESSAGE(times >= 0, "seed " << seed << ": " << output);
        begin = end + 1;
      }
      if (below(4) == 0) {
        over.restart();
      }
    }
    // Rows with equal values can't be told apart, so they come in the order of their ids.
    const auto order_of = [](const Row& one) { return std::get<int64_t>(one.values[2].data); };
    const auto key_of = [](const Row& one) { return std::get<std::string>(one.values[1].data); };
    const auto id_of = [](const Row& one) { return std::get<int64_t>(one.values[0].data); };
    std::map<std::string, int> expected;
    for (const Row& current : live) {
      int64_t sum = 0;
      int64_t rank = 1;
      for (const Row& other : live) {
        if (key_of(other) != key_of(current)) {
          continue;
        }
        const bool is_peer = order_of(other) == order_of(current);
        const bool is_in = is_peer ? !is_rows || id_of(other) <= id_of(current)
                                   : order_of(other) < order_of(current);
        sum += is_in ? id_of(other) : 0;
        rank += order_of(other) < order_of(current) ? 1 : 0;
      }
      ++expected[fmt::format(
          "({}, {}, {}, {}, {})", id_of(current), key_of(current), order_of(current), sum, rank)];
    }
    std::erase_if(shown, [](const auto& entry) { return entry.second == 0; });
    CHECK_MESSAGE(shown == expected, "seed " << seed);
  }
}

}  // namespace thalweg::operators
