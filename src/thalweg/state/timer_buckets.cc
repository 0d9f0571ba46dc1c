#include "thalweg/state/timer_buckets.h"

#include <limits>

#include "thalweg/common/check.h"
#include "thalweg/state/keyed_table_impl.h"

namespace thalweg::state {

namespace {

// A log entry: slot, generation (live ones are odd), and its lowest bit: 1 for an addition, 0 for a
// removal.
constexpr uint64_t kAdds = 1;

stream::SlotId slot_of(uint64_t entry) {
  return static_cast<stream::SlotId>(entry >> 32U);
}

uint32_t generation_of(uint64_t entry) {
  return static_cast<uint32_t>(entry) | 1U;
}

}  // namespace

TimerBuckets::Log& TimerBuckets::writable_log(Bucket& bucket) {
  if (bucket.epoch != epoch_) {
    // A snapshot may still read the old one.
    bucket.log = std::make_shared<Log>(*bucket.log);
    bucket.epoch = epoch_;
  }
  return *bucket.log;
}

void TimerBuckets::append(int64_t time_ms, stream::SlotId slot, bool removes) {
  const uint32_t generation = table_.generation(slot);
  check((generation & 1U) != 0, "a timer of an erased record");
  const uint64_t entry =
      (uint64_t{slot} << 32U) | (generation & ~1U) | (removes ? uint64_t{0} : kAdds);
  const auto [found, made] = buckets_.try_emplace(time_ms);
  Bucket& bucket = found->second;
  if (made) {
    bucket.epoch = epoch_;
  }
  bucket.has_removals = bucket.has_removals || removes;
  Log& log = writable_log(bucket);
  log.push_back(entry);
  if (log.size() >= bucket.settle_at) {
    settle(log);
    bucket.settle_at = std::max<size_t>(64, log.size() * 2);
  }
}

void TimerBuckets::add(int64_t time_ms, stream::SlotId slot) {
  append(time_ms, slot, false);
}

void TimerBuckets::remove(int64_t time_ms, stream::SlotId slot) {
  const auto found = buckets_.find(time_ms);
  if (found == buckets_.end()) {
    return;
  }
  append(time_ms, slot, true);
  Log& log = *found->second.log;
  if (log.size() <= 16) {
    settle(log);
    if (log.empty()) {
      buckets_.erase(found);
    }
  }
}

void TimerBuckets::settle(Log& log) {
  std::stable_sort(log.begin(), log.end(), [](uint64_t left, uint64_t right) {
    return (left >> 1U) < (right >> 1U);
  });
  size_t kept = 0;
  for (size_t i = 0; i < log.size(); ++i) {
    const bool last = i + 1 == log.size() || (log[i] >> 1U) != (log[i + 1] >> 1U);
    if (last && (log[i] & 1U) == kAdds) {
      log[kept++] = log[i];
    }
  }
  log.resize(kept);
}

int64_t TimerBuckets::next_time() const {
  return buckets_.empty() ? std::numeric_limits<int64_t>::max() : buckets_.begin()->first;
}

bool TimerBuckets::pop_due(int64_t time_ms, std::vector<stream::Timer>& due) {
  due.clear();
  std::vector<stream::SlotId> slots;
  while (slots.empty() && !buckets_.empty() && buckets_.begin()->first <= time_ms) {
    const auto first = buckets_.begin();
    const int64_t time = first->first;
    if (first->second.has_removals) {
      settle(writable_log(first->second));
    }
    for (const uint64_t entry : *first->second.log) {
      if (table_.generation(slot_of(entry)) == generation_of(entry)) {
        slots.push_back(slot_of(entry));
      }
    }
    buckets_.erase(first);
    table_.sort_by_key(slots);
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    for (const stream::SlotId slot : slots) {
      due.push_back({time, slot});
    }
  }
  return !due.empty();
}

TimerBuckets::FrozenBuckets TimerBuckets::freeze() {
  ++epoch_;
  FrozenBuckets frozen;
  frozen.reserve(buckets_.size());
  for (const auto& [time, bucket] : buckets_) {
    frozen.emplace_back(time, bucket.log);
  }
  return frozen;
}

std::vector<TimerBuckets::Entry> TimerBuckets::settle(const FrozenBuckets& buckets) {
  std::vector<Entry> entries;
  for (const auto& [time, log] : buckets) {
    Log settled = *log;
    settle(settled);
    for (const uint64_t entry : settled) {
      entries.push_back({slot_of(entry), generation_of(entry), time});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& left, const Entry& right) {
    return std::tie(left.slot, left.time_ms) < std::tie(right.slot, right.time_ms);
  });
  return entries;
}

int64_t TimerBuckets::byte_size() const {
  int64_t bytes = 0;
  for (const auto& [time, bucket] : buckets_) {
    bytes += static_cast<int64_t>(bucket.log->capacity() * sizeof(uint64_t)) + 64;
  }
  return bytes;
}

}  // namespace thalweg::state
