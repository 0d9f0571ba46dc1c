#include "thalweg/runtime/checkpoint_coordinator.h"

#include <random>

#include <fmt/format.h>
#include <unistd.h>

#include "thalweg/common/check.h"
#include "thalweg/state/table_snapshot.h"

namespace thalweg::runtime {

namespace {

std::vector<OperatorId> operators_of(const Vertex& vertex) {
  std::vector<OperatorId> ids;
  if (vertex.source) {
    ids.push_back(vertex.source->id);
  }
  for (const ChainedOperator& one : vertex.operators) {
    ids.push_back(one.id);
  }
  if (vertex.sink) {
    ids.push_back(vertex.sink->id);
  }
  return ids;
}

std::vector<OperatorRecord> operator_records(const JobGraph& graph) {
  std::vector<OperatorRecord> records;
  for (const Vertex& vertex : graph.vertices) {
    if (vertex.source) {
      records.push_back({vertex.source->id, vertex.source->name});
    }
    for (const ChainedOperator& one : vertex.operators) {
      records.push_back({one.id, one.name});
    }
    if (vertex.sink) {
      records.push_back({vertex.sink->id, vertex.sink->name});
    }
  }
  return records;
}

void add_tables(const TaskSnapshot& snapshot, std::vector<OperatorRecord>& records) {
  for (const auto& [id, one] : snapshot.operators) {
    const auto found = std::find_if(
        records.begin(), records.end(), [id = id](const auto& record) { return record.id == id; });
    if (found == records.end() || !found->tables.empty()) {
      continue;
    }
    for (const auto& table : one->tables) {
      found->tables.push_back({table->spec().name, state::describe_schema(table->spec())});
    }
  }
}

}  // namespace

std::filesystem::path job_folder(const JobOptions& options, const JobId& job) {
  if (!options.checkpoint_dir.empty()) {
    return std::filesystem::path(options.checkpoint_dir) / job.to_string();
  }
  // As Flink keeps them in the JobManager's heap: only this process can go back to them.
  return std::filesystem::temp_directory_path() /
         fmt::format("thalweg-{}-{}", ::getpid(), job.to_string());
}

CheckpointCoordinator::CheckpointCoordinator(const TaskServices& services,
                                             const JobGraph& graph,
                                             Post post)
    : services_(services),
      graph_(graph),
      post_(std::move(post)),
      job_folder_(job_folder(services.options, services.job)),
      is_temporary_(services.options.checkpoint_dir.empty()) {}

CheckpointCoordinator::~CheckpointCoordinator() {
  writer_.reset();
  if (is_temporary_) {
    std::error_code ignored;
    std::filesystem::remove_all(job_folder_, ignored);
  }
}

CheckpointWriter& CheckpointCoordinator::writer() {
  if (writer_ == nullptr) {
    writer_ = std::make_unique<CheckpointWriter>(services_, *this);
  }
  return *writer_;
}

void CheckpointCoordinator::attach(Execution& execution,
                                   const std::map<uint32_t, SplitAssigner>& splits) {
  execution_ = &execution;
  splits_ = &splits;
  remove_staged();
  fatal_.reset();
  failures_in_a_row_ = 0;
  last_done_ = false;
  starting_.clear();
  for (const auto& [id, task] : execution.tasks()) {
    starting_.insert(id);
  }
  if (services_.options.checkpoint_interval_ms) {
    next_trigger_ = {services_.scheduler.now().ms + *services_.options.checkpoint_interval_ms};
  }
}

void CheckpointCoordinator::detach() {
  if (pending_) {
    give_up(
        Error(ErrorCode::kCheckpointFailed, "The job stopped before the checkpoint was complete."));
  }
  for (const SavepointRequest& request : std::exchange(requests_, {})) {
    request.path->set_exception(std::make_exception_ptr(
        Error(ErrorCode::kCheckpointFailed, "The job stopped before the savepoint was taken.")));
  }
  execution_ = nullptr;
  splits_ = nullptr;
  next_trigger_ = kMaxProcessingTime;
}

void CheckpointCoordinator::request_savepoint(SavepointRequest request) {
  if (execution_ == nullptr || execution_->all_ended()) {
    request.path->set_exception(std::make_exception_ptr(
        Error(ErrorCode::kCheckpointFailed, "The job does not run, so it has no savepoint.")));
    return;
  }
  requests_.push_back(std::move(request));
}

void CheckpointCoordinator::on_task_running(TaskId task) {
  starting_.erase(task);
}

bool CheckpointCoordinator::is_ready() const {
  return execution_ != nullptr && !pending_ && !closing_ && !last_done_ && starting_.empty() &&
         !execution_->live().empty();
}

bool CheckpointCoordinator::wants_final() const {
  const std::set<TaskId>& live = execution_->live();
  return services_.is_checkpointed() && std::all_of(live.begin(), live.end(), [this](TaskId task) {
           return execution_->drained().contains(task);
         });
}

ProcessingTime CheckpointCoordinator::next_deadline() const {
  if (pending_) {
    return pending_->deadline;
  }
  if (!is_ready()) {
    return kMaxProcessingTime;
  }
  if (!requests_.empty() || wants_final()) {
    return {0};
  }
  return next_trigger_;
}

void CheckpointCoordinator::run_due(ProcessingTime now) {
  if (pending_) {
    if (now >= pending_->deadline) {
      give_up(Error(ErrorCode::kCheckpointFailed,
                    fmt::format("Checkpoint {} took longer than {} ms",
                                pending_->barrier.checkpoint.value,
                                services_.options.checkpoint_timeout_ms))
                  .hint("raise 'execution.checkpointing.timeout'"));
    }
    return;
  }
  if (!is_ready()) {
    return;
  }
  if (!requests_.empty()) {
    SavepointRequest request = std::move(requests_.front());
    requests_.pop_front();
    trigger(std::move(request), now);
  } else if (wants_final() || now >= next_trigger_) {
    trigger(std::nullopt, now);
  }
}

std::filesystem::path CheckpointCoordinator::checkpoint_path(CheckpointId checkpoint) const {
  return job_folder_ / fmt::format("chk-{}", checkpoint.value);
}

std::filesystem::path CheckpointCoordinator::savepoint_path(const std::string& directory) const {
  return std::filesystem::path(directory) / fmt::format("savepoint-{}-{:012x}",
                                                        services_.job.to_string().substr(0, 6),
                                                        JobId::random().low & 0xFFFF'FFFF'FFFFU);
}

CheckpointManifest CheckpointCoordinator::new_manifest(const Barrier& barrier,
                                                       ProcessingTime now) const {
  CheckpointManifest manifest;
  manifest.job = services_.job;
  manifest.job_name = graph_.name;
  manifest.checkpoint = barrier.checkpoint;
  manifest.is_savepoint = barrier.is_savepoint;
  manifest.taken_at_ms = now.ms;
  manifest.plan = services_.options.plan;
  manifest.operators = operator_records(graph_);
  for (const Vertex& vertex : graph_.vertices) {
    for (int32_t subtask = 0; subtask < vertex.parallelism; ++subtask) {
      TaskRecord record;
      record.task = {vertex.id, subtask};
      record.parallelism = vertex.parallelism;
      record.finished = !execution_->live().contains(record.task);
      record.operators = operators_of(vertex);
      manifest.tasks.push_back(std::move(record));
    }
    if (vertex.source) {
      manifest.known_splits[vertex.source->id] = splits_->at(vertex.id).known();
    }
  }
  return manifest;
}

void CheckpointCoordinator::trigger(std::optional<SavepointRequest> request, ProcessingTime now) {
  Pending pending;
  pending.barrier.checkpoint = {next_id_++};
  if (request) {
    pending.barrier.is_savepoint = true;
    pending.barrier.stops = request->stops;
    pending.barrier.drains = request->drains;
    pending.path = savepoint_path(request->directory);
  } else {
    pending.path = checkpoint_path(pending.barrier.checkpoint);
    next_trigger_ = {now.ms + *services_.options.checkpoint_interval_ms};
  }
  pending.is_last = pending.barrier.stops || wants_final();
  pending.request = std::move(request);
  pending.deadline = {now.ms + services_.options.checkpoint_timeout_ms};
  pending.untaken = execution_->live();
  pending.unwritten = execution_->live();
  pending.manifest = new_manifest(pending.barrier, now);
  writer().begin(pending.barrier.checkpoint, pending.path);
  pending_ = std::move(pending);
  execution_->inject(pending_->barrier);
}

TaskRecord& CheckpointCoordinator::record_of(TaskId task) {
  std::vector<TaskRecord>& tasks = pending_->manifest.tasks;
  const auto found = std::find_if(
      tasks.begin(), tasks.end(), [task](const TaskRecord& one) { return one.task == task; });
  check(found != tasks.end(), "a part of a checkpoint from an unknown task");
  return *found;
}

void CheckpointCoordinator::on_taken(CheckpointId checkpoint, TaskSnapshot snapshot) {
  if (!pending_ || pending_->barrier.checkpoint != checkpoint) {
    return;  // came too late
  }
  TaskRecord& record = record_of(snapshot.task);
  record.finished = snapshot.finished;
  record.splits = snapshot.splits;
  record.committables = snapshot.committables;
  add_tables(snapshot, pending_->manifest.operators);
  pending_->untaken.erase(snapshot.task);
  writer().write(checkpoint, std::move(snapshot));
}

void CheckpointCoordinator::on_task_ended(TaskId task, TaskEnd end) {
  starting_.erase(task);
  if (!pending_ || !pending_->untaken.contains(task)) {
    return;
  }
  if (end != TaskEnd::kFinished) {
    give_up(Error(ErrorCode::kCheckpointFailed, "A task failed before it took its part."));
    return;
  }
  record_of(task).finished = true;
  pending_->untaken.erase(task);
  pending_->unwritten.erase(task);
  publish_if_complete();
}

void CheckpointCoordinator::part_written(CheckpointId checkpoint,
                                         TaskId task,
                                         std::string state_file) {
  post_([this, checkpoint, task, state_file = std::move(state_file)] {
    if (pending_ && pending_->barrier.checkpoint == checkpoint) {
      record_of(task).state_file = state_file;
      pending_->unwritten.erase(task);
      publish_if_complete();
    }
  });
}

void CheckpointCoordinator::publish_if_complete() {
  if (pending_->untaken.empty() && pending_->unwritten.empty() && !pending_->publishing) {
    pending_->publishing = true;
    writer().publish(pending_->manifest);
  }
}

void CheckpointCoordinator::checkpoint_published(CheckpointId checkpoint,
                                                 std::filesystem::path path) {
  post_([this, checkpoint, path = std::move(path)] {
    if (pending_ && pending_->barrier.checkpoint == checkpoint) {
      complete(path);
    }
  });
}

void CheckpointCoordinator::complete(const std::filesystem::path& path) {
  const Pending done = std::move(*pending_);
  pending_.reset();
  ++completed_count_;
  failures_in_a_row_ = 0;
  latest_ = path;
  last_done_ = done.is_last;
  if (!done.request) {
    retain(path);
    const int64_t pause = services_.options.min_pause_ms;
    next_trigger_ = std::max(next_trigger_, {services_.scheduler.now().ms + pause});
  }
  for (const TaskId task : execution_->live()) {
    execution_->task(task).post_checkpoint_complete(done.barrier.checkpoint);
  }
  if (done.request) {
    done.request->path->set_value(path.string());
  }
}

void CheckpointCoordinator::retain(const std::filesystem::path& path) {
  kept_.push_back(path);
  const auto limit = static_cast<size_t>(std::max(1, services_.options.retained_checkpoints));
  while (kept_.size() > limit) {
    writer().remove(kept_.front());
    kept_.pop_front();
  }
}

void CheckpointCoordinator::checkpoint_failed(CheckpointId checkpoint, Error error) {
  post_([this, checkpoint, error = std::move(error)] {
    if (pending_ && pending_->barrier.checkpoint == checkpoint) {
      give_up(error);
    }
  });
}

void CheckpointCoordinator::give_up(const Error& error) {
  const Pending lost = std::move(*pending_);
  pending_.reset();
  closing_ = true;
  writer().abandon(lost.barrier.checkpoint);
  if (execution_ != nullptr) {
    for (const TaskId task : execution_->live()) {
      execution_->task(task).post_checkpoint_aborted(lost.barrier.checkpoint);
    }
  }
  if (lost.request) {
    lost.request->path->set_exception(std::make_exception_ptr(error));
    if (lost.barrier.drains) {
      // The sources have ended their output: only a restart lets them go on.
      fatal_ = Error(ErrorCode::kCheckpointFailed,
                     "The savepoint of a job that was to be drained failed: " + error.message());
    }
    return;
  }
  if (++failures_in_a_row_ > services_.options.tolerable_failed_checkpoints) {
    fatal_ =
        Error(ErrorCode::kCheckpointFailed,
              fmt::format("Exceeded checkpoint tolerable failure threshold: {}", error.message()))
            .hint("raise 'execution.checkpointing.tolerable-failed-checkpoints'");
  }
}

void CheckpointCoordinator::checkpoint_abandoned(CheckpointId checkpoint) {
  static_cast<void>(checkpoint);
  post_([this] { closing_ = false; });
}

void CheckpointCoordinator::remove_staged() const {
  // What a checkpoint took along stays there.
  std::error_code ignored;
  std::filesystem::remove_all(services_.staging, ignored);
}

void CheckpointCoordinator::finish(bool keeps_checkpoints) {
  if (!keeps_checkpoints && !kept_.empty()) {
    writer().remove(job_folder_);
  }
  kept_.clear();
  writer_.reset();
  remove_staged();
  std::error_code ignored;
  std::filesystem::remove(job_folder_, ignored);  // when nothing is in it
}

}  // namespace thalweg::runtime
