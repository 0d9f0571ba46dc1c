#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "thalweg/state/state_file.h"
#include "thalweg/state/table_storage.h"
#include "thalweg/state/timer_buckets.h"

namespace thalweg::state {

/// One table as it was when the snapshot began. Written by one thread while the table goes on.
class TableSnapshot {
 public:
  struct Content {
    std::shared_ptr<TableStorage> storage;
    std::shared_ptr<FrozenStore> frozen;
    std::shared_ptr<FrozenTimers> event_timers;
    std::shared_ptr<FrozenTimers> processing_timers;
    int64_t now_ms = 0;
  };

  TableSnapshot(stream::StateSpec spec,
                std::shared_ptr<const OpaqueOperations> opaque,
                Content content);
  ~TableSnapshot();
  TableSnapshot(const TableSnapshot&) = delete;
  TableSnapshot& operator=(const TableSnapshot&) = delete;

  const stream::StateSpec& spec() const { return spec_; }

  /// Throws kCheckpointFailed when the table wants its next snapshot already.
  void write(StateFileWriter& writer);

 private:
  /// Entries of one key group that wait for their frame to fill.
  struct Group {
    uint32_t count = 0;
    std::string keys;
    std::string namespaces;
    std::string values;
  };

  struct TimerCursor {
    std::vector<FrozenTimers::Entry> entries;
    size_t next = 0;
  };

  /// What reading the objects of these records takes; see stream::BatchedStateObject.
  std::shared_ptr<void> hold_objects(const FrozenStore::Run& run,
                                     std::span<const size_t> live) const;
  void write_run(const FrozenStore::Run& run, StateFileWriter& writer);
  void write_entry(const FrozenStore::Run& run, size_t index, Group& group);
  void write_timers(TimerCursor& cursor, stream::SlotId slot, uint32_t generation, Group& group);
  void write_group(uint16_t number, Group& group, StateFileWriter& writer);
  std::vector<uint64_t> hash_keys(const FrozenStore::Run& run, std::span<const size_t> live);
  std::vector<size_t> live_records(const FrozenStore::Run& run) const;

  stream::StateSpec spec_;
  std::shared_ptr<const OpaqueOperations> opaque_;
  Content content_;
  std::vector<Group> groups_;
  TimerCursor event_timers_;
  TimerCursor processing_timers_;
};

/// The declared schema of a table, as a state file keeps it.
std::string describe_schema(const stream::StateSpec& spec);

}  // namespace thalweg::state
