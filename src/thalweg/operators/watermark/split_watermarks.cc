#include "thalweg/operators/watermark/split_watermarks.h"

#include <algorithm>
#include <limits>

namespace thalweg::operators {

SplitWatermarks::SplitState& SplitWatermarks::state_of(const std::string* split,
                                                       ProcessingTime now) {
  const std::string_view name = split == nullptr ? std::string_view() : *split;
  const auto known = splits_.find(name);
  if (known != splits_.end()) {
    return known->second;
  }
  SplitState& state = splits_[std::string(name)];
  state.last_row = now;
  return state;
}

void SplitWatermarks::announce(const std::string* split, ProcessingTime now) {
  state_of(split, now);
}

void SplitWatermarks::observe(const std::string* split, int64_t watermark_ms, ProcessingTime now) {
  SplitState& state = state_of(split, now);
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
