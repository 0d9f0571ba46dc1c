#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "thalweg/common/error.h"
#include "thalweg/state/byte_stream.h"
#include "thalweg/state/keyed_table_impl.h"
#include "thalweg/state/operator_snapshot.h"
#include "thalweg/state/operator_state.h"
#include "thalweg/state/restored_state.h"
#include "thalweg/state/table_snapshot.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::state {

namespace {

using stream::SlotId;

ColumnPtr big_ints(const std::vector<int64_t>& values) {
  ColumnBuilder builder(DataType::big_int());
  for (const int64_t value : values) {
    builder.append(value);
  }
  return builder.finish();
}

ColumnPtr strings(const std::vector<std::string>& values) {
  ColumnBuilder builder(DataType::string());
  for (const std::string& value : values) {
    builder.append_string(value);
  }
  return builder.finish();
}

/// One operator's state with a budget of its own.
struct Fixture {
  explicit Fixture(int64_t limit = MemoryBudget::kUnlimited,
                   KeyGroupRange range = {0, kKeyGroups},
                   std::shared_ptr<const RestoredState> restored = nullptr)
      : budget("state of test", limit) {
    StateContext context;
    context.operator_name = "Test";
    context.budget = &budget;
    context.key_groups = range;
    state = std::make_unique<OperatorState>(std::move(context), std::move(restored));
  }

  MemoryBudget budget;
  std::unique_ptr<OperatorState> state;
};

/// find_or_insert with slots, records and marks of its own.
struct Found {
  Found(stream::KeyedTable& table,
        const std::vector<ColumnPtr>& columns,
        const std::vector<int64_t>& namespaces = {})
      : slots(static_cast<size_t>(columns[0]->size())),
        records(slots.size()),
        inserted(slots.size()) {
    table.find_or_insert({.columns = columns, .namespaces = namespaces}, slots, records, inserted);
  }

  std::vector<SlotId> slots;
  std::vector<std::byte*> records;
  std::vector<uint8_t> inserted;
};

int64_t& number_at(stream::KeyedTable& table, std::byte* record, size_t field = 0) {
  return *reinterpret_cast<int64_t*>(record + table.layout().offset(field));
}

stream::StateSpec counts_spec() {
  return {.name = "counts",
          .key = {{"key", DataType::big_int()}},
          .value = {{"count", DataType::big_int().not_null()}}};
}

/// key -> count of a table with one number for key and value.
std::map<int64_t, int64_t> contents(stream::KeyedTable& table) {
  std::vector<SlotId> slots;
  table.collect_slots(slots);
  std::vector<ColumnBuilder> keys;
  keys.emplace_back(DataType::big_int());
  table.append_keys(slots, keys);
  const ColumnPtr key = keys[0].finish();
  std::map<int64_t, int64_t> result;
  for (size_t i = 0; i < slots.size(); ++i) {
    int64_t value = 0;
    std::memcpy(&value, table.read(slots[i]) + table.layout().offset(0), sizeof(value));
    result[key->at<int64_t>(static_cast<int32_t>(i))] = value;
  }
  return result;
}

/// A folder that goes with the test.
struct Folder {
  Folder() : path(std::filesystem::temp_directory_path() / fmt::format("thalweg-{}", ::getpid())) {
    std::filesystem::create_directories(path);
  }

  ~Folder() { std::filesystem::remove_all(path); }

  std::filesystem::path path;
};

std::shared_ptr<const StateFile> save(OperatorSnapshot& snapshot, const std::string& path) {
  StateFileWriter writer(path);
  writer.set_operator({7});
  snapshot.write(writer);
  writer.finish();
  return std::make_shared<const StateFile>(path);
}

/// A set of numbers, as COUNT(DISTINCT x) keeps it.
class NumberSet final : public stream::StateObject {
 public:
  std::unique_ptr<StateObject> clone() const override { return std::make_unique<NumberSet>(*this); }

  void serialize(std::string& bytes) const override {
    ByteWriter writer(bytes);
    for (const int64_t number : numbers) {
      writer.put(number);
    }
  }

