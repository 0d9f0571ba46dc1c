#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>

namespace thalweg {

/// A point in event time, or a watermark: milliseconds since the epoch. For TIMESTAMP columns the
/// wall clock is read as if it were UTC, for TIMESTAMP_LTZ it is an instant, as in Flink.
struct EventTime {
  int64_t ms = 0;

  auto operator<=>(const EventTime&) const = default;
};

/// "No watermark yet" and "no more rows will come": Flink's Long.MIN_VALUE and Long.MAX_VALUE.
inline constexpr EventTime kMinEventTime{std::numeric_limits<int64_t>::min()};
inline constexpr EventTime kMaxEventTime{std::numeric_limits<int64_t>::max()};

/// A point on the job's clock: milliseconds since the epoch.
struct ProcessingTime {
  int64_t ms = 0;

  auto operator<=>(const ProcessingTime&) const = default;
};

inline constexpr ProcessingTime kMaxProcessingTime{std::numeric_limits<int64_t>::max()};

/// Where processing time comes from: the system, or a test's hand. Operators read it through their
/// context only. Implementations are safe to call from any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual ProcessingTime now() const = 0;

  /// True when only a hand moves it: whoever waits for a time then waits for `watch` to call.
  virtual bool is_manual() const { return false; }

  /// Calls `moved` after each move by hand, until `unwatch` is given the number that is returned.
  virtual int64_t watch(std::function<void()> moved) const {
    static_cast<void>(moved);
    return 0;
  }

  virtual void unwatch(int64_t watcher) const { static_cast<void>(watcher); }
};

class SystemClock final : public Clock {
 public:
  ProcessingTime now() const override;
};

/// A clock that stands still until it is moved: for tests and test-stream programs. Thread-safe.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(ProcessingTime start = {}) : now_(start) {}

  ProcessingTime now() const override;

  bool is_manual() const override { return true; }

  int64_t watch(std::function<void()> moved) const override;
  void unwatch(int64_t watcher) const override;

  /// Never goes back.
  void advance_to(ProcessingTime time);
  void advance_by(int64_t ms);

 private:
  mutable std::mutex mutex_;
  ProcessingTime now_;
  mutable std::map<int64_t, std::function<void()>> watchers_;
  mutable int64_t next_watcher_ = 1;
};

}  // namespace thalweg
