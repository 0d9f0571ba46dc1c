#pragma once

#include <compare>
#include <cstdint>
#include <limits>

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
};

class SystemClock final : public Clock {
 public:
  ProcessingTime now() const override;
};

}  // namespace thalweg
