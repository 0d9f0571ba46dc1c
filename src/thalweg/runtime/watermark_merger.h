#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "thalweg/types/batch.h"

namespace thalweg::runtime {

/// The watermark of a task over all its input channels: the lowest of those that are not idle
/// (Flink's StatusWatermarkValve, 2.3). Task thread only.
class WatermarkMerger {
 public:
  explicit WatermarkMerger(size_t channels) : channels_(channels) {}

  /// What a change of one channel means for the task.
  struct Change {
    std::optional<EventTime> watermark = std::nullopt;
    std::optional<bool> idle = std::nullopt;
  };

  /// Replaces the channel's marks by those where the combined watermark moves.
  void merge_marks(size_t channel, Batch& batch);
  Change advance(size_t channel, EventTime watermark);
  Change set_idle(size_t channel, bool idle);

  EventTime combined() const { return combined_; }

 private:
  struct Channel {
    EventTime watermark = kMinEventTime;
    bool idle = false;
  };

  bool all_idle() const;
  EventTime lowest_active() const;
  EventTime highest() const;
  std::optional<EventTime> raise(EventTime watermark);

  std::vector<Channel> channels_;
  EventTime combined_ = kMinEventTime;
};

}  // namespace thalweg::runtime
