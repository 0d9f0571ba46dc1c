#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "thalweg/common/time.h"
#include "thalweg/runtime/job.h"

namespace thalweg::runtime {

/// Decides whether a failed job starts again and when, as Flink's restart strategies do. Master
/// thread only.
class RestartPolicy {
 public:
  explicit RestartPolicy(RestartStrategy strategy) : strategy_(strategy) {}

  /// The wait before the next attempt; nullopt when the job stays failed.
  std::optional<int64_t> on_failure(ProcessingTime now);

 private:
  std::optional<int64_t> on_failure_exponential(ProcessingTime now);

  RestartStrategy strategy_;
  int32_t failures_ = 0;
  int64_t backoff_ms_ = 0;
  ProcessingTime last_failure_{};
  std::deque<ProcessingTime> recent_;
};

}  // namespace thalweg::runtime
