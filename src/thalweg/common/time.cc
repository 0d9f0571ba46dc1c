#include "thalweg/common/time.h"

#include <chrono>

namespace thalweg {

ProcessingTime SystemClock::now() const {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count()};
}

ProcessingTime ManualClock::now() const {
  const std::lock_guard lock(mutex_);
  return now_;
}

int64_t ManualClock::watch(std::function<void()> moved) const {
  const std::lock_guard lock(mutex_);
  watchers_.emplace(next_watcher_, std::move(moved));
  return next_watcher_++;
}

void ManualClock::unwatch(int64_t watcher) const {
  const std::lock_guard lock(mutex_);
  watchers_.erase(watcher);
}

void ManualClock::advance_to(ProcessingTime time) {
  std::map<int64_t, std::function<void()>> watchers;
  {
    const std::lock_guard lock(mutex_);
    if (time <= now_) {
      return;
    }
    now_ = time;
    watchers = watchers_;
  }
  // Outside the lock: a watcher reads the clock. It must bear a call that comes just after unwatch.
  for (const auto& [number, moved] : watchers) {
    moved();
  }
}

void ManualClock::advance_by(int64_t ms) {
  advance_to({now().ms + ms});
}

}  // namespace thalweg
