#pragma once

#include <memory>
#include <vector>

#include "thalweg/runtime/step.h"
#include "thalweg/runtime/task_services.h"
#include "thalweg/stream/sink.h"

namespace thalweg::runtime {

/// The end of a chain that writes: rows to the writer, committables into checkpoints, commits when
/// they are complete. Owned by the chain, task thread only.
class SinkStep final : public Step, public stream::WriterContext {
 public:
  SinkStep(const SinkNode& description,
           int32_t subtask,
           int32_t parallelism,
           const TaskServices& services,
           const Inbox& inbox,
           OperatorProbe& probe);

  /// Opens the writer and commits again what the restored checkpoint says.
  void open(const RestoredTask& restored);
  void close();

  void flush() { writer_->flush(); }

  /// Everything that was written and not committed yet, with what `barrier` adds.
  std::vector<Committables> snapshot(CheckpointId checkpoint);
  void on_checkpoint_complete(CheckpointId checkpoint);

  // Step
  void on_batch(Batch batch, int32_t input) override;
  void on_watermark(EventTime watermark) override;
  void on_idle(bool idle) override;
  void on_input_end(int32_t input) override;

  // WriterContext
  const JobId& job() const override { return services_.job; }

  int32_t subtask() const override { return subtask_; }

  int32_t parallelism() const override { return parallelism_; }

  ProcessingTime now() const override { return services_.scheduler.now(); }

  EventTime current_watermark() const override { return watermark_; }

  stream::Counter& counter(const std::string& name) override {
    return probe_.metrics.counter(name);
  }

  bool is_checkpointed() const override { return services_.is_checkpointed(); }

  bool is_cancelled() const override { return inbox_.is_cancelled(); }

  std::string new_staged_file() override;
  std::string staged_path(const std::string& name) const override;

 private:
  void commit(const Committables& committables);

  int32_t subtask_;
  int32_t parallelism_;
  const TaskServices& services_;
  const Inbox& inbox_;
  OperatorProbe& probe_;
  std::unique_ptr<stream::SinkWriter> writer_;
  stream::Counter& rows_in_;
  stream::Gauge& watermark_gauge_;
  EventTime watermark_ = kMinEventTime;
  std::vector<Committables> pending_;
  /// Files that the next committables may name.
  std::vector<std::string> staged_;
  std::filesystem::path restored_from_;
};

}  // namespace thalweg::runtime
