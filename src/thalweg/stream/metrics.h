#pragma once

#include <atomic>
#include <cstdint>

namespace thalweg::stream {

/// A number that one task thread changes and any thread may read.
class Counter {
 public:
  void add(int64_t by = 1) {
    value_.store(value_.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }

  int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

class Gauge {
 public:
  void set(int64_t value) { value_.store(value, std::memory_order_relaxed); }

  int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_{0};
};

/// Names of metrics that the runtime, the summaries and the inspector look for.
namespace metric {
inline constexpr const char* kRowsIn = "numRecordsIn";
inline constexpr const char* kRowsOut = "numRecordsOut";
inline constexpr const char* kLateRows = "numLateRecordsDropped";
inline constexpr const char* kBadRecords = "numRecordsInErrors";
inline constexpr const char* kFilteredRows = "numRecordsFiltered";
inline constexpr const char* kCurrentWatermark = "currentInputWatermark";
inline constexpr const char* kNextWindowEnd = "nextWindowEnd";
inline constexpr const char* kDroppedAtEnd = "numProcTimeRowsDroppedAtEnd";
}  // namespace metric

}  // namespace thalweg::stream