  int64_t byte_size() const override { return static_cast<int64_t>(numbers.size() * 48); }

  Value inspect() const override { return Value(static_cast<int64_t>(numbers.size())); }

  std::set<int64_t> numbers;
};

std::shared_ptr<const stream::StateObjectKind> number_sets() {
  return std::make_shared<const stream::StateObjectKind>(
      stream::StateObjectKind{"numbers",
                              [] { return std::make_unique<NumberSet>(); },
                              [](std::string_view bytes) {
                                auto set = std::make_unique<NumberSet>();
                                ByteReader reader(bytes);
                                while (!reader.at_end()) {
                                  set->numbers.insert(reader.get<int64_t>());
                                }
                                return set;
                              }});
}

}  // namespace

TEST_CASE("a record layout reserves null bits only up to the last nullable field") {
  const std::vector<stream::StateField> fields = {{"a", DataType::big_int().not_null()},
                                                  {"b", DataType::integer()},
                                                  {"c", DataType::decimal(38, 2).not_null()},
                                                  {"d", DataType::string().not_null()}};
  const stream::RecordLayout layout(fields);
  CHECK(layout.offset(0) == 8);
  CHECK(layout.offset(1) == 16);
  CHECK(layout.offset(2) == 32);
  CHECK(layout.offset(3) == 48);
  CHECK(layout.size() == 64);
  std::vector<std::byte> record(64);
  layout.set_null(record.data(), 1, true);
  CHECK(layout.is_null(record.data(), 1));
  CHECK(!layout.is_null(record.data(), 0));
  CHECK(!layout.is_null(record.data(), 3));
  layout.set_null(record.data(), 1, false);
  CHECK(!layout.is_null(record.data(), 1));

  const stream::RecordLayout plain{std::span(fields).subspan(0, 1)};
  CHECK(plain.size() == 8);
}

