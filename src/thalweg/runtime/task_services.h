#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "thalweg/runtime/job.h"
#include "thalweg/runtime/message.h"
#include "thalweg/runtime/metric_registry.h"
#include "thalweg/runtime/scheduler.h"
#include "thalweg/runtime/tap.h"
#include "thalweg/state/operator_snapshot.h"
#include "thalweg/state/operator_state.h"

namespace thalweg::runtime {

/// One subtask of one vertex of the graph.
struct TaskId {
  uint32_t vertex = 0;
  int32_t subtask = 0;

  auto operator<=>(const TaskId&) const = default;
};

/// Bytes that a sink can commit, with the checkpoint that they belong to.
struct Committables {
  CheckpointId checkpoint;
  std::vector<std::string> items;
  /// Files that the items name. In a checkpoint they lie in its folder, before that in
  /// TaskServices::staging.
  std::vector<std::string> files = {};
};

/// A task's part of a checkpoint: frozen, to be written by another thread.
struct TaskSnapshot {
  TaskId task;
  /// The task had seen the end of its input: after a restore it only says so.
  bool finished = false;
  std::vector<std::pair<OperatorId, std::unique_ptr<state::OperatorSnapshot>>> operators = {};
  std::vector<stream::Split> splits = {};
  std::vector<Committables> committables = {};
};

/// How a task ended.
enum class TaskEnd : uint8_t { kFinished, kCancelled, kFailed };

/// What tasks tell the job. Thread-safe.
class TaskEvents {
 public:
  virtual ~TaskEvents() = default;
  /// The task is open and about to take its first input.
  virtual void task_running(TaskId task) = 0;
  /// All input was taken; the task waits for the final checkpoint.
  virtual void task_drained(TaskId task) = 0;
  /// The last thing that a task does.
  virtual void task_ended(TaskId task, TaskEnd end, std::optional<Error> error) = 0;
  virtual void checkpoint_taken(CheckpointId checkpoint, TaskSnapshot snapshot) = 0;
  virtual void probe_passed(TaskId task, uint64_t probe) = 0;
};

/// What all tasks of one attempt to run a job share; outlives them.
struct TaskServices {
  Scheduler& scheduler;
  TaskEvents& events;
  JobId job;
  const JobOptions& options;
  MemoryBudget& job_budget;
  const TapBoard& taps;
  /// The folder for files of committables until a checkpoint takes them along.
  std::filesystem::path staging;

  bool is_checkpointed() const { return options.checkpoint_interval_ms.has_value(); }

  void reached(HookPoint point, CheckpointId checkpoint) const {
    if (options.hook != nullptr) {
      options.hook->reached(point, checkpoint);
    }
  }
};

/// The visible side of one source, operator or sink on one subtask: outlives its task.
struct OperatorProbe {
  OperatorProbe(OperatorId id, const std::string& name, int32_t subtask, const TapBoard& taps)
      : metrics(id, name, subtask), tap(taps.point(id, subtask)) {}

  MetricRegistry metrics;
  TapPoint& tap;
};

/// What an earlier run left for one task.
struct RestoredTask {
  bool finished = false;
  std::vector<std::pair<OperatorId, std::shared_ptr<const state::RestoredState>>> operators = {};
  std::vector<stream::Split> splits = {};
  std::vector<Committables> committables = {};
  /// The checkpoint that they come from, and in which their files are.
  std::filesystem::path checkpoint = {};

  std::shared_ptr<const state::RestoredState> state_of(OperatorId id) const {
    for (const auto& [operator_id, restored] : operators) {
      if (operator_id == id) {
        return restored;
      }
    }
    return nullptr;
  }
};

}  // namespace thalweg::runtime
