#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "thalweg/runtime/chain.h"
#include "thalweg/runtime/inbox.h"
#include "thalweg/runtime/task_services.h"

namespace thalweg::runtime {

/// Everything that one task is made from.
struct TaskPlan {
  const Vertex* vertex = nullptr;
  int32_t subtask = 0;
  /// Which input of the first operator each channel of the inbox feeds.
  std::vector<int32_t> channel_inputs = {};
  std::vector<OutputEdge> edges = {};
  RestoredTask restored = {};
  TaskProbes probes = {};
};

/// One subtask of one vertex: a thread that feeds its chain from a source or from channels and
/// answers its mailbox in between. Made and destroyed by the job, `run` by its own thread; `post_*`
/// and the inbox may be used by any.
class Task {
 public:
  Task(TaskPlan plan, const TaskServices& services, Inbox& inbox);
  virtual ~Task();
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  /// The thread's body. All errors end here, and reach the job.
  void run() noexcept;

  TaskId id() const { return {plan_.vertex->id, plan_.subtask}; }

  const TaskProbes& probes() const { return plan_.probes; }

  Inbox& inbox() { return inbox_; }

  void post_checkpoint_complete(CheckpointId checkpoint);
  void post_checkpoint_aborted(CheckpointId checkpoint);
  /// Runs `look` on the task's thread with its chain, again between later rows as long as it
  /// returns true; dropped when the task is gone.
  using Look = std::function<bool(const Chain& chain)>;
  void post_request(Look look);

 protected:
  virtual void open_input() {}

  /// Takes one thing: rows, mail, a change. Sets done_ at the end.
  virtual void take_one() = 0;

  virtual void close_input() {}

  virtual void fill_input_snapshot(TaskSnapshot& snapshot) { static_cast<void>(snapshot); }

  virtual void on_checkpoint_complete(CheckpointId checkpoint) { static_cast<void>(checkpoint); }

  virtual void on_checkpoint_aborted(CheckpointId checkpoint) { static_cast<void>(checkpoint); }

  /// Alarms and flushes that are due.
  void run_due();
  /// When there will be something to do without input.
  ProcessingTime next_deadline() const;
  /// Takes mail and messages, sending on what is held back before it waits.
  bool take(Inbox::Item& item, ProcessingTime deadline);
  /// The task's part of a checkpoint, or of a probe.
  void pass_barrier(const Barrier& barrier);

  /// The task ends when this checkpoint is complete.
  void finish_with(CheckpointId checkpoint) { finishes_with_ = checkpoint; }

  /// All rows were taken and all ends were told to the chain.
  void drained();

  TaskPlan plan_;
  const TaskServices& services_;
  Inbox& inbox_;
  MemoryBudget budget_;
  Chain chain_;
  bool done_ = false;
  bool drained_ = false;

 private:
  void run_until_done();
  void run_look();
  void end(TaskEnd end, std::optional<Error> error) noexcept;

  /// Requests that are not done with the chain yet.
  std::deque<Look> looks_;
  /// Done once this checkpoint is complete.
  std::optional<CheckpointId> finishes_with_;
};

}  // namespace thalweg::runtime
