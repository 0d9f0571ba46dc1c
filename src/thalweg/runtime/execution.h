#pragma once

#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "thalweg/runtime/gate_task.h"
#include "thalweg/runtime/source_task.h"
#include "thalweg/runtime/split_assigner.h"
#include "thalweg/runtime/task_services.h"

namespace thalweg::runtime {

/// What an earlier run left for all tasks.
using RestoredTasks = std::map<TaskId, RestoredTask>;

/// One attempt to run a job: its tasks, channels and threads. Used by the job's master thread
/// alone.
class Execution {
 public:
  Execution(const JobGraph& graph,
            const TaskServices& services,
            RestoredTasks restored,
            std::map<uint32_t, SplitAssigner>& splits);
  /// Cancels what still runs and waits for it.
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  /// Starts all threads and hands out the splits.
  void start();
  /// Looks for new splits of the sources that are due; the next time to do so.
  ProcessingTime discover_splits(ProcessingTime now);

  void cancel();
  /// One task failed: cancels the others, except those behind it, which work off what it has sent.
  void cancel_around(TaskId failed);

  void on_task_ended(TaskId task);
  void join();

  bool all_ended() const { return live_.empty(); }

  const std::set<TaskId>& live() const { return live_; }

  const std::set<TaskId>& drained() const { return drained_; }

  void on_task_drained(TaskId task) { drained_.insert(task); }

  Task& task(TaskId id) { return *tasks_.at(id); }

  const std::map<TaskId, std::unique_ptr<Task>>& tasks() const { return tasks_; }

  /// Sends a barrier from all sources that run; false when there is none.
  bool inject(const Barrier& barrier);

  std::vector<TaskProbes> probes() const;

 private:
  void connect();
  void make_tasks(RestoredTasks restored);
  std::vector<int32_t> targets_of(const Edge& edge, int32_t subtask) const;
  const Vertex& vertex(uint32_t id) const;
  void hand_out(const Vertex& vertex, std::vector<std::vector<stream::Split>> shares, bool no_more);
  /// Tells the tasks behind a source's subtask, before any runs, that it has no splits: it must not
  /// hold back their watermark until the news comes through the channel, or late rows would depend
  /// on which thread is first.
  void assume_idle(TaskId source);

  const JobGraph& graph_;
  const TaskServices& services_;
  std::map<uint32_t, SplitAssigner>& splits_;
  std::map<uint32_t, ProcessingTime> next_discovery_;
  std::map<TaskId, std::unique_ptr<Inbox>> inboxes_;
  std::map<TaskId, std::vector<int32_t>> channel_inputs_;
  std::map<TaskId, std::vector<OutputEdge>> edges_;

  struct Target {
    TaskId task;
    size_t channel;
  };

  std::map<TaskId, std::vector<Target>> targets_;
  std::map<TaskId, std::unique_ptr<Task>> tasks_;
  std::vector<std::thread> threads_;
  std::set<TaskId> live_;
  std::set<TaskId> drained_;
};

/// Throws when the graph can't be run: what its maker must never build.
void validate_graph(const JobGraph& graph);

}  // namespace thalweg::runtime
