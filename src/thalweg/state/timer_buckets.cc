#include "thalweg/state/timer_buckets.h"

#include <limits>

#include "thalweg/common/check.h"
#include "thalweg/state/keyed_table_impl.h"

namespace thalweg::state {

namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// A log entry: slot, generation (live ones are odd), and its lowest bit: 1 for an addition, 0 for a
// removal.
constexpr uint64_t kAdds = 1;

stream::SlotId slot_of(uint64_t entry) {
  return static_cast<stream::SlotId>(entry >> 32U);
}

uint32_t generation_of(uint64_t entry) {
  return static_cast<uint32_t>(entry) | 1U;
}

/// Leaves one addition for each timer that was added last and not removed.
void settle(std::vector<uint64_t>& log) {
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

int64_t size_of(const TimerMap& buckets) {
  int64_t bytes = 0;
  for (const auto& [time, bucket] : buckets) {
    bytes += static_cast<int64_t>(bucket.log.capacity() * sizeof(uint64_t)) + 64;
  }
  return bytes;
}

}  // namespace

std::vector<FrozenTimers::Entry> FrozenTimers::settled() const {
  std::vector<Entry> entries;
  for (const auto& [time, bucket] : buckets_) {
    std::vector<uint64_t> log = bucket.log;
    settle(log);
    for (const uint64_t entry : log) {
      entries.push_back({slot_of(entry), generation_of(entry), time});
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& left, const Entry& right) {
    return std::tie(left.slot, left.time_ms) < std::tie(right.slot, right.time_ms);
  });
  return entries;
}

void TimerBuckets::append(int64_t time_ms, stream::SlotId slot, bool removes) {
  const uint32_t generation = table_.generation(slot);
  check((generation & 1U) != 0, "a timer of an erased record");
  TimerBucket& bucket = buckets_[time_ms];
  bucket.has_removals = bucket.has_removals || removes;
  bucket.log.push_back((uint64_t{slot} << 32U) | (generation & ~1U) |
                       (removes ? uint64_t{0} : kAdds));
  // A removal may be of a timer in the frozen part, so it must not be settled away.
  if (bucket.log.size() >= bucket.settle_at && !is_frozen(time_ms)) {
    const auto records = static_cast<size_t>(table_.size());
    if (bucket.has_removals || bucket.log.size() > 2 * records) {
      settle(bucket.log);
      bucket.has_removals = false;
    }
    bucket.settle_at = std::max<size_t>(64, bucket.log.size() * 2);
  }
}

void TimerBuckets::add(int64_t time_ms, stream::SlotId slot) {
  thaw_if_finished();
  append(time_ms, slot, false);
}

void TimerBuckets::remove(int64_t time_ms, stream::SlotId slot) {
  thaw_if_finished();
  if (is_frozen(time_ms)) {
    append(time_ms, slot, true);
    return;
  }
  const auto found = buckets_.find(time_ms);
  if (found == buckets_.end()) {
    return;
  }
  append(time_ms, slot, true);
  std::vector<uint64_t>& log = found->second.log;
  if (log.size() <= 16) {
    settle(log);
    if (log.empty()) {
      buckets_.erase(found);
    }
  }
}

bool TimerBuckets::is_frozen(int64_t time_ms) const {
  return frozen_ != nullptr && frozen_next_ != frozen_->buckets().end() &&
         time_ms >= frozen_next_->first && frozen_->buckets().contains(time_ms);
}

bool TimerBuckets::has_timers() const {
  return !buckets_.empty() || (frozen_ != nullptr && frozen_next_ != frozen_->buckets().end());
}

int64_t TimerBuckets::next_time() const {
  const int64_t own = buckets_.empty() ? kNever : buckets_.begin()->first;
  return frozen_ == nullptr || frozen_next_ == frozen_->buckets().end()
             ? own
             : std::min(own, frozen_next_->first);
}

bool TimerBuckets::may_have(int64_t time_ms) const {
  return buckets_.contains(time_ms) || is_frozen(time_ms);
}

std::vector<uint64_t> TimerBuckets::take_first() {
  const int64_t time = next_time();
  std::vector<uint64_t> log;
  bool has_removals = false;
  if (is_frozen(time)) {
    log = frozen_next_->second.log;
    has_removals = frozen_next_->second.has_removals;
    ++frozen_next_;
  }
  if (const auto own = buckets_.find(time); own != buckets_.end()) {
    has_removals = has_removals || own->second.has_removals;
    if (log.empty()) {
      log = std::move(own->second.log);
    } else {
      log.insert(log.end(), own->second.log.begin(), own->second.log.end());
    }
    buckets_.erase(own);
  }
  if (has_removals) {
    settle(log);
  }
  return log;
}

bool TimerBuckets::pop_due(int64_t time_ms, std::vector<stream::Timer>& due) {
  thaw_if_finished();
  due.clear();
  std::vector<stream::SlotId> slots;
  while (slots.empty() && has_timers() && next_time() <= time_ms) {
    const int64_t time = next_time();
    for (const uint64_t entry : take_first()) {
      if (table_.generation(slot_of(entry)) == generation_of(entry)) {
        slots.push_back(slot_of(entry));
      }
    }
    table_.sort_by_key(slots);
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    for (const stream::SlotId slot : slots) {
      due.push_back({time, slot});
    }
  }
  return !due.empty();
}

std::shared_ptr<FrozenTimers> TimerBuckets::freeze() {
  thaw_if_finished();
  check(frozen_ == nullptr, "timers are frozen twice");
  frozen_ = std::make_shared<FrozenTimers>(std::exchange(buckets_, {}));
  frozen_next_ = frozen_->buckets().begin();
  return frozen_;
}

void TimerBuckets::thaw_if_finished() {
  if (frozen_ == nullptr || !frozen_->is_finished()) {
    return;
  }
  const std::optional<int64_t> first_left =
      frozen_next_ == frozen_->buckets().end() ? std::nullopt : std::optional(frozen_next_->first);
  TimerMap all = frozen_->take();
  frozen_.reset();
  all.erase(all.begin(), first_left ? all.find(*first_left) : all.end());
  for (auto& [time, bucket] : buckets_) {
    TimerBucket& into = all[time];
    into.log.insert(into.log.end(), bucket.log.begin(), bucket.log.end());
    into.has_removals = into.has_removals || bucket.has_removals;
  }
  buckets_ = std::move(all);
}

int64_t TimerBuckets::byte_size() const {
  return size_of(buckets_) + (frozen_ == nullptr ? 0 : size_of(frozen_->buckets()));
}

}  // namespace thalweg::state
