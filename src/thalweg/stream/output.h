#pragma once

#include "thalweg/types/batch.h"

namespace thalweg::stream {

/// Where an operator sends its results: the next operator of its chain, or the channels of its
/// task. Used only on the task's thread. `emit` blocks while a channel is full and throws
/// kJobCancelled when the job ends meanwhile, so an operator may emit any number of batches in a
/// plain loop.
class Output {
 public:
  virtual ~Output() = default;

  /// Rows, with the marks that lie between them. Empty batches without marks are dropped.
  virtual void emit(Batch batch) = 0;

  /// No row with an event time at or before `watermark` will follow. Never goes back; repeats are
  /// dropped.
  virtual void emit_watermark(EventTime watermark) = 0;

  /// While idle, an input does not hold back the watermark downstream.
  virtual void emit_idle(bool idle) = 0;
};

}  // namespace thalweg::stream
