#pragma once

#include <memory>
#include <vector>

#include "thalweg/runtime/operator_step.h"
#include "thalweg/runtime/sink_step.h"
#include "thalweg/runtime/step.h"
#include "thalweg/runtime/task_services.h"

namespace thalweg::runtime {

/// The probes of one task, one for each of: its source, its operators, its sink.
struct TaskProbes {
  std::shared_ptr<OperatorProbe> source;
  std::vector<std::shared_ptr<OperatorProbe>> operators;
  std::shared_ptr<OperatorProbe> sink;

  static TaskProbes make(const Vertex& vertex, int32_t subtask, const TapBoard& taps);

  /// The watermark of a task that had finished before it was restored.
  void show_end_of_time() const;
};

/// What runs on one task's thread: operators one behind the other, then a sink or edges. Task
/// thread only.
class Chain {
 public:
  Chain(const Vertex& vertex,
        int32_t subtask,
        int32_t inputs,
        const TaskServices& services,
        const Inbox& inbox,
        MemoryBudget& task_budget,
        const TaskProbes& probes,
        const RestoredTask& restored,
        std::vector<OutputEdge> edges);

  /// From the last link to the first, as Flink does.
  void open(const RestoredTask& restored);
  void close();

  /// What the rows go into first.
  Step& head() { return *head_; }

  EdgesStep& edges() { return edges_; }

  ProcessingTime next_alarm() const;
  void run_due(ProcessingTime now);
  /// Sends on and writes what only waits for more rows.
  void flush();
  /// Commits what a restored checkpoint says, in a task whose input had ended before it.
  void commit_restored(const RestoredTask& restored);
  /// Sends on what operators hold back, then the barrier.
  void send_barrier(const Barrier& barrier);
  void fill_snapshot(CheckpointId checkpoint, TaskSnapshot& snapshot);
  void on_checkpoint_complete(CheckpointId checkpoint);

  const std::vector<std::unique_ptr<OperatorStep>>& operators() const { return operators_; }

 private:
  EdgesStep edges_;
  std::unique_ptr<SinkStep> sink_;
  /// In chain order.
  std::vector<std::unique_ptr<OperatorStep>> operators_;
  Step* head_;
};

}  // namespace thalweg::runtime