TEST_CASE("a table finds, inserts and erases like a map") {
  Fixture fixture;
  stream::KeyedTable& table = fixture.state->keyed_table(counts_spec());
  std::map<int64_t, int64_t> expected;
  std::mt19937_64 random(42);
  for (int round = 0; round < 300; ++round) {
    std::vector<int64_t> keys(200);
    for (int64_t& key : keys) {
      key = static_cast<int64_t>(random() % 20'000) - 10'000;
    }
    Found found(table, {big_ints(keys)});
    for (size_t i = 0; i < keys.size(); ++i) {
      CHECK(found.inserted[i] == static_cast<uint8_t>(!expected.contains(keys[i])));
      ++number_at(table, found.records[i]);
      ++expected[keys[i]];
    }
    if (round % 3 == 0) {
      std::set<SlotId> gone;
      for (size_t i = 0; i < 50; ++i) {
        if (gone.insert(found.slots[i]).second) {
          expected.erase(keys[i]);
        }
      }
      table.erase(std::vector(gone.begin(), gone.end()));
    }
  }
  CHECK(table.size() == static_cast<int64_t>(expected.size()));
  CHECK(contents(table) == expected);
}

TEST_CASE("keys of several columns, with NULLs, texts and a namespace") {
  Fixture fixture;
  stream::KeyedTable& table = fixture.state->keyed_table(
      {.name = "t",
       .key = {{"name", DataType::string()}, {"price", DataType::float64()}},
       .has_namespace = true,
       .value = {{"n", DataType::big_int().not_null()}}});
  ColumnBuilder names(DataType::string());
  names.append_string("a text that does not lie inline");
  names.append_null();
  names.append_string("short");
  names.append_null();
  names.append_string("a text that does not lie inline");
  ColumnBuilder prices(DataType::float64());
  for (const double price : {1.5, 0.0, 2.5, -0.0, 1.5}) {
    prices.append(price);
  }
  const std::vector<ColumnPtr> columns = {names.finish(), prices.finish()};
  Found found(table, columns, {10, 10, 10, 10, 20});
  CHECK(found.inserted == std::vector<uint8_t>{1, 1, 1, 0, 1});
  CHECK(found.slots[1] == found.slots[3]);
  CHECK(table.namespace_of(found.slots[4]) == 20);

  std::vector<SlotId> sorted = {found.slots[2], found.slots[4], found.slots[0], found.slots[1]};
  table.sort_by_key(sorted);
  CHECK(sorted == std::vector{found.slots[1], found.slots[0], found.slots[4], found.slots[2]});

  std::vector<ColumnBuilder> keys;
  keys.emplace_back(DataType::string());
  keys.emplace_back(DataType::float64());
  table.append_keys(sorted, keys);
  const ColumnPtr read = keys[0].finish();
  CHECK(read->is_null(0));
  CHECK(read->string_at(1) == "a text that does not lie inline");
  CHECK(read->string_at(3) == "short");
}

TEST_CASE("constant key columns and tables without a key") {
  Fixture fixture;
  stream::KeyedTable& global = fixture.state->keyed_table(
      {.name = "global", .key = {}, .value = {{"n", DataType::big_int().not_null()}}});
  std::vector<SlotId> slots(5);
  std::vector<std::byte*> records(5);
  std::vector<uint8_t> inserted(5);
  global.find_or_insert({}, slots, records, inserted);
  CHECK(inserted == std::vector<uint8_t>{1, 0, 0, 0, 0});

  stream::KeyedTable& table = fixture.state->keyed_table(counts_spec());
  const Found flat(table, {big_ints({5, 6})});
  const ColumnPtr constant = constant_column(DataType::big_int(), Value(int64_t{5}), 3);
  const Found same(table, {constant});
  CHECK(same.slots == std::vector(3, flat.slots[0]));
}

TEST_CASE("nested keys and fields are kept by value") {
  Fixture fixture;
  const DataType list = DataType::array(DataType::integer());
  stream::KeyedTable& table = fixture.state->keyed_table(
      {.name = "t", .key = {{"k", list}}, .value = {{"v", list}, {"s", DataType::string()}}});
  ColumnBuilder builder(list);
  builder.child(0).append(int32_t{1});
  builder.child(0).append(int32_t{2});
  builder.append_list();
  builder.append_null();
  builder.child(0).append(int32_t{1});
  builder.child(0).append(int32_t{2});
  builder.append_list();
  const ColumnPtr column = builder.finish();
  const ColumnPtr texts = strings({"one", "a rather long text for a field", "three"});
  Found found(table, {column});
  CHECK(found.slots[0] == found.slots[2]);
  CHECK(found.slots[0] != found.slots[1]);
  for (int32_t row = 0; row < 3; ++row) {
    table.store_field(found.records[static_cast<size_t>(row)], 0, *column, row);
    table.store_field(found.records[static_cast<size_t>(row)], 1, *texts, row);
  }
  ColumnBuilder values(list);
  table.append_field(std::span(found.slots).subspan(0, 2), 0, values);
  const ColumnPtr read = values.finish();
  CHECK(equal_values(*read, 0, *column, 0));
  CHECK(read->is_null(1));
  ColumnBuilder read_texts(DataType::string());
  table.append_field(found.slots, 1, read_texts);
  CHECK(read_texts.finish()->string_at(1) == "a rather long text for a field");
}

TEST_CASE("state over its budget fails with operator, keys and bytes") {
  Fixture fixture(int64_t{4} << 20U);
  stream::KeyedTable& table = fixture.state->keyed_table(counts_spec());
  std::string message;
  try {
    for (int64_t begin = 0;; begin += 1000) {
      std::vector<int64_t> keys(1000);
      for (int64_t i = 0; i < 1000; ++i) {
        keys[static_cast<size_t>(i)] = begin + i;
      }
      const Found found(table, {big_ints(keys)});
    }
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kStateMemoryExceeded);
    message = error.message();
  }
  CHECK(message.find("operator 'Test' holds ") != std::string::npos);
  CHECK(message.find(" bytes of state 'counts'") != std::string::npos);
  CHECK(fixture.budget.used_bytes() <= fixture.budget.limit_bytes());
}

