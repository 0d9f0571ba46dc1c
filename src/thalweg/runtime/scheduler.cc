#include "thalweg/runtime/scheduler.h"

#include <chrono>
#include <set>
#include <vector>

#include <pthread.h>

namespace thalweg::runtime {

namespace {

/// The longest name that Linux shows for a thread.
constexpr size_t kThreadNameSize = 15;

/// Waits in one place at most this long: a wall clock may be set while we sleep.
constexpr int64_t kLongestSleepMs = 10'000;

class ThreadScheduler final : public Scheduler {
 public:
  explicit ThreadScheduler(std::shared_ptr<const Clock> clock) : clock_(std::move(clock)) {
    if (clock_->is_manual()) {
      waiters_ = std::make_shared<Waiters>();
      watcher_ = clock_->watch([waiters = waiters_] { waiters->wake(); });
    }
  }

  ~ThreadScheduler() override {
    if (waiters_ != nullptr) {
      clock_->unwatch(watcher_);
    }
  }

  ProcessingTime now() const override { return clock_->now(); }

  void wait(const std::shared_ptr<Monitor>& monitor,
            MonitorLock& lock,
            ProcessingTime deadline) override {
    if (deadline == kMaxProcessingTime) {
      monitor->changed.wait(lock);
    } else if (waiters_ != nullptr) {
      wait_for_hand(monitor, lock, deadline);
    } else {
      const int64_t ms = std::min(deadline.ms - now().ms, kLongestSleepMs);
      if (ms > 0) {
        monitor->changed.wait_for(lock, std::chrono::milliseconds(ms));
      }
    }
  }

  void wait_briefly(const std::shared_ptr<Monitor>& monitor,
                    MonitorLock& lock,
                    int64_t ms) override {
    monitor->changed.wait_for(lock, std::chrono::milliseconds(ms));
  }

  void notify(Monitor& monitor) override { monitor.changed.notify_all(); }

  void pause_point() override {}

  std::thread start(std::string name, std::function<void()> body) override {
    return std::thread([name = std::move(name), body = std::move(body)] {
      pthread_setname_np(pthread_self(), name.substr(0, kThreadNameSize).c_str());
      body();
    });
  }

  void join(std::thread& thread) override { thread.join(); }

 private:
  /// The monitors on which someone waits for a time of a manual clock.
  struct Waiters {
    std::mutex mutex;
    std::multiset<std::shared_ptr<Monitor>> monitors;

    void wake() {
      std::vector<std::shared_ptr<Monitor>> waiting;
      {
        const std::lock_guard guard(mutex);
        waiting.assign(monitors.begin(), monitors.end());
      }
      for (const std::shared_ptr<Monitor>& monitor : waiting) {
        // The lock makes sure that whoever read the old time is waiting by now.
        const std::lock_guard guard(monitor->mutex);
        monitor->changed.notify_all();
      }
    }
  };

  void wait_for_hand(const std::shared_ptr<Monitor>& monitor,
                     MonitorLock& lock,
                     ProcessingTime deadline) {
    {
      const std::lock_guard guard(waiters_->mutex);
      waiters_->monitors.insert(monitor);
    }
    if (now() < deadline) {
      monitor->changed.wait(lock);
    }
    const std::lock_guard guard(waiters_->mutex);
    waiters_->monitors.erase(waiters_->monitors.find(monitor));
  }

  std::shared_ptr<const Clock> clock_;
  std::shared_ptr<Waiters> waiters_;
  int64_t watcher_ = 0;
};

}  // namespace

std::unique_ptr<Scheduler> make_thread_scheduler(std::shared_ptr<const Clock> clock) {
  return std::make_unique<ThreadScheduler>(std::move(clock));
}

}  // namespace thalweg::runtime
