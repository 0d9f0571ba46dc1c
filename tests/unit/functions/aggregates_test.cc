#include <deque>

#include <doctest/doctest.h>

#include "functions/evaluate.h"
#include "functions/state_records.h"
#include "thalweg/functions/bitmap/bitmap.h"
#include "thalweg/types/text.h"

namespace thalweg::functions {

namespace {

using expression::Accumulators;
using expression::AggregateInput;
using expression::BoundArgument;

std::string show(const Column& column) {
  std::string out;
  for (int32_t row = 0; row < column.size(); ++row) {
    out += row == 0 ? "" : " ";
    text::append_value(out, column, row, text::Style::kCast, TimeZone::utc());
  }
  return out;
}

/// An aggregate bound to the types of its argument columns.
struct Aggregate {
  Aggregate(const std::string& name, std::vector<ColumnPtr> columns, bool needs_retract)
      : arguments(std::move(columns)) {
    const auto function = registry().find_aggregate(name);
    REQUIRE(function != nullptr);
    std::vector<BoundArgument> bound;
    for (const ColumnPtr& column : arguments) {
      bound.push_back({column->type()});
    }
    const auto outcome = function->bind(bound);
    REQUIRE(std::holds_alternative<Signature>(outcome));
    signature = std::get<Signature>(outcome);
    kernel = function->make_kernel(signature, bound, needs_retract);
  }

  using Signature = expression::Signature;

  Accumulators at(StateRecords& records, const std::vector<size_t>& chosen) {
    places.clear();
    for (const size_t record : chosen) {
      places.push_back(records.all[record]);
    }
    return {places, records.offsets, records};
  }

  std::string results(StateRecords& records) {
    ColumnBuilder builder(signature.result);
    kernel->append_results({records.all, records.offsets, records}, builder);
    return show(*builder.finish());
  }

