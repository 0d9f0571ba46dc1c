#include "thalweg/operators/watermark/split_watermarks.h"

#include <algorithm>
#include <limits>

namespace thalweg::operators {

void SplitWatermarks::observe(const std::string* split, int64_t watermark_ms, ProcessingTime now) {
  const std::string name = split == nullptr ? std::string() : *split;
  auto [state, is_new] = splits_.try_emplace(name);
  state->second.latest_ms = watermark_ms;
  state->second.last_row = now;
  if (is_new) {
    state->second.sampled_ms = std::numeric_limits<int64_t>::min();
  }
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
