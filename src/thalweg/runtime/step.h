#pragma once

#include <string>
#include <vector>

#include "thalweg/runtime/message.h"
#include "thalweg/runtime/output_edge.h"
#include "thalweg/runtime/tap.h"
#include "thalweg/stream/metrics.h"
#include "thalweg/stream/output.h"

namespace thalweg::runtime {

/// One link of a chain as seen from the link before it: an operator, a sink, or the edges that
/// leave the task. Task thread only.
class Step {
 public:
  virtual ~Step() = default;
  virtual void on_batch(Batch batch, int32_t input) = 0;
  virtual void on_watermark(EventTime watermark) = 0;
  virtual void on_idle(bool idle) = 0;
  virtual void on_input_end(int32_t input) = 0;

  /// See stream::Operator; ends where the chain does.
  virtual void on_split(const std::string& split, bool ended) {
    static_cast<void>(split);
    static_cast<void>(ended);
  }
};

/// Hands what one operator emits to the next step, counts it, and shows it to a tap. Here a cancel
/// reaches an operator that works on one batch for long.
class StepOutput final : public stream::Output {
 public:
  StepOutput(const Inbox& inbox, Step& next, stream::Counter& rows_out, TapPoint& tap)
      : inbox_(inbox), next_(next), rows_out_(rows_out), tap_(tap) {}

  void emit(Batch batch) override;
  void emit_watermark(EventTime watermark) override;
  void emit_idle(bool idle) override;

  void emit_end() { next_.on_input_end(0); }

  void emit_split(const std::string& split, bool ended) { next_.on_split(split, ended); }

 private:
  const Inbox& inbox_;
  Step& next_;
  stream::Counter& rows_out_;
  TapPoint& tap_;
  EventTime watermark_ = kMinEventTime;
  bool idle_ = false;
};

/// The end of a chain: every edge that leaves the task gets all of it.
class EdgesStep final : public Step {
 public:
  explicit EdgesStep(std::vector<OutputEdge> edges) : edges_(std::move(edges)) {}

  void on_batch(Batch batch, int32_t input) override;
  void on_watermark(EventTime watermark) override;
  void on_idle(bool idle) override;
  void on_input_end(int32_t input) override;

  void emit_barrier(const Barrier& barrier);
  void flush();
  void close(bool clean) noexcept;
  ProcessingTime flush_deadline() const;

 private:
  std::vector<OutputEdge> edges_;
};

}  // namespace thalweg::runtime
