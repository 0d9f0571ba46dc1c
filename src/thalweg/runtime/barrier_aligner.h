#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "thalweg/runtime/message.h"

namespace thalweg::runtime {

/// Decides when a barrier has come on all channels of a task. Task thread only.
class BarrierAligner {
 public:
  explicit BarrierAligner(size_t channels) : channels_(channels) {}

  /// What to do after a barrier came or a channel closed.
  struct Decision {
    /// An older barrier was given up: let its channels go on.
    bool unblocks_first = false;
    /// Block the channel that the barrier came on.
    bool blocks = false;
    /// All channels have it: pass it and let all go on.
    std::optional<Barrier> complete = std::nullopt;
  };

  Decision on_barrier(size_t channel, const Barrier& barrier);
  Decision on_closed(size_t channel);
  /// The coordinator gave the checkpoint up. It has one under way at a time, so earlier ones are
  /// over too: their barriers mean nothing any more.
  Decision on_aborted(CheckpointId checkpoint);

 private:
  struct Channel {
    bool closed = false;
    bool aligned = false;
  };

  void start(const Barrier& barrier);
  Decision decide(bool blocks);

  std::vector<Channel> channels_;
  std::optional<Barrier> current_;
  /// The last one that was given up; checkpoints count from 1.
  CheckpointId aborted_;
};

}  // namespace thalweg::runtime