TEST_CASE("an entry takes at most 64 bytes above its key and value") {
  Fixture fixture;
  stream::KeyedTable& table = fixture.state->keyed_table(counts_spec());
  constexpr int64_t kKeys = 300'000;
  for (int64_t begin = 0; begin < kKeys; begin += 1000) {
    std::vector<int64_t> keys(1000);
    for (int64_t i = 0; i < 1000; ++i) {
      keys[static_cast<size_t>(i)] = begin + i;
    }
    const Found found(table, {big_ints(keys)});
  }
  CHECK(fixture.budget.used_bytes() / kKeys <= 64 + 16);
  fixture.state.reset();
  CHECK(fixture.budget.used_bytes() == 0);
}

TEST_CASE("strings and objects are charged, reused and freed") {
  Fixture fixture;
  stream::KeyedTable& table = fixture.state->keyed_table(
      {.name = "t",
       .key = {{"k", DataType::big_int()}},
       .value = {{"text", DataType::string()}, {"set", DataType::null(), number_sets()}}});
  const auto kind = number_sets();
  for (int round = 0; round < 200; ++round) {
    Found found(table, {big_ints({1, 2, 3})});
    for (std::byte* record : found.records) {
      table.assign_string(record + table.layout().offset(0),
                          std::string(static_cast<size_t>(100 + round % 3), 'x'));
      auto& set =
          static_cast<NumberSet&>(table.writable_object(record + table.layout().offset(1), *kind));
      const int64_t before = set.byte_size();
      set.numbers.insert(round);
      table.object_resized(set.byte_size() - before);
    }
    if (round % 10 == 9) {
      table.erase(found.slots);
    }
  }
  CHECK(table.size() == 0);
  CHECK(fixture.budget.used_bytes() < int64_t{400} << 10U);
}

TEST_CASE("timers fire in the order of time and key, once, and not for erased records") {
  Fixture fixture;
  stream::KeyedTable& table = fixture.state->keyed_table(counts_spec());
  stream::KeyedTimers& timers = fixture.state->timers(table, TimerKind::kEventTime);
  CHECK(timers.next_time() == std::numeric_limits<int64_t>::max());
  const Found found(table, {big_ints({50, 10, 40, 20, 30})});
  for (int repeat = 0; repeat < 3; ++repeat) {
    for (const SlotId slot : found.slots) {
      timers.add(200, slot);
      timers.add(100, slot);
    }
  }
  timers.remove(100, found.slots[0]);
  timers.remove(200, found.slots[1]);
  timers.add(200, found.slots[1]);
  table.erase(std::vector{found.slots[2]});
  const Found reused(table, {big_ints({99})});
  CHECK(reused.slots[0] == found.slots[2]);

  CHECK(timers.next_time() == 100);
  std::vector<stream::Timer> due;
  CHECK(!timers.pop_due(99, due));
  const auto keys_due = [&] {
    std::vector<int64_t> keys;
    for (const stream::Timer& timer : due) {
      std::vector<ColumnBuilder> builder;
      builder.emplace_back(DataType::big_int());
      table.append_keys(std::vector{timer.slot}, builder);
      keys.push_back(builder[0].finish()->at<int64_t>(0));
    }
    return keys;
  };
  CHECK(timers.pop_due(1000, due));
  CHECK(due[0].time_ms == 100);
  CHECK(keys_due() == std::vector<int64_t>{10, 20, 30});
  CHECK(timers.pop_due(1000, due));
  CHECK(due[0].time_ms == 200);
  CHECK(keys_due() == std::vector<int64_t>{10, 20, 30, 50});
  CHECK(!timers.pop_due(1000, due));

  // The end of all input is a time too.
  const int64_t last = std::numeric_limits<int64_t>::max();
  timers.add(last, found.slots[1]);
  CHECK(!timers.pop_due(last - 1, due));
  CHECK(timers.pop_due(last, due));
  CHECK(due.size() == 1);
  CHECK(!timers.pop_due(last, due));
}

