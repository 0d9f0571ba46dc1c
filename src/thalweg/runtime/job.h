#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/common/error.h"
#include "thalweg/common/ids.h"
#include "thalweg/common/memory_budget.h"
#include "thalweg/common/time.h"
#include "thalweg/runtime/inspection.h"
#include "thalweg/runtime/job_graph.h"
#include "thalweg/types/batch.h"

namespace thalweg::runtime {

/// Flink's job states.
enum class JobStatus : uint8_t {
  kCreated,
  kRunning,
  kRestarting,
  kFailing,
  kFailed,
  kCancelling,
  kCancelled,
  kFinished
};

std::string_view to_string(JobStatus status);

struct RestartStrategy {
  enum class Kind : uint8_t { kNone, kFixedDelay, kExponentialDelay, kFailureRate };
  Kind kind = Kind::kNone;
  int32_t attempts = 0;
  int64_t delay_ms = 1000;
  int64_t max_delay_ms = 60000;
  int64_t interval_ms = 60000;
};

/// Where a test may look at, fail or kill a job: each call comes from the thread that does the
/// work, and what it throws fails that work.
enum class HookPoint : uint8_t {
  kBeforeSnapshot,
  kAfterSnapshot,
  kBeforeManifest,
  kAfterManifest,
  kBeforeCommit,
  kAfterCommit,
  kTaskStarted,
};

class JobHook {
 public:
  virtual ~JobHook() = default;
  virtual void reached(HookPoint point, CheckpointId checkpoint) = 0;
};

/// Settings of one job, from Flink's configuration keys.
struct JobOptions {
  /// execution.checkpointing.interval; unset: no checkpoints.
  std::optional<int64_t> checkpoint_interval_ms;
  int64_t checkpoint_timeout_ms = 600'000;
  int64_t min_pause_ms = 0;
  int32_t retained_checkpoints = 1;
  /// execution.checkpointing.tolerable-failed-checkpoints: more failures in a row fail the job.
  int32_t tolerable_failed_checkpoints = 0;
  /// Checkpoints stay when the job is cancelled (RETAIN_ON_CANCELLATION). They always stay when it
  /// fails, and always go when it finishes.
  bool retain_on_cancellation = false;
  /// execution.checkpointing.dir; a folder with the job's id is made below it. Empty: checkpoints
  /// serve restarts in this process only.
  std::string checkpoint_dir;
  /// A checkpoint or savepoint to start from; empty: fresh.
  std::string restore_path;
  /// execution.buffer-timeout: a partial batch leaves after this long.
  int64_t buffer_timeout_ms = 100;
  /// Batches that a channel holds.
  int32_t channel_capacity = 4;
  /// Rows at which gathered pieces leave as one batch; tests make it small.
  int32_t batch_rows = kTargetBatchRows;
  int64_t memory_limit_bytes = MemoryBudget::kUnlimited;
  RestartStrategy restart;
  /// Null: the system's.
  std::shared_ptr<const Clock> clock;
  /// Runs with the baton: one thread at a time, chosen by this seed.
  std::optional<uint64_t> simulation_seed;
  /// Restored state that no operator of the graph asks for is dropped, not refused (Flink's -n).
  bool allow_non_restored_state = false;
  /// Kept in every checkpoint for whoever resumes it: the physical plan. The runtime does not look.
  std::string plan;
  /// Makes the Python objects of restored state; null when the job has none.
  std::shared_ptr<const OpaqueOperations> opaque_operations;
  /// Tests only.
  std::shared_ptr<JobHook> hook;
  /// Hears of each turn of a simulation: which thread goes on, and when.
  std::function<void(const std::string& thread, ProcessingTime now)> on_simulated_turn;
};

struct OperatorMetrics {
  OperatorId id;
  std::string name;
  int32_t subtask = 0;
  std::map<std::string, int64_t> values;
};

/// A submitted job. Shared by whoever watches it; all methods are thread-safe.
class Job {
 public:
  virtual ~Job() = default;
  virtual const JobId& id() const = 0;
  virtual const std::string& name() const = 0;
  virtual JobStatus status() const = 0;
  /// Waits for a terminal state at most `timeout_ms`; false when it runs on.
  virtual bool wait_for(int64_t timeout_ms) = 0;
  /// The error that ended it, when it failed.
  virtual std::optional<Error> failure() const = 0;
  virtual void cancel() = 0;
  /// Takes a savepoint below `directory` and returns its path.
  virtual std::string savepoint(const std::string& directory) = 0;
  /// Stops the sources, takes a savepoint, finishes; returns its path. With `drains` all that waits
  /// for later is done first, as at the end of the input: windows fire, timers too. A job that
  /// starts from such a savepoint has nothing left to do.
  virtual std::string stop_with_savepoint(const std::string& directory, bool drains) = 0;
  virtual std::vector<OperatorMetrics> metrics() const = 0;

  virtual const std::vector<OperatorInfo>& operators() const = 0;
  /// Keeps the last `capacity` rows that leave each subtask of an operator (that reach it, for a
  /// sink) until it is detached, over restarts too. These throw kValidation for another job's
  /// operator.
  virtual void attach_tap(OperatorId id, size_t capacity) = 0;
  virtual void detach_tap(OperatorId id) = 0;
  /// At most `limit` rows of each subtask.
  virtual TapReading read_tap(OperatorId id, const TapCursor& from, size_t limit) const = 0;
  /// Tables of a running operator with some of their records; the tasks answer between batches.
  virtual StateListing list_state(const StateQuery& query) = 0;
  /// Waits until all rows that the sources have now, and the alarms that are due now, have been
  /// worked on by every task: for tests that feed a source and then look.
  virtual void settle() = 0;
};

/// Runs jobs in this process. Destroying it cancels them and waits.
class Runtime {
 public:
  virtual ~Runtime() = default;
  virtual std::shared_ptr<Job> submit(JobGraph graph, JobOptions options) = 0;
  /// Those that run, and ended ones while somebody holds them.
  virtual std::vector<std::shared_ptr<Job>> jobs() const = 0;
};

std::unique_ptr<Runtime> make_runtime(MemoryBudget& process_budget);

}  // namespace thalweg::runtime
