#include "thalweg/runtime/restart_policy.h"

namespace thalweg::runtime {

std::optional<int64_t> RestartPolicy::on_failure(ProcessingTime now) {
  ++failures_;
  switch (strategy_.kind) {
    case RestartStrategy::Kind::kNone:
      return std::nullopt;
    case RestartStrategy::Kind::kFixedDelay:
      if (failures_ > strategy_.attempts) {
        return std::nullopt;
      }
      return strategy_.delay_ms;
    case RestartStrategy::Kind::kExponentialDelay:
      return on_failure_exponential(now);
    case RestartStrategy::Kind::kFailureRate:
      // At most `attempts` failures in each interval.
      while (!recent_.empty() && now.ms - recent_.front().ms > strategy_.interval_ms) {
        recent_.pop_front();
      }
      recent_.push_back(now);
      if (recent_.size() > static_cast<size_t>(std::max(0, strategy_.attempts))) {
        return std::nullopt;
      }
      return strategy_.delay_ms;
  }
  return std::nullopt;
}

std::optional<int64_t> RestartPolicy::on_failure_exponential(ProcessingTime now) {
  // Without an attempt limit (0) it goes on for ever, as Flink's default does.
  if (strategy_.attempts > 0 && failures_ > strategy_.attempts) {
    return std::nullopt;
  }
  const bool calm =
      backoff_ms_ > 0 && now.ms - last_failure_.ms > strategy_.interval_ms + backoff_ms_;
  if (backoff_ms_ == 0 || calm) {
    backoff_ms_ = strategy_.delay_ms;
    failures_ = 1;
  } else {
    // Flink's default multiplier, 1.5, in whole milliseconds.
    backoff_ms_ =
        std::min(backoff_ms_ + std::max<int64_t>(backoff_ms_ / 2, 1), strategy_.max_delay_ms);
  }
  last_failure_ = now;
  return backoff_ms_;
}

}  // namespace thalweg::runtime
