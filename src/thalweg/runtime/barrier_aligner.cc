#include "thalweg/runtime/barrier_aligner.h"

namespace thalweg::runtime {

void BarrierAligner::start(const Barrier& barrier) {
  current_ = barrier;
  for (Channel& channel : channels_) {
    channel.aligned = false;
  }
}

BarrierAligner::Decision BarrierAligner::decide(bool blocks) {
  const bool complete = std::all_of(channels_.begin(), channels_.end(), [](const Channel& channel) {
    return channel.closed || channel.aligned;
  });
  if (!complete) {
    return {.blocks = blocks};
  }
  Decision decision;
  decision.complete = current_;
  current_.reset();
  return decision;
}

BarrierAligner::Decision BarrierAligner::on_barrier(size_t channel, const Barrier& barrier) {
  if (barrier.checkpoint <= aborted_) {
    // Some sender may have given it up before it had it, and will never send it.
    return {};
  }
  bool gave_up = false;
  if (!current_ || current_->checkpoint != barrier.checkpoint) {
    gave_up = current_.has_value();
    start(barrier);
  }
  channels_[channel].aligned = true;
  Decision decision = decide(true);
  decision.unblocks_first = gave_up;
  return decision;
}

BarrierAligner::Decision BarrierAligner::on_closed(size_t channel) {
  channels_[channel].closed = true;
  return current_ ? decide(false) : Decision{};
}

BarrierAligner::Decision BarrierAligner::on_aborted(CheckpointId checkpoint) {
  aborted_ = std::max(aborted_, checkpoint);
  if (!current_ || current_->checkpoint != checkpoint) {
    return {};
  }
  current_.reset();
  return {.unblocks_first = true};
}

}  // namespace thalweg::runtime
