#include "thalweg/operators/sort/sort.h"

#include <doctest/doctest.h>

#include "operator_harness.h"
#include "thalweg/operators/row_codec.h"
#include "thalweg/operators/sort/limit.h"
#include "thalweg/operators/sort/row_order.h"
#include "thalweg/operators/sort/sort_key_codec.h"

namespace thalweg::operators {

namespace {

const Schema kInput = {{"k", DataType::string()}, {"v", DataType::integer()}};

TopNSpec top(int64_t fetch, int64_t offset = 0) {
  TopNSpec spec;
  spec.input = kInput;
  spec.keys = {{{1}, true, false}};
  spec.fetch = fetch;
  spec.offset = offset;
  return spec;
}

}  // namespace

TEST_CASE("sort orders all rows at the end, equal ones as they came") {
  SortSpec spec{kInput, {{{1}, false, false}, {{0}, true, true}}};
  OperatorHarness sort(make_sort(spec), kInput);
  sort.feed({row("b", 1), row("a", 3), row(nullptr, 1)});
  sort.feed({row("c", nullptr), row("a", 1)});
  CHECK(sort.take().empty());
  sort.end();
  CHECK(sort.take() == "+I(a, 3)\n+I(NULL, 1)\n+I(a, 1)\n+I(b, 1)\n+I(c, NULL)\n");
}

TEST_CASE("sort with OFFSET and FETCH keeps only what it may need") {
  SortSpec spec{kInput, {{{1}, true, true}}, 2, 3};
  OperatorHarness sort(make_sort(spec), kInput);
  std::vector<Row> rows;
  for (int i = 0; i < 50'000; ++i) {
    rows.push_back(row("r", i * 7919 % 50'000));
  }
  sort.feed(rows);
  sort.end();
  CHECK(sort.take() == "+I(r, 2)\n+I(r, 3)\n+I(r, 4)\n");
}

TEST_CASE("streaming sort by event time waits for the watermark and drops late rows") {
  const Schema input = {{"ts", DataType::timestamp(3)}, {"v", DataType::integer()}};
  TemporalSortSpec spec{input, {{{0}}, {{1}, false, false}}};
  OperatorHarness sort(make_temporal_sort(spec), input);
  sort.feed({row(20, 1), row(10, 2), row(10, 3), row(5, 4), row(8, 5), row(15, 6)}, {{4, {10}}});
  CHECK(sort.take() == "+I(5, 4)\n+I(10, 3)\n+I(10, 2)\nWM 10\n");
  CHECK(sort.counter(stream::metric::kLateRows) == 1);
  sort.watermark(kMaxEventTime.ms);
  CHECK(sort.take() == "+I(15, 6)\n+I(20, 1)\nWM max\n");
  CHECK(sort.state_size(0) == 0);
}

TEST_CASE("limit passes rows by position, over batches") {
  OperatorHarness limit(make_limit({1, 3}), kInput);
  limit.feed({row("a", 1), row("b", 2)}, {{1, {5}}});
  limit.feed({row("c", 3), row("d", 4), row("e", 5)}, {{3, {9}}});
  limit.feed({row("f", 6)});
  CHECK(limit.take() == "WM 5\n+I(b, 2)\n+I(c, 3)\n+I(d, 4)\nWM 9\n");
}

TEST_CASE("top-n sends what falls out and what comes in") {
  OperatorHarness limit(make_top_n(top(2)), kInput);
  limit.feed(
      {row("a", 10), row("b", 20), row("c", 30), row("a", nullptr), row("b", 5), row("z", 10)});
  CHECK(limit.take() == "+I(a, 10)\n+I(b, 20)\n-D(b, 20)\n+I(b, 5)\n");
}

TEST_CASE("top-n with an offset sends the ranks that change") {
  OperatorHarness limit(make_top_n(top(2, 1)), kInput);
  limit.feed({row("a", 10), row("b", 20), row("c", 30), row("d", 5)});
  CHECK(limit.take() == "+I(b, 20)\n+I(c, 30)\n-U(b, 20)\n+U(a, 10)\n-U(c, 30)\n+U(b, 20)\n");
}

TEST_CASE("top-n over rows that are taken back lets the next one in") {
  TopNSpec retract = top(2);
  retract.needs_retract = true;
  OperatorHarness limit(make_top_n(retract), kInput);
  limit.feed({row("a", 10),
              row("b", 20),
              row("c", 30),
              row(kUpdateBefore, "a", 10),
              row(kUpdateAfter, "a", 40),
              row(kDelete, "c", 30),
              row(kDelete, "none", 1)});
  CHECK(limit.take() == "+I(a, 10)\n+I(b, 20)\n-D(a, 10)\n+I(c, 30)\n-D(c, 30)\n+I(a, 40)\n");
  retract.offset = 1;
  OperatorHarness offset(make_top_n(retract), kInput);
  offset.feed({row("a", 10), row("b", 20), row("c", 30), row(kDelete, "a", 10)});
  CHECK(offset.take() == "+I(b, 20)\n+I(c, 30)\n-U(b, 20)\n+U(c, 30)\n-D(c, 30)\n");
}

TEST_CASE("encoded sort keys stand as the rows do, and encoded rows come back") {
  const Schema schema = {{"d", DataType::float64()},
                         {"s", DataType::string()},
                         {"n", DataType::decimal(20, 2)},
                         {"i", DataType::small_int()}};
  std::vector<ColumnBuilder> builders = make_builders(schema);
  const double doubles[] = {0.0, -0.0, 1.5, -1.5, 1e300, -1e300, NAN, -INFINITY};
  const char* texts[] = {"", "a", "ab", "b", "a\1", "\xC3\xA9"};
  for (int i = 0; i < 60; ++i) {
    i % 7 == 3 ? builders[0].append_null() : builders[0].append(doubles[i % 8]);
    i % 11 == 5 ? builders[1].append_string(std::string_view("a\0b", 3))
                : builders[1].append_string(texts[i % 6]);
    builders[2].append(Int128{i * 37 % 5 - 2} << (i % 80));
    builders[3].append(static_cast<int16_t>(i * 31 % 7 - 3));
  }
  const Batch batch = finish_batch(builders);
  std::vector<std::string> rows(60);
  for (const bool ascending : {false, true}) {
    for (const bool nulls_first : {false, true}) {
      std::vector<SortKey> keys;
      for (int32_t column = 0; column < 4; ++column) {
        keys.push_back({{column}, ascending, nulls_first});
      }
      std::vector<std::string> encoded(60);
      for (int32_t i = 0; i < 60; ++i) {
        encode_sort_key(keys, batch.columns(), i, encoded[static_cast<size_t>(i)]);
      }
      for (int32_t i = 0; i < 60; ++i) {
        for (int32_t j = 0; j < 60; ++j) {
          const int order = compare_rows(keys, batch.columns(), i, batch.columns(), j);
          const int by_bytes =
              encoded[static_cast<size_t>(i)].compare(encoded[static_cast<size_t>(j)]);
          REQUIRE((order < 0) == (by_bytes < 0));
          REQUIRE((order == 0) == (by_bytes == 0));
        }
      }
    }
  }
  for (int32_t i = 0; i < 60; ++i) {
    encode_row(batch.columns(), i, rows[static_cast<size_t>(i)]);
    decode_row(rows[static_cast<size_t>(i)], builders);
  }
  const Batch decoded = finish_batch(builders);
  for (int32_t i = 0; i < 60; ++i) {
    for (size_t column = 0; column < 4; ++column) {
      CHECK(value_at(batch.column(column), i).is_null() ==
            value_at(decoded.column(column), i).is_null());
    }
    std::string again;
    encode_row(decoded.columns(), i, again);
    CHECK(again == rows[static_cast<size_t>(i)]);
  }
}

}  // namespace thalweg::operators
