#include "thalweg/runtime/watermark_merger.h"

namespace thalweg::runtime {

bool WatermarkMerger::all_idle() const {
  return std::all_of(
      channels_.begin(), channels_.end(), [](const Channel& channel) { return channel.idle; });
}

EventTime WatermarkMerger::lowest_active() const {
  EventTime lowest = kMaxEventTime;
  for (const Channel& channel : channels_) {
    if (!channel.idle) {
      lowest = std::min(lowest, channel.watermark);
    }
  }
  return lowest;
}

EventTime WatermarkMerger::highest() const {
  EventTime highest = kMinEventTime;
  for (const Channel& channel : channels_) {
    highest = std::max(highest, channel.watermark);
  }
  return highest;
}

std::optional<EventTime> WatermarkMerger::raise(EventTime watermark) {
  if (watermark <= combined_) {
    return std::nullopt;
  }
  combined_ = watermark;
  return watermark;
}

WatermarkMerger::Change WatermarkMerger::advance(size_t channel, EventTime watermark) {
  Channel& changed = channels_[channel];
  if (changed.idle || watermark <= changed.watermark) {
    return {};
  }
  changed.watermark = watermark;
  return {raise(lowest_active())};
}

WatermarkMerger::Change WatermarkMerger::set_idle(size_t channel, bool idle) {
  Channel& changed = channels_[channel];
  if (changed.idle == idle) {
    return {};
  }
  const bool were_all_idle = all_idle();
  changed.idle = idle;
  Change change;
  if (all_idle()) {
    // The last active channel held the others back no longer: what they reached counts now.
    if (changed.watermark == combined_) {
      change.watermark = raise(highest());
    }
    change.idle = true;
  } else {
    if (were_all_idle) {
      change.idle = false;
    }
    if (idle) {
      change.watermark = raise(lowest_active());
    }
  }
  return change;
}

void WatermarkMerger::merge_marks(size_t channel, Batch& batch) {
  if (batch.marks().empty()) {
    return;
  }
  Channel& own = channels_[channel];
  const bool decides_alone = channels_.size() == 1 && !own.idle;
  if (decides_alone && batch.marks().front().watermark > combined_) {
    own.watermark = batch.marks().back().watermark;
    combined_ = own.watermark;
    return;
  }
  std::vector<Mark> merged;
  merged.reserve(batch.marks().size());
  for (const Mark& mark : batch.marks()) {
    if (const std::optional<EventTime> raised = advance(channel, mark.watermark).watermark) {
      merged.push_back({mark.row, *raised});
    }
  }
  batch.set_marks(std::move(merged));
}

}  // namespace thalweg::runtime