  std::vector<ColumnPtr> arguments;
  Signature signature;
  std::unique_ptr<expression::AggregateKernel> kernel;
  std::vector<std::byte*> places;
};

template <typename T>
ColumnPtr column_of(const DataType& type, const std::vector<std::optional<T>>& values) {
  ColumnBuilder builder(type);
  for (const auto& value : values) {
    if (!value) {
      builder.append_null();
    } else if constexpr (std::is_same_v<T, std::string>) {
      builder.append_string(*value);
    } else {
      builder.append(*value);
    }
  }
  return builder.finish();
}

ColumnPtr ints(const std::vector<std::optional<int32_t>>& values) {
  return column_of<int32_t>(DataType::integer(), values);
}

ColumnPtr bitmaps(const std::vector<std::optional<std::vector<uint32_t>>>& sets) {
  ColumnBuilder builder(DataType::bitmap());
  for (const auto& values : sets) {
    if (!values) {
      builder.append_null();
      continue;
    }
    Bitmap bitmap;
    bitmap.add_all(*values);
    builder.append_string(bitmap.serialize());
  }
  return builder.finish();
}

/// Adds rows of group 0, 0, ... in pieces, takes some back, goes through bytes and through a merge:
/// all ways must end alike.
std::string aggregate_all_ways(const std::string& name,
                               const std::vector<ColumnPtr>& columns,
                               bool needs_retract) {
  Aggregate aggregate(name, columns, needs_retract);
  const int32_t rows = columns[0]->size();
  std::vector<int32_t> all;
  for (int32_t row = 0; row < rows; ++row) {
    all.push_back(row);
  }
  StateRecords whole(aggregate.kernel->accumulator(), 1);
  const std::vector<size_t> to_first(all.size(), 0);
  aggregate.kernel->accumulate({aggregate.arguments, all}, aggregate.at(whole, to_first));
  const std::string expected = aggregate.results(whole);
  CHECK(whole.charged == whole.object_bytes());

  StateRecords parts(aggregate.kernel->accumulator(), 2);
  std::vector<size_t> to_parts;
  for (const int32_t row : all) {
    to_parts.push_back(row < rows / 2 ? 0 : 1);
  }
  aggregate.kernel->accumulate({aggregate.arguments, all}, aggregate.at(parts, to_parts));
  parts.serialize_and_restore();
  const auto from = std::vector<std::byte*>{parts.all[1]};
  const auto into = std::vector<std::byte*>{parts.all[0]};
  aggregate.kernel->merge({into, parts.offsets, parts}, {from, parts.offsets, parts});
  ColumnBuilder merged(aggregate.signature.result);
  aggregate.kernel->append_results({into, parts.offsets, parts}, merged);
  CHECK_MESSAGE(show(*merged.finish()) == expected, name);

  StateRecords row_wise(aggregate.kernel->accumulator(), 1);
  ColumnBuilder before(aggregate.signature.result);
  ColumnBuilder after(aggregate.signature.result);
  const std::vector<RowKind> kinds(all.size(), RowKind::kInsert);
  const std::vector<uint8_t> counts(all.size(), 1);
  aggregate.kernel->update_rows(
      {aggregate.arguments, all}, kinds, counts, aggregate.at(row_wise, to_first), before, after);
  const ColumnPtr steps = after.finish();
  const std::string shown = show(*steps);
  CHECK_MESSAGE(shown.ends_with(expected), name << ": " << shown);
  CHECK(before.finish()->size() == rows);
  if (needs_retract) {
    REQUIRE(aggregate.kernel->supports_retract());
    StateRecords emptied(aggregate.kernel->accumulator(), 1);
    const std::string empty = aggregate.results(emptied);
    aggregate.kernel->accumulate({aggregate.arguments, all}, aggregate.at(emptied, to_first));
    aggregate.kernel->retract({aggregate.arguments, all}, aggregate.at(emptied, to_first));
    CHECK_MESSAGE(aggregate.results(emptied) == empty, name);
    CHECK(emptied.charged == emptied.object_bytes());
  }
  return expected;
}

std::string both(const std::string& name, const std::vector<ColumnPtr>& columns) {
  const std::string plain = aggregate_all_ways(name, columns, false);
  CHECK_MESSAGE(aggregate_all_ways(name, columns, true) == plain, name);
  return plain;
}

}  // namespace

TEST_CASE("numbers") {
  const auto numbers = ints({10, {}, 30, 5});
  CHECK(both("COUNT", {numbers}) == "3");
  CHECK(both("SUM", {numbers}) == "45");
  CHECK(both("$SUM0", {numbers}) == "45");
  CHECK(both("AVG", {numbers}) == "15");
  CHECK(both("MIN", {numbers}) == "5");
  CHECK(both("MAX", {numbers}) == "30");
  CHECK(both("SUM", {ints({2147483647, 1})}) == "-2147483648");
  CHECK(both("SUM", {ints({{}, {}})}) == "NULL");
  CHECK(both("$SUM0", {ints({{}, {}})}) == "0");
  CHECK(both("AVG", {ints({{}, {}})}) == "NULL");
  CHECK(both("AVG", {ints({1, 2, 2})}) == "1");
}

TEST_CASE("decimals and doubles") {
  const auto prices =
      column_of<Int128>(DataType::decimal(10, 2), {Int128{400}, Int128{200}, Int128{500}});
  CHECK(both("SUM", {prices}) == "11.00");
  CHECK(both("AVG", {prices}) == "3.666667");
  CHECK(both("MAX", {prices}) == "5.00");
  const auto doubles = column_of<double>(DataType::float64(), {1.0, 2.0, 4.0});
  CHECK(aggregate_all_ways("STDDEV_POP", {doubles}, false) == "1.247219128924647");
  CHECK(aggregate_all_ways("STDDEV_SAMP", {doubles}, false) == "1.5275252316519465");
  CHECK(aggregate_all_ways("VAR_POP", {doubles}, true) == "1.5555555555555554");
  CHECK(aggregate_all_ways("VAR_SAMP", {doubles}, true) == "2.333333333333333");
  const auto half = column_of<double>(DataType::float64().not_null(), {0.5, 0.5, 0.5});
  CHECK(both("PERCENTILE", {doubles, half}) == "2.0");
}

TEST_CASE("texts and values in order") {
  const auto texts =
      column_of<std::string>(DataType::string(), {"pear", {}, "a longer text than fits", "fig"});
  CHECK(both("MIN", {texts}) == "a longer text than fits");
  CHECK(both("MAX", {texts}) == "pear");
  CHECK(both("FIRST_VALUE", {texts}) == "pear");
  CHECK(both("LAST_VALUE", {texts}) == "fig");
  CHECK(both("LISTAGG", {texts}) == "pear,a longer text than fits,fig");
  CHECK(both("ARRAY_AGG", {ints({1, {}, 3})}) == "[1, NULL, 3]");
  CHECK(both("JSON_ARRAYAGG", {texts}) == "[\"pear\",\"a longer text than fits\",\"fig\"]");
  CHECK(both("JSON_OBJECTAGG",
             {column_of<std::string>(DataType::string(), {"b", "a"}), ints({1, {}})}) ==
        "{\"a\":null,\"b\":1}");
  CHECK(both("COLLECT", {ints({2, 1, 2, -1})}) == "{-1=1, 1=1, 2=2}");
  CHECK(both("APPROX_COUNT_DISTINCT", {ints({2, 1, 2, {}})}) == "2");
}

TEST_CASE("bitmaps") {
  const auto numbers = ints({1, {}, 2, 2, -1});
  CHECK(both("BITMAP_BUILD_AGG", {numbers}) == "{1,2,4294967295}");
  CHECK(both("BITMAP_BUILD_CARDINALITY_AGG", {numbers}) == "3");
  CHECK(both("BITMAP_BUILD_AGG", {ints({{}})}) == "NULL");
  const auto sets = bitmaps({{{1, 2, 3}}, {{2, 3, 4}}, {}, {{2, 3, 5}}});
  CHECK(both("BITMAP_AND_AGG", {sets}) == "{2,3}");
  CHECK(both("BITMAP_OR_AGG", {sets}) == "{1,2,3,4,5}");
  CHECK(both("BITMAP_XOR_AGG", {sets}) == "{1,2,3,4,5}");
  CHECK(both("BITMAP_AND_CARDINALITY_AGG", {sets}) == "2");
  CHECK(both("BITMAP_OR_CARDINALITY_AGG", {sets}) == "5");
  CHECK(both("BITMAP_XOR_CARDINALITY_AGG", {sets}) == "5");
  const auto apart = bitmaps({{{1}}, {{2}}, {{}}});
  CHECK(both("BITMAP_AND_AGG", {apart}) == "{}");
  CHECK(both("BITMAP_AND_CARDINALITY_AGG", {apart}) == "0");
  CHECK(both("BITMAP_OR_CARDINALITY_AGG", {bitmaps({{}})}) == "NULL");
  CHECK(both("BITMAP_XOR_AGG", {bitmaps({{{1}}, {{1}}})}) == "{}");
}

TEST_CASE("bitmaps that are taken back") {
  const std::vector<int32_t> first = {0};
  const std::vector<int32_t> second = {1};
  const std::vector<int32_t> third = {2};
  const std::vector<size_t> record = {0};
  const auto sets = bitmaps({{{1, 2, 3}}, {{2, 3, 4}}, {{3, 5}}});
  const std::vector<std::pair<std::string, std::vector<std::string>>> expected = {
      {"BITMAP_AND_AGG", {"{3}", "{3}", "{3,5}", "NULL"}},
      {"BITMAP_OR_AGG", {"{1,2,3,4,5}", "{2,3,4,5}", "{3,5}", "NULL"}},
      {"BITMAP_XOR_AGG", {"{1,3,4,5}", "{2,4,5}", "{3,5}", "NULL"}},
      {"BITMAP_AND_CARDINALITY_AGG", {"1", "1", "2", "NULL"}},
  };
  for (const auto& [name, results] : expected) {
    Aggregate aggregate(name, {sets}, true);
    StateRecords records(aggregate.kernel->accumulator(), 1);
    for (const auto* row : {&first, &second, &third}) {
      aggregate.kernel->accumulate({aggregate.arguments, *row}, aggregate.at(records, record));
    }
    CHECK_MESSAGE(aggregate.results(records) == results[0], name);
    size_t at = 1;
    for (const auto* row : {&first, &second, &third}) {
      aggregate.kernel->retract({aggregate.arguments, *row}, aggregate.at(records, record));
      CHECK_MESSAGE(aggregate.results(records) == results[at++], name);
    }
  }
}

TEST_CASE("a number that is taken back before it comes is owed") {
  Aggregate aggregate("BITMAP_BUILD_AGG", {ints({7, 1})}, true);
  StateRecords records(aggregate.kernel->accumulator(), 1);
  const std::vector<int32_t> seven = {0};
  const std::vector<int32_t> one = {1};
  aggregate.kernel->retract({aggregate.arguments, seven}, aggregate.at(records, {0}));
  CHECK(aggregate.results(records) == "NULL");
  aggregate.kernel->accumulate({aggregate.arguments, one}, aggregate.at(records, {0}));
  CHECK(aggregate.results(records) == "{1}");
  aggregate.kernel->accumulate({aggregate.arguments, seven}, aggregate.at(records, {0}));
  CHECK(aggregate.results(records) == "{1}");
  aggregate.kernel->accumulate({aggregate.arguments, seven}, aggregate.at(records, {0}));
  CHECK(aggregate.results(records) == "{1,7}");
}

TEST_CASE("an extreme value that is taken back gives way to the next") {
  Aggregate aggregate("MAX", {ints({1, 5, 3, 5})}, true);
  StateRecords records(aggregate.kernel->accumulator(), 1);
  const std::vector<int32_t> rows = {0, 1, 2};
  aggregate.kernel->accumulate({aggregate.arguments, rows}, aggregate.at(records, {0, 0, 0}));
  CHECK(aggregate.results(records) == "5");
  const std::vector<int32_t> last = {3};
  aggregate.kernel->retract({aggregate.arguments, last}, aggregate.at(records, {0}));
  CHECK(aggregate.results(records) == "3");
}

TEST_CASE("LAG gives the value before, or its default") {
  const auto two = column_of<int64_t>(DataType::big_int(), {2, 2, 2, 2});
  Aggregate aggregate("LAG", {ints({1, {}, 3, 4}), two, ints({-1, -1, -1, -1})}, false);
  StateRecords records(aggregate.kernel->accumulator(), 1);
  const std::vector<int32_t> rows = {0, 1, 2, 3};
  ColumnBuilder before(aggregate.signature.result);
  ColumnBuilder after(aggregate.signature.result);
  aggregate.kernel->update_rows(
      {aggregate.arguments, rows}, {}, {}, aggregate.at(records, {0, 0, 0, 0}), before, after);
  CHECK(show(*after.finish()) == "-1 -1 1 NULL");
}

TEST_CASE("rows that do not count leave the result as it was") {
  Aggregate aggregate("SUM", {ints({1, 2, 4})}, true);
  StateRecords records(aggregate.kernel->accumulator(), 1);
  const std::vector<int32_t> rows = {0, 1, 2};
  const std::vector<RowKind> kinds = {RowKind::kInsert, RowKind::kInsert, RowKind::kDelete};
  const std::vector<uint8_t> counts = {1, 0, 1};
  ColumnBuilder before(aggregate.signature.result);
  ColumnBuilder after(aggregate.signature.result);
  aggregate.kernel->update_rows(
      {aggregate.arguments, rows}, kinds, counts, aggregate.at(records, {0, 0, 0}), before, after);
  CHECK(show(*before.finish()) == "NULL 1 1");
  CHECK(show(*after.finish()) == "1 1 NULL");
}

}  // namespace thalweg::functions
