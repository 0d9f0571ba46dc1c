#include "thalweg/runtime/sink_step.h"

#include <filesystem>

namespace thalweg::runtime {

SinkStep::SinkStep(const SinkNode& description,
                   int32_t subtask,
                   int32_t parallelism,
                   const TaskServices& services,
                   const Inbox& inbox,
                   OperatorProbe& probe)
    : subtask_(subtask),
      parallelism_(parallelism),
      services_(services),
      inbox_(inbox),
      probe_(probe),
      writer_(description.sink->create_writer()),
      rows_in_(probe.metrics.counter(stream::metric::kRowsIn)),
      watermark_gauge_(probe.metrics.gauge(stream::metric::kCurrentWatermark)) {
  watermark_gauge_.set(kMinEventTime.ms);
}

void SinkStep::open(const RestoredTask& restored) {
  restored_from_ = restored.checkpoint;
  writer_->open(*this);
  for (const Committables& committables : restored.committables) {
    commit(committables);
  }
}

std::string SinkStep::new_staged_file() {
  std::filesystem::create_directories(services_.staging);
  staged_.push_back(JobId::random().to_string() + ".staged");
  return staged_.back();
}

std::string SinkStep::staged_path(const std::string& name) const {
  const std::filesystem::path own = services_.staging / name;
  const bool is_own = restored_from_.empty() || std::filesystem::exists(own) ||
                      std::find(staged_.begin(), staged_.end(), name) != staged_.end();
  return is_own ? own : restored_from_ / name;
}

void SinkStep::close() {
  writer_->close();
}

void SinkStep::commit(const Committables& committables) {
  if (committables.items.empty()) {
    return;
  }
  services_.reached(HookPoint::kBeforeCommit, committables.checkpoint);
  writer_->commit(committables.checkpoint, committables.items);
  services_.reached(HookPoint::kAfterCommit, committables.checkpoint);
}

std::vector<Committables> SinkStep::snapshot(CheckpointId checkpoint) {
  std::vector<std::string> items = writer_->prepare_commit(checkpoint);
  if (!items.empty()) {
    pending_.push_back({checkpoint, std::move(items), std::exchange(staged_, {})});
  }
  return pending_;
}

void SinkStep::on_checkpoint_complete(CheckpointId checkpoint) {
  const auto done = [checkpoint](const Committables& committables) {
    return committables.checkpoint <= checkpoint;
  };
  for (const Committables& committables : pending_) {
    if (done(committables)) {
      commit(committables);
      for (const std::string& file : committables.files) {
        std::error_code ignored;
        std::filesystem::remove(services_.staging / file, ignored);
      }
    }
  }
  std::erase_if(pending_, done);
}

void SinkStep::on_batch(Batch batch, int32_t input) {
  static_cast<void>(input);
  rows_in_.add(batch.row_count());
  if (Tap* tap = probe_.tap.attached()) [[unlikely]] {
    tap->record(batch, watermark_);
  }
  writer_->write(batch);
  if (!batch.marks().empty()) {
    watermark_ = batch.marks().back().watermark;
    watermark_gauge_.set(watermark_.ms);
  }
}

void SinkStep::on_watermark(EventTime watermark) {
  watermark_ = watermark;
  watermark_gauge_.set(watermark.ms);
}

void SinkStep::on_idle(bool idle) {
  static_cast<void>(idle);
}

void SinkStep::on_input_end(int32_t input) {
  static_cast<void>(input);
  // A sink that promises nothing at checkpoints still loses nothing at a regular end.
  writer_->flush();
  if (services_.is_checkpointed()) {
    return;  // the final checkpoint commits
  }
  constexpr CheckpointId kNoCheckpoint{0};
  snapshot(kNoCheckpoint);
  on_checkpoint_complete({~uint64_t{0}});
}

}  // namespace thalweg::runtime
