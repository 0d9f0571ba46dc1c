#pragma once

#include <map>
#include <set>
#include <vector>

#include "thalweg/runtime/barrier_aligner.h"
#include "thalweg/runtime/task.h"
#include "thalweg/runtime/watermark_merger.h"

namespace thalweg::runtime {

/// A task fed by channels: merges their watermarks, aligns their barriers, ends when all have
/// ended.
class GateTask final : public Task {
 public:
  GateTask(TaskPlan plan, const TaskServices& services, Inbox& inbox);

  /// Before the task runs: what feeds `channel` has nothing to give yet.
  void assume_idle(size_t channel) { watermarks_.set_idle(channel, true); }

 protected:
  void take_one() override;
  void on_checkpoint_aborted(CheckpointId checkpoint) override;

 private:
  void on_message(size_t channel, Message message);
  void on_end_of_data(size_t channel);
  void on_closed(size_t channel, bool clean);
  /// Passes the probes that have come on all channels. They do not align: what comes behind one may
  /// be worked on before it.
  void pass_probes();
  void apply(const WatermarkMerger::Change& change);
  void apply(const BarrierAligner::Decision& decision, size_t channel);

  WatermarkMerger watermarks_;
  BarrierAligner aligner_;
  /// Channels of each input that may still give rows.
  std::vector<int32_t> open_channels_;
  size_t ended_ = 0;
  std::set<size_t> closed_;
  /// By number: the channels that a probe has come on.
  std::map<uint64_t, std::set<size_t>> probes_;
  bool unclean_ = false;
};

}  // namespace thalweg::runtime
