#include "thalweg/operators/watermark/split_watermarks.h"

#include <algorithm>
#include <limits>

namespace thalweg::operators {

SplitWatermarks::SplitState& SplitWatermarks::state_of(std::string_view name, ProcessingTime now) {
  const auto known = splits_.find(name);
  if (known != splits_.end()) {
    return known->second;
  }
  SplitState& state = splits_[std::string(name)];
  state.last_row = now;
  return state;
}

void SplitWatermarks::announce(std::string_view split, ProcessingTime now) {
  state_of(split, now);
}

void SplitWatermarks::remove(std::string_view split) {
  const auto known = splits_.find(split);
  if (known != splits_.end()) {
    splits_.erase(known);
  }
}

void SplitWatermarks::observe(const std::string* split, int64_t watermark_ms, ProcessingTime now) {
  SplitState& state = state_of(split == nullptr ? std::string_view() : *split, now);
  state.latest_ms = watermark_ms;
  state.last_row = now;
}

int64_t SplitWatermarks::sample(ProcessingTime now, int64_t idle_timeout_ms) {
  constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  int64_t minimum = kNone;
  for (auto& [name, state] : splits_) {
    state.sampled_ms = std::max(state.sampled_ms, state.latest_ms);
    if (idle_timeout_ms == 0 || now.ms - state.last_row.ms <= idle_timeout_ms) {
      minimum = std::min(minimum, state.sampled_ms);
    }
  }
  return minimum == kNone ? std::numeric_limits<int64_t>::min() : minimum;
}

}  // namespace thalweg::operators
