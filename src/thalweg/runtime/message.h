#pragma once

#include <cstdint>
#include <utility>

#include "thalweg/common/ids.h"
#include "thalweg/types/batch.h"

namespace thalweg::runtime {

/// What a barrier asks of the tasks that it passes.
struct Barrier {
  CheckpointId checkpoint;
  /// A savepoint: kept until the user removes it.
  bool is_savepoint = false;
  /// Sources give no more rows after it (stop with savepoint).
  bool stops = false;
  /// With `stops`: sources end their output before it, as at the end of their input.
  bool drains = false;
  /// Takes no snapshot: sources send it when they have nothing more to give, so all that was there
  /// has been worked on once every task has seen it.
  bool is_probe = false;
};

/// What travels in a channel, in order.
struct Message {
  enum class Kind : uint8_t {
    kBatch,
    kWatermark,
    kIdle,
    kBarrier,
    /// No more rows; barriers may still come until the final checkpoint.
    kEndOfData,
    /// The sender is gone. Not `clean`: it failed or was cancelled before its end of data.
    kClosed,
  };

  Kind kind = Kind::kBatch;
  bool idle = false;
  bool clean = true;
  Barrier barrier = {};
  EventTime watermark = kMinEventTime;
  Batch batch = {};

  static Message of(Batch batch) {
    Message message;
    message.batch = std::move(batch);
    return message;
  }

  static Message of(EventTime watermark) {
    Message message;
    message.kind = Kind::kWatermark;
    message.watermark = watermark;
    return message;
  }

  static Message of(const Barrier& barrier) {
    Message message;
    message.kind = Kind::kBarrier;
    message.barrier = barrier;
    return message;
  }

  static Message idleness(bool idle) {
    Message message;
    message.kind = Kind::kIdle;
    message.idle = idle;
    return message;
  }

  static Message end_of_data() {
    Message message;
    message.kind = Kind::kEndOfData;
    return message;
  }

  static Message closed(bool clean) {
    Message message;
    message.kind = Kind::kClosed;
    message.clean = clean;
    return message;
  }
};

}  // namespace thalweg::runtime