TEST_CASE("entries expire after their last write and come back empty") {
  Fixture fixture;
  stream::StateSpec spec = counts_spec();
  spec.ttl_ms = 100;
  stream::KeyedTable& table = fixture.state->keyed_table(spec);
  fixture.state->set_time({1000});
  const Found first(table, {big_ints({1, 2})});
  number_at(table, first.records[0]) = 5;
  number_at(table, first.records[1]) = 6;
  fixture.state->set_time({1099});
  std::vector<SlotId> slots(2);
  table.find({.columns = std::vector{big_ints({1, 2})}}, slots, {});
  CHECK(slots == first.slots);
  table.writable(first.slots[1]);
  fixture.state->set_time({1100});
  table.find({.columns = std::vector{big_ints({1, 2})}}, slots, {});
  CHECK(slots == std::vector{stream::kNoSlot, first.slots[1]});
  Found again(table, {big_ints({1})});
  CHECK(again.inserted[0] == 1);
  CHECK(number_at(table, again.records[0]) == 0);
  fixture.state->set_time({5000});
  const Found other(table, {big_ints({3, 3, 3, 3})});
  CHECK(table.size() == 1);
}

TEST_CASE("a snapshot holds what was there when it began, while the table goes on") {
  const Folder folder;
  Fixture fixture;
  stream::KeyedTable& table =
      fixture.state->keyed_table({.name = "t",
                                  .key = {{"k", DataType::big_int()}},
                                  .value = {{"n", DataType::big_int().not_null()},
                                            {"text", DataType::string()},
                                            {"set", DataType::null(), number_sets()}}});
  stream::KeyedTimers& timers = fixture.state->timers(table, TimerKind::kEventTime);
  const auto kind = number_sets();
  constexpr int64_t kKeys = 20'000;
  const auto write = [&](int64_t round) {
    for (int64_t begin = 0; begin < kKeys; begin += 500) {
      std::vector<int64_t> keys(500);
      for (int64_t i = 0; i < 500; ++i) {
        keys[static_cast<size_t>(i)] = (begin + i * 37) % kKeys;
      }
      Found found(table, {big_ints(keys)});
      for (size_t i = 0; i < keys.size(); ++i) {
        std::byte* record = found.records[i];
        number_at(table, record) = round;
        table.assign_string(record + table.layout().offset(1),
                            fmt::format("the text of round {}", round));
        static_cast<NumberSet&>(table.writable_object(record + table.layout().offset(2), *kind))
            .numbers = {round};
        if (found.inserted[i] != 0) {
          timers.add(keys[i] % 10, found.slots[i]);
        }
      }
    }
  };
  write(1);
  for (int64_t round = 1; round <= 3; ++round) {
    auto snapshot = fixture.state->begin_snapshot();
    std::shared_ptr<const StateFile> file;
    std::thread writer(
        [&] { file = save(*snapshot, folder.path / fmt::format("round-{}", round)); });
    write(round + 1);
    writer.join();
    snapshot.reset();
    Fixture restored(MemoryBudget::kUnlimited,
                     {0, kKeyGroups},
                     std::make_shared<RestoredState>(OperatorId{7}, std::vector{file}));
    stream::KeyedTable& copy = restored.state->keyed_table(table.spec());
    restored.state->finish_restore(false);
    const int64_t size = copy.size();
    CHECK(size == table.size());
    std::vector<SlotId> slots;
    copy.collect_slots(slots);
    bool same = true;
    for (const SlotId slot : slots) {
      const std::byte* record = copy.read(slot);
      int64_t number = 0;
      std::memcpy(&number, record + copy.layout().offset(0), sizeof(number));
      StringView text;
      std::memcpy(&text, record + copy.layout().offset(1), sizeof(text));
      const auto* set =
          static_cast<const NumberSet*>(copy.object(record + copy.layout().offset(2)));
      same = same && number == round && text.view() == fmt::format("the text of round {}", round) &&
             set->numbers == std::set<int64_t>{round};
    }
    CHECK(same);
    std::vector<stream::Timer> due;
    CHECK(restored.state->timers(copy, TimerKind::kEventTime).pop_due(0, due));
    CHECK(due.size() > 1000);
  }
}

