#pragma once

#include <atomic>
#include <condition_variable>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "thalweg/runtime/checkpoint_coordinator.h"
#include "thalweg/runtime/execution.h"
#include "thalweg/runtime/job.h"
#include "thalweg/runtime/restart_policy.h"
#include "thalweg/runtime/state_gathering.h"

namespace thalweg::runtime {

/// One submitted job: a master thread that starts its tasks, hears from them, restarts them and
/// ends them. Everything but the Job interface and TaskEvents runs on that thread.
class JobMaster final : public Job, public TaskEvents {
 public:
  JobMaster(JobGraph graph, JobOptions options, MemoryBudget& process_budget);
  ~JobMaster() override;

  void start();
  /// Waits until the master thread is gone.
  void join();

  // Job
  const JobId& id() const override { return id_; }

  const std::string& name() const override { return graph_.name; }

  JobStatus status() const override;
  bool wait_for(int64_t timeout_ms) override;
  std::optional<Error> failure() const override;
  void cancel() override;
  std::string savepoint(const std::string& directory) override;
  std::string stop_with_savepoint(const std::string& directory, bool drains) override;
  std::vector<OperatorMetrics> metrics() const override;

  const std::vector<OperatorInfo>& operators() const override { return operators_; }

  void attach_tap(OperatorId id, size_t capacity) override { taps_.attach(id, capacity); }

  void detach_tap(OperatorId id) override { taps_.detach(id); }

  TapReading read_tap(OperatorId id, const TapCursor& from, size_t limit) const override {
    return taps_.read(id, from, limit);
  }

  StateListing list_state(const StateQuery& query) override;
  void settle() override;

  // TaskEvents
  void task_running(TaskId task) override;
  void task_drained(TaskId task) override;
  void task_ended(TaskId task, TaskEnd end, std::optional<Error> error) override;
  void checkpoint_taken(CheckpointId checkpoint, TaskSnapshot snapshot) override;
  void probe_passed(TaskId task, uint64_t probe) override;

 private:
  /// A barrier without a snapshot that is under way (settle).
  struct Probe {
    std::set<TaskId> waiting;
    std::shared_ptr<std::promise<void>> passed;
  };

  void run();
  void run_until_final();
  /// One attempt; the failure that ended it, if any.
  std::optional<Error> run_attempt();
  void supervise();
  void take_event();
  /// Makes the next attempt from the last checkpoint, or what the options say.
  void make_execution();
  std::string request_savepoint(const std::string& directory, bool stops, bool drains);
  void ask_for_state(const StateGathering::Token& token);
  /// Runs `event` on the master thread if the attempt that it comes from is still the present one.
  void post_event(std::function<void()> event);
  ProcessingTime next_deadline();
  bool wait_for_restart(int64_t delay_ms);
  void end(JobStatus status, std::optional<Error> error);
  /// Whoever still looks at an ended job needs its name and numbers, not the rows and functions.
  void release_graph();
  void on_ended(TaskId task, TaskEnd end, const std::optional<Error>& error);
  void start_probe(std::shared_ptr<std::promise<void>> passed);
  void on_probe_passed(TaskId task, uint64_t probe);
  void set_status(JobStatus status);
  bool is_final() const;

  JobId id_;
  JobGraph graph_;
  JobOptions options_;
  std::vector<OperatorInfo> operators_;
  /// For cancel(), which any thread calls; weak because release_graph lets them go.
  const std::vector<std::weak_ptr<stream::TableSource>> sources_;
  TapBoard taps_;
  std::unique_ptr<MemoryBudget> budget_;
  std::unique_ptr<Scheduler> scheduler_;
  TaskServices services_;
  Inbox events_;
  RestartPolicy restarts_;
  CheckpointCoordinator coordinator_;
  std::map<uint32_t, SplitAssigner> splits_;
  std::unique_ptr<Execution> execution_;
  /// Changes only while no task runs.
  uint64_t attempt_ = 0;
  std::optional<Error> attempt_failure_;
  std::atomic<bool> cancel_requested_ = false;
  std::map<uint64_t, Probe> probes_;
  uint64_t next_probe_ = 1;
  std::thread thread_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  JobStatus status_ = JobStatus::kCreated;
  std::optional<Error> failure_;
  std::vector<TaskProbes> task_probes_;
};

}  // namespace thalweg::runtime
