#include "thalweg/state/table_listing.h"

#include <doctest/doctest.h>

#include "thalweg/state/keyed_table_impl.h"
#include "thalweg/state/operator_state.h"

namespace thalweg::state {

namespace {

struct Fixture {
  Fixture() : budget("test") {
    StateContext context;
    context.operator_name = "Test";
    context.budget = &budget;
    state = std::make_unique<OperatorState>(std::move(context));
    table = &state->keyed_table({.name = "windows",
                                 .key = {{"device", DataType::string()}},
                                 .has_namespace = true,
                                 .value = {{"count", DataType::big_int()}}});
  }

  void put(const std::vector<std::string>& devices, int64_t window) {
    ColumnBuilder builder(DataType::string());
    for (const std::string& device : devices) {
      builder.append_string(device);
    }
    const std::vector<ColumnPtr> columns = {builder.finish()};
    const std::vector<int64_t> windows(devices.size(), window);
    std::vector<stream::SlotId> slots(devices.size());
    std::vector<std::byte*> records(devices.size());
    table->find_or_insert({.columns = columns, .namespaces = windows}, slots, records, {});
    for (size_t i = 0; i < slots.size(); ++i) {
      *reinterpret_cast<int64_t*>(records[i] + table->layout().offset(0)) += window;
      state->timers(*table, TimerKind::kEventTime).add(window, slots[i]);
    }
  }

  ListedTable list(ListingRequest request = {}) {
    TableLister lister(*state->tables()[0], std::move(request), 3);
    while (lister.step()) {
    }
    return lister.take();
  }

  MemoryBudget budget;
  std::unique_ptr<OperatorState> state;
  stream::KeyedTable* table = nullptr;
};

}  // namespace

TEST_CASE("a table is listed by key, with its windows, fields and timers") {
  Fixture fixture;
  fixture.put({"b", "a"}, 2000);
  fixture.put({"b"}, 1000);
  const ListedTable listed = fixture.list();
  CHECK(listed.name == "windows");
  CHECK(listed.key_columns == std::vector<std::string>{"device"});
  CHECK(listed.fields == std::vector<std::string>{"count"});
  CHECK(listed.record_count == 3);
  CHECK(listed.byte_size > 0);
  CHECK(listed.next_event_timer_ms == 1000);
  CHECK(!listed.next_processing_timer_ms);
  REQUIRE(listed.records.size() == 3);
  CHECK(listed.records[0].key == std::vector<std::string>{"a"});
  CHECK(listed.records[1].key == std::vector<std::string>{"b"});
  CHECK(listed.records[1].name_space == 1000);
  CHECK(listed.records[2].name_space == 2000);
  CHECK(listed.records[2].fields == std::vector<std::string>{"2000"});
  CHECK(listed.records[0].subtask == 3);
}

TEST_CASE("a listing is of one key, and of no more records than wanted") {
  Fixture fixture;
  std::vector<std::string> devices(10'000);
  for (size_t i = 0; i < devices.size(); ++i) {
    devices[i] = fmt::format("device-{}", i);
  }
  fixture.put(devices, 1000);
  const ListedTable some = fixture.list({.key = std::nullopt, .limit = 7});
  CHECK(some.records.size() == 7);
  CHECK(some.record_count == 10'000);
  const ListedTable one = fixture.list({.key = "device-9876", .limit = 7});
  REQUIRE(one.records.size() == 1);
  CHECK(one.records[0].key[0] == "device-9876");
  CHECK(fixture.list({.key = "nobody", .limit = 7}).records.empty());
}

}  // namespace thalweg::state
