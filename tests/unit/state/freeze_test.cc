// What a table does while a snapshot of it is being written.

#include <atomic>
#include <filesystem>
#include <thread>

#include <doctest/doctest.h>
#include <unistd.h>

#include "thalweg/common/error.h"
#include "thalweg/state/keyed_table_impl.h"
#include "thalweg/state/operator_snapshot.h"
#include "thalweg/state/operator_state.h"
#include "thalweg/state/restored_state.h"
#include "thalweg/state/table_snapshot.h"

namespace thalweg::state {

namespace {

std::string file_path() {
  return std::filesystem::temp_directory_path() / fmt::format("thalweg-freeze-{}", ::getpid());
}

struct Fixture {
  explicit Fixture(int64_t limit = MemoryBudget::kUnlimited,
                   std::shared_ptr<const RestoredState> restored = nullptr)
      : budget("test", limit) {
    StateContext context;
    context.operator_name = "Test";
    context.budget = &budget;
    state = std::make_unique<OperatorState>(std::move(context), std::move(restored));
    table = &state->keyed_table({.name = "t",
                                 .key = {{"key", DataType::big_int()}},
                                 .value = {{"n", DataType::big_int().not_null()}}});
    timers = &state->timers(*table, TimerKind::kEventTime);
  }

  /// Adds one to the keys [begin, end); their slots.
  std::vector<stream::SlotId> count(int64_t begin, int64_t end) {
    ColumnBuilder builder(DataType::big_int());
    for (int64_t key = begin; key < end; ++key) {
      builder.append(key);
    }
    const std::vector<ColumnPtr> columns = {builder.finish()};
    std::vector<stream::SlotId> slots(static_cast<size_t>(end - begin));
    std::vector<std::byte*> records(slots.size());
    table->find_or_insert({.columns = columns}, slots, records, {});
    for (std::byte* record : records) {
      ++*reinterpret_cast<int64_t*>(record + table->layout().offset(0));
    }
    return slots;
  }

  /// Times that are due up to `time_ms`, with the number of their timers.
  std::vector<std::pair<int64_t, size_t>> fire(int64_t time_ms) {
    std::vector<std::pair<int64_t, size_t>> fired;
    std::vector<stream::Timer> due;
    while (timers->pop_due(time_ms, due)) {
      fired.emplace_back(due[0].time_ms, due.size());
    }
    return fired;
  }

  MemoryBudget budget;
  std::unique_ptr<OperatorState> state;
  stream::KeyedTable* table = nullptr;
  stream::KeyedTimers* timers = nullptr;
};

std::shared_ptr<const RestoredState> write(OperatorSnapshot& snapshot) {
  StateFileWriter writer(file_path());
  writer.set_operator({7});
  snapshot.write(writer);
  writer.finish();
  auto file = std::make_shared<const StateFile>(file_path());
  std::filesystem::remove(file_path());
  return std::make_shared<const RestoredState>(OperatorId{7}, std::vector{file});
}

using Fired = std::vector<std::pair<int64_t, size_t>>;

}  // namespace

TEST_CASE("timers go on while a snapshot holds them, and the snapshot has those from before") {
  Fixture fixture;
  const std::vector<stream::SlotId> slots = fixture.count(0, 10);
  for (const stream::SlotId slot : slots) {
    fixture.timers->add(100, slot);
    fixture.timers->add(200, slot);
    fixture.timers->add(300, slot);
  }
  auto snapshot = fixture.state->begin_snapshot();
  fixture.timers->remove(200, slots[0]);
  fixture.timers->remove(200, slots[1]);
  fixture.timers->add(200, slots[1]);
  fixture.timers->add(150, slots[2]);
  CHECK(fixture.timers->next_time() == 100);
  CHECK(fixture.fire(160) == Fired{{100, 10}, {150, 1}});
  CHECK(fixture.timers->next_time() == 200);
  const auto restored = write(*snapshot);
  snapshot.reset();
  fixture.timers->remove(300, slots[5]);
  CHECK(fixture.fire(1000) == Fired{{200, 9}, {300, 9}});
  CHECK(fixture.fire(1000).empty());

  Fixture again(MemoryBudget::kUnlimited, restored);
  CHECK(again.fire(1000) == Fired{{100, 10}, {200, 10}, {300, 10}});
}

TEST_CASE("a snapshot that follows another has what came in between") {
  Fixture fixture;
  fixture.timers->add(100, fixture.count(0, 1)[0]);
  write(*fixture.state->begin_snapshot());
  const auto slot = fixture.count(0, 1)[0];
  fixture.timers->add(200, slot);
  fixture.timers->remove(100, slot);
  Fixture again(MemoryBudget::kUnlimited, write(*fixture.state->begin_snapshot()));
  CHECK(again.fire(1000) == Fired{{200, 1}});
}

TEST_CASE("images of changed records are charged while a snapshot needs them") {
  Fixture fixture;
  constexpr int64_t kKeys = 100'000;
  fixture.count(0, kKeys);
  const int64_t before = fixture.budget.used_bytes();
  auto snapshot = fixture.state->begin_snapshot();
  fixture.count(0, kKeys);
  // Each record has 16 bytes and its head 8.
  CHECK(fixture.budget.used_bytes() - before >= kKeys * 24);
  write(*snapshot);
  snapshot.reset();
  fixture.count(0, 1);
  CHECK(fixture.budget.used_bytes() == before);
}

TEST_CASE("images over the budget fail the job, not the snapshot's content") {
  Fixture fixture(int64_t{16} << 20U);
  constexpr int64_t kKeys = 300'000;
  fixture.count(0, kKeys);
  auto snapshot = fixture.state->begin_snapshot();
  CHECK_THROWS_WITH_AS(
      fixture.count(0, kKeys), doctest::Contains("State exceeds its memory budget"), Error);
  Fixture again(MemoryBudget::kUnlimited, write(*snapshot));
  CHECK(again.table->size() == kKeys);
  std::vector<stream::SlotId> slots;
  again.table->collect_slots(slots);
  const bool all_one = std::all_of(slots.begin(), slots.end(), [&](stream::SlotId slot) {
    return *reinterpret_cast<const int64_t*>(again.table->read(slot) +
                                             again.table->layout().offset(0)) == 1;
  });
  CHECK(all_one);
}

}  // namespace thalweg::state
