#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "thalweg/stream/state.h"

namespace thalweg::state {

class KeyedTableImpl;

/// The timers of one time: a log of additions and removals that is settled when it is due or has
/// grown. Windows add a million timers of one time at the cost of appending.
struct TimerBucket {
  /// As timer_buckets.cc packs them.
  std::vector<uint64_t> log;
  /// Log size after which it is settled next.
  size_t settle_at = 64;
  bool has_removals = false;
};

using TimerMap = std::map<int64_t, TimerBucket>;

/// The timers of one table as they were when a snapshot began. The table leaves them as they are
/// until the snapshot's thread says `finish`.
class FrozenTimers {
 public:
  explicit FrozenTimers(TimerMap buckets) : buckets_(std::move(buckets)) {}

  /// A timer by slot and generation, as in a snapshot.
  struct Entry {
    stream::SlotId slot = 0;
    uint32_t generation = 0;
    int64_t time_ms = 0;
  };

  /// Those that were not removed, by slot.
  std::vector<Entry> settled() const;

  const TimerMap& buckets() const { return buckets_; }

  /// Table's side, once it is finished.
  TimerMap take() { return std::move(buckets_); }

  /// The snapshot needs nothing more.
  void finish() { finished_.store(true, std::memory_order_release); }

  bool is_finished() const { return finished_.load(std::memory_order_acquire); }

 private:
  TimerMap buckets_;
  std::atomic<bool> finished_{false};
};

/// Timers of one table in one bucket for each time. A snapshot takes all buckets as they are; what
/// comes while it reads them is kept apart and put to them afterwards. Task thread only.
class TimerBuckets final : public stream::KeyedTimers {
 public:
  explicit TimerBuckets(const KeyedTableImpl& table) : table_(table) {}

  void add(int64_t time_ms, stream::SlotId slot) override;
  void remove(int64_t time_ms, stream::SlotId slot) override;
  int64_t next_time() const override;
  bool may_have(int64_t time_ms) const override;
  bool pop_due(int64_t time_ms, std::vector<stream::Timer>& due) override;

  /// The snapshot before must be finished.
  std::shared_ptr<FrozenTimers> freeze();

  int64_t byte_size() const;

 private:
  void append(int64_t time_ms, stream::SlotId slot, bool removes);
  /// Puts what came during a snapshot to the rest, when it is finished.
  void thaw_if_finished();
  /// The log of the earliest time, which is taken away.
  std::vector<uint64_t> take_first();
  bool is_frozen(int64_t time_ms) const;
  /// A timer may be of the last time there is, which `next_time` gives for none too.
  bool has_timers() const;

  const KeyedTableImpl& table_;
  TimerMap buckets_;
  /// While a snapshot reads: the buckets from before it, and the first that is not due yet.
  std::shared_ptr<FrozenTimers> frozen_;
  TimerMap::const_iterator frozen_next_;
};

}  // namespace thalweg::state
