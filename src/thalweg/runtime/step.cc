#include "thalweg/runtime/step.h"

namespace thalweg::runtime {

void StepOutput::emit(Batch batch) {
  inbox_.throw_if_cancelled();
  if (batch.row_count() == 0) {
    if (!batch.marks().empty()) {
      emit_watermark(batch.marks().back().watermark);
    }
    return;
  }
  rows_out_.add(batch.row_count());
  if (Tap* tap = tap_.attached()) [[unlikely]] {
    tap->record(batch, watermark_);
  }
  if (!batch.marks().empty()) {
    watermark_ = batch.marks().back().watermark;
  }
  next_.on_batch(std::move(batch), 0);
}

void StepOutput::emit_watermark(EventTime watermark) {
  if (watermark > watermark_) {
    watermark_ = watermark;
    next_.on_watermark(watermark);
  }
}

void StepOutput::emit_idle(bool idle) {
  if (idle != idle_) {
    idle_ = idle;
    next_.on_idle(idle);
  }
}

void EdgesStep::on_batch(Batch batch, int32_t input) {
  static_cast<void>(input);
  for (size_t i = 0; i + 1 < edges_.size(); ++i) {
    edges_[i].emit(batch);
  }
  if (!edges_.empty()) {
    edges_.back().emit(std::move(batch));
  }
}

void EdgesStep::on_watermark(EventTime watermark) {
  for (OutputEdge& edge : edges_) {
    edge.emit_watermark(watermark);
  }
}

void EdgesStep::on_idle(bool idle) {
  for (OutputEdge& edge : edges_) {
    edge.emit_idle(idle);
  }
}

void EdgesStep::on_input_end(int32_t input) {
  static_cast<void>(input);
  for (OutputEdge& edge : edges_) {
    edge.emit_end_of_data();
  }
}

void EdgesStep::emit_barrier(const Barrier& barrier) {
  for (OutputEdge& edge : edges_) {
    edge.emit_barrier(barrier);
  }
}

void EdgesStep::flush() {
  for (OutputEdge& edge : edges_) {
    edge.flush();
  }
}

void EdgesStep::close(bool clean) noexcept {
  for (OutputEdge& edge : edges_) {
    edge.close(clean);
  }
}

ProcessingTime EdgesStep::flush_deadline() const {
  ProcessingTime earliest = kMaxProcessingTime;
  for (const OutputEdge& edge : edges_) {
    earliest = std::min(earliest, edge.flush_deadline());
  }
  return earliest;
}

}  // namespace thalweg::runtime
