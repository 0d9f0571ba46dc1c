#include "thalweg/runtime/job_master.h"

#include <chrono>

#include <fmt/format.h>

#include "thalweg/common/check.h"
#include "thalweg/runtime/restore_plan.h"

namespace thalweg::runtime {

std::string_view to_string(JobStatus status) {
  constexpr std::string_view kNames[] = {"CREATED",
                                         "RUNNING",
                                         "RESTARTING",
                                         "FAILING",
                                         "FAILED",
                                         "CANCELLING",
                                         "CANCELED",
                                         "FINISHED"};
  return kNames[static_cast<size_t>(status)];
}

namespace {

std::unique_ptr<Scheduler> make_scheduler(const JobOptions& options) {
  if (options.simulation_seed) {
    const ProcessingTime start = options.clock != nullptr ? options.clock->now() : ProcessingTime{};
    return make_simulated_scheduler(*options.simulation_seed, start, options.on_simulated_turn);
  }
  return make_thread_scheduler(options.clock != nullptr ? options.clock
                                                        : std::make_shared<const SystemClock>());
}

/// The last operator of a vertex: what feeds those behind it.
OperatorId last_of(const Vertex& vertex) {
  if (vertex.sink) {
    return vertex.sink->id;
  }
  return vertex.operators.empty() ? vertex.source->id : vertex.operators.back().id;
}

std::vector<OperatorInfo> operators_of(const JobGraph& graph) {
  std::vector<OperatorInfo> operators;
  for (const Vertex& vertex : graph.vertices) {
    std::vector<OperatorId> inputs;
    for (const Edge& edge : graph.edges) {
      const auto from = std::find_if(graph.vertices.begin(),
                                     graph.vertices.end(),
                                     [&](const Vertex& one) { return one.id == edge.from; });
      if (edge.to == vertex.id) {
        inputs.push_back(last_of(*from));
      }
    }
    const auto add = [&](OperatorId id, const std::string& name, OperatorInfo::Kind kind) {
      operators.push_back({id, name, kind, vertex.parallelism, std::exchange(inputs, {id})});
    };
    if (vertex.source) {
      add(vertex.source->id, vertex.source->name, OperatorInfo::Kind::kSource);
    }
    for (const ChainedOperator& one : vertex.operators) {
      add(one.id, one.name, OperatorInfo::Kind::kOperator);
    }
    if (vertex.sink) {
      add(vertex.sink->id, vertex.sink->name, OperatorInfo::Kind::kSink);
    }
  }
  return operators;
}

std::vector<std::weak_ptr<stream::TableSource>> sources_of(const JobGraph& graph) {
  std::vector<std::weak_ptr<stream::TableSource>> sources;
  for (const Vertex& vertex : graph.vertices) {
    if (vertex.source) {
      sources.emplace_back(vertex.source->source);
    }
  }
  return sources;
}

}  // namespace

JobMaster::JobMaster(JobGraph graph, JobOptions options, MemoryBudget& process_budget)
    : id_(JobId::random()),
      graph_(std::move(graph)),
      options_(std::move(options)),
      operators_((validate_graph(graph_), operators_of(graph_))),
      sources_(sources_of(graph_)),
      taps_(graph_),
      budget_(std::make_unique<MemoryBudget>(
          "job " + graph_.name, options_.memory_limit_bytes, &process_budget)),
      scheduler_(make_scheduler(options_)),
      services_{*scheduler_,
                *this,
                id_,
                options_,
                *budget_,
                taps_,
                job_folder(options_, id_) / "staging"},
      events_(*scheduler_),
      restarts_(options_.restart),
      coordinator_(services_, graph_, [this](std::function<void()> event) {
        events_.post(std::move(event));
      }) {}

JobMaster::~JobMaster() {
  cancel();
  join();
}

void JobMaster::start() {
  thread_ = scheduler_->start("job", [this] { run(); });
}

void JobMaster::join() {
  if (thread_.joinable()) {
    thread_.join();
  }
}

bool JobMaster::is_final() const {
  return status_ == JobStatus::kFinished || status_ == JobStatus::kFailed ||
         status_ == JobStatus::kCancelled;
}

JobStatus JobMaster::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void JobMaster::set_status(JobStatus status) {
  const std::lock_guard lock(mutex_);
  status_ = status;
  changed_.notify_all();
}

bool JobMaster::wait_for(int64_t timeout_ms) {
  std::unique_lock lock(mutex_);
  const auto ended = [this] { return is_final(); };
  if (timeout_ms < 0) {
    changed_.wait(lock, ended);
    return true;
  }
  return changed_.wait_for(lock, std::chrono::milliseconds(timeout_ms), ended);
}

std::optional<Error> JobMaster::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::vector<OperatorMetrics> JobMaster::metrics() const {
  std::vector<TaskProbes> probes;
  {
    const std::lock_guard lock(mutex_);
    probes = task_probes_;
  }
  std::vector<OperatorMetrics> metrics;
  for (const TaskProbes& task : probes) {
    if (task.source != nullptr) {
      metrics.push_back(task.source->metrics.snapshot());
    }
    for (const auto& one : task.operators) {
      metrics.push_back(one->metrics.snapshot());
    }
    if (task.sink != nullptr) {
      metrics.push_back(task.sink->metrics.snapshot());
    }
  }
  return metrics;
}

void JobMaster::cancel() {
  cancel_requested_ = true;
  // The job's thread may be waiting in one of them.
  for (const auto& weak : sources_) {
    if (const auto source = weak.lock()) {
      source->cancel();
    }
  }
  events_.post([this] {
    if (execution_ != nullptr) {
      set_status(JobStatus::kCancelling);
      execution_->cancel();
    }
  });
}

void JobMaster::run() {
  try {
    run_until_final();
  } catch (const Error& error) {
    end(JobStatus::kFailed, error);
  } catch (const std::exception& exception) {
    end(JobStatus::kFailed, Error(ErrorCode::kInternal, exception.what()));
  }
}

void JobMaster::run_until_final() {
  for (;;) {
    const std::optional<Error> failure = run_attempt();
    if (cancel_requested_) {
      end(JobStatus::kCancelled, std::nullopt);
      return;
    }
    if (!failure) {
      end(JobStatus::kFinished, std::nullopt);
      return;
    }
    // State that can't be restored now can't be restored by trying again.
    const bool is_final = failure->code() == ErrorCode::kRestoreFailed;
    const std::optional<int64_t> delay =
        is_final ? std::nullopt : restarts_.on_failure(scheduler_->now());
    if (!delay) {
      end(JobStatus::kFailed, failure);
      return;
    }
    set_status(JobStatus::kRestarting);
    if (!wait_for_restart(*delay)) {
      end(JobStatus::kCancelled, std::nullopt);
      return;
    }
  }
}

std::optional<Error> JobMaster::run_attempt() {
  ++attempt_;
  attempt_failure_.reset();
  try {
    make_execution();
    execution_->start();
    set_status(JobStatus::kRunning);
    supervise();
  } catch (const Error& error) {
    attempt_failure_ = error;
  }
  probes_.clear();
  coordinator_.detach();
  execution_.reset();
  return attempt_failure_;
}

void JobMaster::make_execution() {
  RestoredTasks restored;
  std::shared_ptr<const StoredCheckpoint> stored;
  if (coordinator_.latest()) {
    stored = open_checkpoint(*coordinator_.latest());
  } else if (!options_.restore_path.empty()) {
    stored = open_checkpoint(options_.restore_path);
  }
  if (stored != nullptr) {
    restored = plan_restore(graph_, *stored, options_.allow_non_restored_state);
    coordinator_.restored_from(stored->manifest.checkpoint);
  }
  splits_ = plan_splits(graph_, stored.get());
  execution_ = std::make_unique<Execution>(graph_, services_, std::move(restored), splits_);
  coordinator_.attach(*execution_, splits_);
  const std::lock_guard lock(mutex_);
  task_probes_ = execution_->probes();
}

void JobMaster::supervise() {
  while (!execution_->all_ended()) {
    take_event();
    coordinator_.run_due(scheduler_->now());
    if (coordinator_.fatal() && !attempt_failure_) {
      attempt_failure_ = coordinator_.fatal();
      execution_->cancel();
    }
  }
  execution_->join();
}

ProcessingTime JobMaster::next_deadline() {
  return std::min(execution_->discover_splits(scheduler_->now()), coordinator_.next_deadline());
}

void JobMaster::take_event() {
  Inbox::Item item;
  if (events_.take(item, next_deadline())) {
    item.mail();
    item.mail = nullptr;
  }
}

void JobMaster::post_event(std::function<void()> event) {
  events_.post([this, attempt = attempt_, event = std::move(event)] {
    if (attempt == attempt_ && execution_ != nullptr) {
      event();
    }
  });
}

bool JobMaster::wait_for_restart(int64_t delay_ms) {
  const ProcessingTime at{scheduler_->now().ms + delay_ms};
  Inbox::Item item;
  while (!cancel_requested_ && scheduler_->now() < at) {
    if (events_.take(item, at)) {
      item.mail();
    }
  }
  return !cancel_requested_;
}

void JobMaster::end(JobStatus status, std::optional<Error> error) {
  coordinator_.finish(status == JobStatus::kFailed ||
                      (status == JobStatus::kCancelled && options_.retain_on_cancellation));
  events_.abandon();
  budget_.reset();
  release_graph();
  const std::lock_guard lock(mutex_);
  status_ = status;
  failure_ = std::move(error);
  changed_.notify_all();
}

void JobMaster::release_graph() {
  for (Vertex& vertex : graph_.vertices) {
    vertex.source.reset();
    vertex.operators.clear();
    vertex.sink.reset();
  }
}

void JobMaster::task_running(TaskId task) {
  post_event([this, task] { coordinator_.on_task_running(task); });
}

void JobMaster::task_drained(TaskId task) {
  post_event([this, task] { execution_->on_task_drained(task); });
}

void JobMaster::task_ended(TaskId task, TaskEnd end, std::optional<Error> error) {
  post_event([this, task, end, error = std::move(error)] { on_ended(task, end, error); });
}

void JobMaster::on_ended(TaskId task, TaskEnd end, const std::optional<Error>& error) {
  execution_->on_task_ended(task);
  coordinator_.on_task_ended(task, end);
  for (auto& [number, probe] : probes_) {
    on_probe_passed(task, number);
  }
  if (end != TaskEnd::kFailed || attempt_failure_) {
    return;
  }
  attempt_failure_ = error;
  if (!cancel_requested_) {
    set_status(JobStatus::kFailing);
    execution_->cancel_around(task);
  }
}

void JobMaster::settle() {
  auto passed = std::make_shared<std::promise<void>>();
  std::future<void> future = passed->get_future();
  events_.post([this, passed = std::move(passed)]() mutable { start_probe(std::move(passed)); });
  try {
    future.get();
  } catch (const std::future_error&) {
    // The job ended meanwhile: nothing is left to be worked on.
  }
}

void JobMaster::start_probe(std::shared_ptr<std::promise<void>> passed) {
  if (execution_ == nullptr || execution_->all_ended()) {
    return;
  }
  const uint64_t number = next_probe_++;
  probes_[number] = {execution_->live(), std::move(passed)};
  execution_->inject({.checkpoint = {number}, .is_probe = true});
}

void JobMaster::probe_passed(TaskId task, uint64_t probe) {
  post_event([this, task, probe] {
    on_probe_passed(task, probe);
    std::erase_if(probes_, [](const auto& one) { return one.second.waiting.empty(); });
  });
}

void JobMaster::on_probe_passed(TaskId task, uint64_t probe) {
  const auto found = probes_.find(probe);
  if (found != probes_.end() && found->second.waiting.erase(task) > 0 &&
      found->second.waiting.empty() && found->second.passed != nullptr) {
    std::exchange(found->second.passed, nullptr)->set_value();
  }
}

StateListing JobMaster::list_state(const StateQuery& query) {
  taps_.check_known(query.operator_id);
  auto gathering = std::make_shared<StateGathering>(query);
  events_.post([this, token = StateGathering::token_of(gathering)] { ask_for_state(token); });
  return gathering->wait();
}

void JobMaster::ask_for_state(const StateGathering::Token& token) {
  if (execution_ == nullptr) {
    return;
  }
  for (const TaskId task : execution_->live()) {
    const auto& operators = execution_->task(task).probes().operators;
    const bool runs_it = std::any_of(operators.begin(), operators.end(), [&](const auto& probe) {
      return probe->metrics.id() == token->query().operator_id;
    });
    if (runs_it) {
      StateGathering::ask(token, execution_->task(task));
    }
  }
}

std::string JobMaster::request_savepoint(const std::string& directory, bool stops, bool drains) {
  auto path = std::make_shared<std::promise<std::string>>();
  std::future<std::string> future = path->get_future();
  events_.post([this, directory, stops, drains, path = std::move(path)] {
    coordinator_.request_savepoint({directory, stops, drains, path});
  });
  try {
    return future.get();
  } catch (const std::future_error&) {
    throw Error(ErrorCode::kCheckpointFailed, "The job ended before the savepoint was taken.");
  }
}

std::string JobMaster::savepoint(const std::string& directory) {
  return request_savepoint(directory, false, false);
}

std::string JobMaster::stop_with_savepoint(const std::string& directory, bool drains) {
  std::string path = request_savepoint(directory, true, drains);
  wait_for(-1);
  if (const std::optional<Error> error = failure()) {
    throw Error(*error);
  }
  return path;
}

void JobMaster::checkpoint_taken(CheckpointId checkpoint, TaskSnapshot snapshot) {
  auto shared = std::make_shared<TaskSnapshot>(std::move(snapshot));
  post_event([this, checkpoint, shared = std::move(shared)] {
    coordinator_.on_taken(checkpoint, std::move(*shared));
  });
}

}  // namespace thalweg::runtime
