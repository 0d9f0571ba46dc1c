// In what order slots come: sorted by key, and as they are given out again.
#include <numeric>
#include <random>
#include <set>

#include <doctest/doctest.h>

#include "thalweg/state/free_slots.h"
#include "thalweg/state/operator_state.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::state {

namespace {

using stream::SlotId;

/// A key and a namespace for each row of `keys`.
std::vector<SlotId> sorted_slots(stream::KeyedTable& table,
                                 const std::vector<ColumnPtr>& keys,
                                 const std::vector<int64_t>& namespaces,
                                 std::minstd_rand& random) {
  const auto rows = static_cast<size_t>(keys[0]->size());
  std::vector<SlotId> slots(rows);
  std::vector<std::byte*> records(rows);
  std::vector<uint8_t> inserted(rows);
  table.find_or_insert({.columns = keys, .namespaces = namespaces}, slots, records, inserted);
  slots.clear();
  table.collect_slots(slots);
  std::shuffle(slots.begin(), slots.end(), random);
  table.sort_by_key(slots);
  return slots;
}

void check_sorted(const ColumnPtr& keys,
                  const std::vector<int64_t>& namespaces,
                  std::minstd_rand& random) {
  MemoryBudget budget("test", MemoryBudget::kUnlimited);
  OperatorState state({.operator_name = "Test", .budget = &budget});
  stream::KeyedTable& table = state.keyed_table(
      {.name = "t", .key = {{"k", keys->type()}}, .has_namespace = true, .value = {}});
  const std::vector<SlotId> slots = sorted_slots(table, {keys}, namespaces, random);
  CHECK(std::set<SlotId>(slots.begin(), slots.end()).size() == slots.size());
  std::vector<ColumnBuilder> builders = make_builders(table.spec().key);
  table.append_keys(slots, builders);
  const ColumnPtr sorted = builders[0].finish();
  for (size_t i = 1; i < slots.size(); ++i) {
    const auto row = static_cast<int32_t>(i);
    const int order = compare_values(*sorted, row - 1, *sorted, row);
    const bool by_namespace = table.namespace_of(slots[i - 1]) < table.namespace_of(slots[i]);
    REQUIRE((order < 0 || (order == 0 && by_namespace)));
  }
}

}  // namespace

TEST_CASE("many and few slots are sorted by texts, numbers and namespaces") {
  std::minstd_rand random(3);
  for (const size_t rows : {10U, 3000U}) {
    for (const bool shares_prefix : {false, true}) {
      ColumnBuilder texts(DataType::string());
      ColumnBuilder longs(DataType::big_int());
      ColumnBuilder integers(DataType::integer());
      ColumnBuilder nullable(DataType::string());
      std::vector<int64_t> namespaces;
      for (size_t row = 0; row < rows; ++row) {
        std::string text = shares_prefix ? "device-" : "";
        for (size_t i = random() % 20; i > 0; --i) {
          text += static_cast<char>(random() % 4 == 0 ? random() % 256 : 'a' + random() % 2);
        }
        texts.append_string(text);
        const auto number = static_cast<int64_t>(random()) - (int64_t{1} << 30U);
        longs.append(shares_prefix ? number % 50 : number * number * (number < 0 ? -1 : 1));
        integers.append(static_cast<int32_t>(number % 1000));
        if (row % 100 == 0) {
          nullable.append_null();
        } else {
          nullable.append_string(text);
        }
        namespaces.push_back(static_cast<int64_t>(random() % 3) - 1);
      }
      for (ColumnBuilder* builder : {&texts, &longs, &integers, &nullable}) {
        check_sorted(builder->finish(), namespaces, random);
      }
    }
  }
}

TEST_CASE("the lowest free slot is given out first") {
  FreeSlots free;
  std::vector<SlotId> slots(20'000);
  std::iota(slots.begin(), slots.end(), SlotId{0});
  std::minstd_rand random(5);
  std::shuffle(slots.begin(), slots.end(), random);
  slots.resize(5'000);
  std::set<SlotId> expected;
  for (size_t i = 0; i < slots.size(); ++i) {
    free.add(slots[i]);
    expected.insert(slots[i]);
    if (i % 3 == 0) {
      REQUIRE(free.take_lowest() == *expected.begin());
      expected.erase(expected.begin());
    }
    REQUIRE(free.size() == expected.size());
  }
  while (!expected.empty()) {
    REQUIRE(free.take_lowest() == *expected.begin());
    expected.erase(expected.begin());
  }
  CHECK(free.size() == 0);
}

}  // namespace thalweg::state
