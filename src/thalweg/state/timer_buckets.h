#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "thalweg/stream/state.h"

namespace thalweg::state {

class KeyedTableImpl;

/// Timers of one table in one bucket for each time. A bucket is a log of additions and removals
/// that is settled when it is due or has grown: windows add a million timers of one time at the
/// cost of appending. Task thread only.
class TimerBuckets final : public stream::KeyedTimers {
 public:
  explicit TimerBuckets(const KeyedTableImpl& table) : table_(table) {}

  void add(int64_t time_ms, stream::SlotId slot) override;
  void remove(int64_t time_ms, stream::SlotId slot) override;
  int64_t next_time() const override;
  bool pop_due(int64_t time_ms, std::vector<stream::Timer>& due) override;

  /// A timer by slot and generation, as in a snapshot.
  struct Entry {
    stream::SlotId slot = 0;
    uint32_t generation = 0;
    int64_t time_ms = 0;
  };

  /// Logs shared with a snapshot until this side writes to them.
  using Log = std::vector<uint64_t>;
  using FrozenBuckets = std::vector<std::pair<int64_t, std::shared_ptr<const Log>>>;

  FrozenBuckets freeze();
  /// The timers of frozen buckets that were not removed, by slot.
  static std::vector<Entry> settle(const FrozenBuckets& buckets);

  int64_t byte_size() const;

 private:
  struct Bucket {
    std::shared_ptr<Log> log = std::make_shared<Log>();
    /// Log size after which it is settled next.
    size_t settle_at = 64;
    uint32_t epoch = 0;
    bool has_removals = false;
  };

  void append(int64_t time_ms, stream::SlotId slot, bool removes);
  Log& writable_log(Bucket& bucket);
  static void settle(Log& log);

  const KeyedTableImpl& table_;
  std::map<int64_t, Bucket> buckets_;
  uint32_t epoch_ = 0;
};

}  // namespace thalweg::state
