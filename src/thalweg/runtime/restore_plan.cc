#include "thalweg/runtime/restore_plan.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/state/restored_state.h"

namespace thalweg::runtime {

namespace {

/// The records of the tasks that ran one operator.
std::vector<const TaskRecord*> records_of(const CheckpointManifest& manifest, OperatorId id) {
  std::vector<const TaskRecord*> records;
  for (const TaskRecord& task : manifest.tasks) {
    if (std::find(task.operators.begin(), task.operators.end(), id) != task.operators.end()) {
      records.push_back(&task);
    }
  }
  return records;
}

bool was_finished(const std::vector<const TaskRecord*>& records,
                  int32_t subtask,
                  int32_t parallelism) {
  const bool all = std::all_of(
      records.begin(), records.end(), [](const TaskRecord* task) { return task->finished; });
  if (all || records.empty()) {
    return !records.empty();
  }
  return std::any_of(records.begin(), records.end(), [=](const TaskRecord* task) {
    return task->finished && task->task.subtask == subtask && task->parallelism == parallelism;
  });
}

/// Whether the checkpoint saw this whole task at its end.
bool was_finished(const CheckpointManifest& manifest, const Vertex& vertex, int32_t subtask) {
  bool finished = true;
  const auto look = [&](OperatorId id) {
    finished = finished && was_finished(records_of(manifest, id), subtask, vertex.parallelism);
  };
  if (vertex.source) {
    look(vertex.source->id);
  }
  for (const ChainedOperator& one : vertex.operators) {
    look(one.id);
  }
  if (vertex.sink) {
    look(vertex.sink->id);
  }
  return finished;
}

class Dealer {
 public:
  Dealer(const JobGraph& graph, const StoredCheckpoint& checkpoint)
      : graph_(graph), checkpoint_(checkpoint) {
    for (const auto& file : checkpoint.files) {
      for (const OperatorId id : state::operators_in(*file)) {
        files_[id].push_back(file);
      }
    }
  }

  RestoredTasks deal() {
    for (const Vertex& vertex : graph_.vertices) {
      for (int32_t subtask = 0; subtask < vertex.parallelism; ++subtask) {
        deal_task(vertex, subtask);
      }
      if (vertex.source) {
        deal_splits(vertex);
      }
      if (vertex.sink) {
        deal_committables(vertex);
      }
    }
    return std::move(tasks_);
  }

  void refuse_unused() const {
    for (const OperatorRecord& one : checkpoint_.manifest.operators) {
      if (has_unused(one.id)) {
        throw Error(ErrorCode::kRestoreFailed,
                    fmt::format("Checkpoint '{}' holds state of operator '{}' that the job does "
                                "not have",
                                checkpoint_.path.string(),
                                one.name))
            .hint(
                "resume with the statements that it was taken with, or allow state to be dropped "
                "('execution.state-recovery.ignore-unclaimed-state')");
      }
    }
  }

 private:
  /// Whether something of this operator was dealt to nobody.
  bool has_unused(OperatorId id) const {
    if (files_.contains(id) && !with_state_.contains(id)) {
      return true;
    }
    const auto records = records_of(checkpoint_.manifest, id);
    return std::any_of(records.begin(), records.end(), [this, id](const TaskRecord* task) {
      const bool is_source = task->operators.front() == id && !task->splits.empty();
      const bool is_sink = task->operators.back() == id && !task->committables.empty();
      return (is_source && !with_splits_.contains(id)) ||
             (is_sink && !with_committables_.contains(id));
    });
  }

  void deal_task(const Vertex& vertex, int32_t subtask) {
    RestoredTask& task = tasks_[{vertex.id, subtask}];
    task.finished = was_finished(checkpoint_.manifest, vertex, subtask);
    for (const ChainedOperator& one : vertex.operators) {
      with_state_.insert(one.id);
      if (const auto found = files_.find(one.id); found != files_.end()) {
        task.operators.emplace_back(
            one.id, std::make_shared<const state::RestoredState>(one.id, found->second));
      }
    }
  }

  /// Calls `give(record, subtask, next)` for each item of the operator's tasks, in turn; at the
  /// same parallelism everything stays where it was.
  int32_t target_of(const TaskRecord& record, int32_t parallelism, size_t index) const {
    return record.parallelism == parallelism
               ? record.task.subtask
               : static_cast<int32_t>(index % static_cast<size_t>(parallelism));
  }

  void deal_splits(const Vertex& vertex) {
    with_splits_.insert(vertex.source->id);
    size_t index = 0;
    for (const TaskRecord* record : records_of(checkpoint_.manifest, vertex.source->id)) {
      for (const stream::Split& split : record->splits) {
        const int32_t target = target_of(*record, vertex.parallelism, index++);
        tasks_[{vertex.id, target}].splits.push_back(split);
      }
    }
  }

  void deal_committables(const Vertex& vertex) {
    with_committables_.insert(vertex.sink->id);
    size_t index = 0;
    for (const TaskRecord* record : records_of(checkpoint_.manifest, vertex.sink->id)) {
      for (const Committables& committables : record->committables) {
        const int32_t target = target_of(*record, vertex.parallelism, index++);
        RestoredTask& task = tasks_[{vertex.id, target}];
        task.committables.push_back(committables);
        task.checkpoint = checkpoint_.path;
      }
    }
  }

  const JobGraph& graph_;
  const StoredCheckpoint& checkpoint_;
  std::map<OperatorId, std::vector<std::shared_ptr<const state::StateFile>>> files_;
  /// Operators that were asked for each kind of thing.
  std::set<OperatorId> with_state_;
  std::set<OperatorId> with_splits_;
  std::set<OperatorId> with_committables_;
  RestoredTasks tasks_;
};

}  // namespace

RestoredTasks plan_restore(const JobGraph& graph,
                           const StoredCheckpoint& checkpoint,
                           bool allow_unused) {
  Dealer dealer(graph, checkpoint);
  RestoredTasks tasks = dealer.deal();
  if (!allow_unused) {
    dealer.refuse_unused();
  }
  return tasks;
}

std::map<uint32_t, SplitAssigner> plan_splits(const JobGraph& graph,
                                              const StoredCheckpoint* checkpoint) {
  std::map<uint32_t, SplitAssigner> splits;
  for (const Vertex& vertex : graph.vertices) {
    if (!vertex.source) {
      continue;
    }
    SplitAssigner assigner(vertex.parallelism);
    if (checkpoint != nullptr) {
      const auto& known = checkpoint->manifest.known_splits;
      if (const auto found = known.find(vertex.source->id); found != known.end()) {
        assigner.restore(found->second);
      }
    }
    splits.emplace(vertex.id, std::move(assigner));
  }
  return splits;
}

}  // namespace thalweg::runtime
