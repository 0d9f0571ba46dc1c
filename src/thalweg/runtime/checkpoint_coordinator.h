#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "thalweg/runtime/checkpoint_writer.h"
#include "thalweg/runtime/execution.h"

namespace thalweg::runtime {

/// Someone waits for a savepoint.
struct SavepointRequest {
  std::string directory;
  bool stops = false;
  bool drains = false;
  std::shared_ptr<std::promise<std::string>> path;
};

/// Where a job keeps its checkpoints: below the configured folder, or in a temporary one.
std::filesystem::path job_folder(const JobOptions& options, const JobId& job);

/// Starts the checkpoints of one job, collects what tasks and writer say, completes or gives up.
/// One checkpoint at a time. Master thread only; outlives attempts.
class CheckpointCoordinator final : public CheckpointWriterEvents {
 public:
  /// `post` runs a function on the master thread.
  using Post = std::function<void(std::function<void()>)>;

  CheckpointCoordinator(const TaskServices& services, const JobGraph& graph, Post post);
  ~CheckpointCoordinator() override;

  /// The next attempt begins; `splits` are its split assigners.
  void attach(Execution& execution, const std::map<uint32_t, SplitAssigner>& splits);
  /// The attempt is over: gives up what is under way.
  void detach();

  void request_savepoint(SavepointRequest request);
  void on_task_running(TaskId task);
  void on_task_ended(TaskId task, TaskEnd end);
  void on_taken(CheckpointId checkpoint, TaskSnapshot snapshot);

  /// When `run_due` must be called again.
  ProcessingTime next_deadline() const;
  void run_due(ProcessingTime now);

  /// Set when checkpoints failed more often than the job bears: it must fail.
  const std::optional<Error>& fatal() const { return fatal_; }

  /// What a restart goes back to: the last completed checkpoint.
  const std::optional<std::filesystem::path>& latest() const { return latest_; }

  void restored_from(CheckpointId checkpoint) {
    next_id_ = std::max(next_id_, checkpoint.value + 1);
  }

  int64_t completed() const { return completed_count_; }

  /// The job ended: removes what is not to be kept.
  void finish(bool keeps_checkpoints);

 private:
  struct Pending {
    Barrier barrier;
    std::filesystem::path path;
    ProcessingTime deadline;
    std::set<TaskId> untaken;
    std::set<TaskId> unwritten;
    CheckpointManifest manifest;
    std::optional<SavepointRequest> request;
    bool publishing = false;
    /// Nothing will come after it: all tasks end with it.
    bool is_last = false;
  };

  // CheckpointWriterEvents
  void part_written(CheckpointId checkpoint, TaskId task, std::string state_file) override;
  void checkpoint_published(CheckpointId checkpoint, std::filesystem::path path) override;
  void checkpoint_failed(CheckpointId checkpoint, Error error) override;
  void checkpoint_abandoned(CheckpointId checkpoint) override;

  bool is_ready() const;
  bool wants_final() const;
  void trigger(std::optional<SavepointRequest> request, ProcessingTime now);
  CheckpointManifest new_manifest(const Barrier& barrier, ProcessingTime now) const;
  TaskRecord& record_of(TaskId task);
  void publish_if_complete();
  void complete(const std::filesystem::path& path);
  void give_up(const Error& error);
  void retain(const std::filesystem::path& path);
  void remove_staged() const;
  std::filesystem::path checkpoint_path(CheckpointId checkpoint) const;
  std::filesystem::path savepoint_path(const std::string& directory) const;
  CheckpointWriter& writer();

  const TaskServices& services_;
  const JobGraph& graph_;
  Post post_;
  std::filesystem::path job_folder_;
  bool is_temporary_ = false;
  Execution* execution_ = nullptr;
  const std::map<uint32_t, SplitAssigner>* splits_ = nullptr;
  std::set<TaskId> starting_;
  std::optional<Pending> pending_;
  /// The writer still holds parts of a checkpoint that was given up.
  bool closing_ = false;
  bool last_done_ = false;
  std::deque<SavepointRequest> requests_;
  uint64_t next_id_ = 1;
  ProcessingTime next_trigger_ = kMaxProcessingTime;
  int32_t failures_in_a_row_ = 0;
  int64_t completed_count_ = 0;
  std::optional<Error> fatal_;
  std::optional<std::filesystem::path> latest_;
  std::deque<std::filesystem::path> kept_;
  std::unique_ptr<CheckpointWriter> writer_;
};

}  // namespace thalweg::runtime
