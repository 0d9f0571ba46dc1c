#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "thalweg/common/time.h"

namespace thalweg::runtime {

/// A lock and the news that what it guards has changed.
struct Monitor {
  std::mutex mutex;
  std::condition_variable changed;
};

using MonitorLock = std::unique_lock<std::mutex>;

/// How the threads of a job wait and which of them runs: freely, or one at a time with a baton.
/// Every wait of a job goes through here, so that a simulation sees all of them. Thread-safe; owned
/// by the job and outlives its threads.
class Scheduler {
 public:
  virtual ~Scheduler() = default;

  virtual ProcessingTime now() const = 0;

  /// Waits, with `lock` on the monitor's mutex, until it is notified or `deadline` has come. May
  /// return early: callers look again.
  virtual void wait(const std::shared_ptr<Monitor>& monitor,
                    MonitorLock& lock,
                    ProcessingTime deadline) = 0;
  /// As `wait`, for at most `ms` of real time.
  virtual void wait_briefly(const std::shared_ptr<Monitor>& monitor,
                            MonitorLock& lock,
                            int64_t ms) = 0;
  virtual void notify(Monitor& monitor) = 0;

  /// A place where a simulation may let another thread go on. No lock is held.
  virtual void pause_point() = 0;

  virtual std::thread start(std::string name, std::function<void()> body) = 0;
  /// Waits until a started thread has ended; called by another started thread.
  virtual void join(std::thread& thread) = 0;

  /// True when one thread runs at a time: sources must not wait on real time.
  virtual bool is_simulated() const { return false; }
};

/// Threads run freely; times are those of `clock`.
std::unique_ptr<Scheduler> make_thread_scheduler(std::shared_ptr<const Clock> clock);

/// Hears which thread has the baton, and when.
using OnTurn = std::function<void(const std::string& thread, ProcessingTime now)>;

/// One thread runs at a time, chosen by `seed`, which also makes some threads slow. The clock
/// starts at `start`, moves a little with every turn, and jumps when all wait.
std::unique_ptr<Scheduler> make_simulated_scheduler(uint64_t seed,
                                                    ProcessingTime start,
                                                    OnTurn on_turn);

}  // namespace thalweg::runtime