TEST_CASE("state restores at another parallelism by key groups") {
  const Folder folder;
  std::vector<std::shared_ptr<const StateFile>> files;
  std::map<int64_t, int64_t> expected;
  for (int32_t subtask = 0; subtask < 3; ++subtask) {
    const KeyGroupRange range = key_groups_of(subtask, 3);
    Fixture fixture(MemoryBudget::kUnlimited, range);
    stream::KeyedTable& table = fixture.state->keyed_table(counts_spec());
    std::vector<int64_t> all(5000);
    for (size_t i = 0; i < all.size(); ++i) {
      all[i] = static_cast<int64_t>(i);
    }
    const ColumnPtr column = big_ints(all);
    std::vector<uint64_t> hashes(all.size());
    hash_rows(std::vector{column}, hashes);
    std::vector<int64_t> keys;
    for (size_t i = 0; i < all.size(); ++i) {
      if (range.contains(key_group_of(hashes[i]))) {
        keys.push_back(all[i]);
      }
    }
    Found found(table, {big_ints(keys)});
    for (size_t i = 0; i < keys.size(); ++i) {
      number_at(table, found.records[i]) = keys[i] * 2;
      expected[keys[i]] = keys[i] * 2;
    }
    fixture.state->list_state("items", stream::ListMode::kSplit)
        .update({fmt::format("a{}", subtask), "b", "c"});
    fixture.state->list_state("union", stream::ListMode::kUnion)
        .update({fmt::format("u{}", subtask)});
    files.push_back(save(*fixture.state->begin_snapshot(), folder.path / std::to_string(subtask)));
  }
  std::map<int64_t, int64_t> restored;
  for (int32_t subtask = 0; subtask < 5; ++subtask) {
    Fixture fixture(MemoryBudget::kUnlimited,
                    key_groups_of(subtask, 5),
                    std::make_shared<RestoredState>(OperatorId{7}, files));
    const auto part = contents(fixture.state->keyed_table(counts_spec()));
    CHECK(!part.empty());
    restored.insert(part.begin(), part.end());
  }
  CHECK(restored == expected);

  std::multiset<std::string> items;
  for (int32_t subtask = 0; subtask < 2; ++subtask) {
    MemoryBudget budget("state");
    StateContext context;
    context.budget = &budget;
    context.subtask = subtask;
    context.parallelism = 2;
    OperatorState state(context, std::make_shared<RestoredState>(OperatorId{7}, files));
    const auto& share = state.list_state("items", stream::ListMode::kSplit).restored();
    CHECK(share.size() >= 4);
    items.insert(share.begin(), share.end());
    CHECK(state.list_state("union", stream::ListMode::kUnion).restored() ==
          std::vector<std::string>{"u0", "u1", "u2"});
  }
  CHECK(items == std::multiset<std::string>{"a0", "a1", "a2", "b", "b", "b", "c", "c", "c"});
}

TEST_CASE("another schema, unclaimed state and damaged files are refused") {
  const Folder folder;
  Fixture fixture;
  stream::KeyedTable& table = fixture.state->keyed_table(counts_spec());
  const Found found(table, {big_ints({1, 2, 3})});
  const std::string path = folder.path / "file";
  const auto file = save(*fixture.state->begin_snapshot(), path);
  const auto restored = std::make_shared<RestoredState>(OperatorId{7}, std::vector{file});

  stream::StateSpec other = counts_spec();
  other.value[0].type = DataType::integer();
  Fixture changed(MemoryBudget::kUnlimited, {0, kKeyGroups}, restored);
  CHECK_THROWS_AS(changed.state->keyed_table(other), Error);
  Fixture unclaimed(MemoryBudget::kUnlimited, {0, kKeyGroups}, restored);
  CHECK_THROWS_AS(unclaimed.state->finish_restore(false), Error);
  Fixture dropped(MemoryBudget::kUnlimited, {0, kKeyGroups}, restored);
  dropped.state->finish_restore(true);

  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 3);
  CHECK_THROWS_AS(StateFile{path}, Error);
}

}  // namespace thalweg::state
