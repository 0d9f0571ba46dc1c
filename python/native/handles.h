#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include "job_ending.h"
#include "python_function.h"
#include "thalweg/connectors/test_stream/test_stream.h"
#include "thalweg/engine/process.h"
#include "thalweg/engine/result_printer.h"
#include "thalweg/engine/session.h"

namespace thalweg::binding {

/// What a hand-driven session has beside the engine's: tables that are fed and a clock that is
/// moved.
struct TestBench {
  std::shared_ptr<connectors::TestFeeds> feeds = std::make_shared<connectors::TestFeeds>();
  std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();
};

/// The engine's process, made when the first session is. Held by the module; `close` (at exit)
/// cancels all jobs before the interpreter goes.
class LazyProcess {
 public:
  std::shared_ptr<engine::Process> get();
  /// One of its own for a hand-driven session: its test-stream tables are fed by `bench`.
  std::shared_ptr<engine::Process> make_for(const TestBench& bench);

  void close();

 private:
  std::shared_ptr<engine::Process> process_;
  std::vector<std::weak_ptr<engine::Process>> of_benches_;
};

/// What Python's Session holds. Relations, results and jobs share it, so it outlives them.
struct SessionHandle {
  std::shared_ptr<engine::Process> process;
  std::unique_ptr<engine::Session> session;
  /// Null: the session goes by the system's clock.
  std::unique_ptr<TestBench> bench = nullptr;
  std::shared_ptr<FunctionSettings> function_settings = nullptr;
  int32_t next_view = 0;
  /// Functions that expressions call as objects: the name that each has in this session, where it
  /// is a temporary system function. The object is kept, so that no other can take its place.
  std::map<PyObject*, std::pair<std::string, nanobind::object>> inline_names = {};
  /// Functions of the catalog by the place of their code.
  std::map<std::string, std::shared_ptr<const catalog::InlineFunction>> loaded = {};

  /// The name by which this session calls a `Function` of Python; given when it is first used.
  const std::string& inline_name(nanobind::handle function);
};

using SessionPtr = std::shared_ptr<SessionHandle>;

struct RelationHandle {
  SessionPtr owner;
  planner::Relation relation;
};

/// Milliseconds of a clock that only goes forward.
inline int64_t steady_ms() {
  const auto since_start = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since_start).count();
}

/// A job as Python holds it; its run time is measured from when the handle's result was made.
struct JobHandle {
  std::shared_ptr<runtime::Job> job;
  std::shared_ptr<engine::Process> process;
  int64_t started_ms = steady_ms();
  int64_t ended_ms = 0;
  JobEnding ending = {};

  int64_t runtime_ms() {
    if (ended_ms == 0 && job->wait_for(0)) {
      ended_ms = steady_ms();
    }
    return (ended_ms == 0 ? steady_ms() : ended_ms) - started_ms;
  }
};

/// What ended a job, when it did not end well. Of one that is still being cancelled: that a
/// function was left behind.
inline std::optional<Error> fault_of(const runtime::Job& job) {
  if (auto failure = job.failure()) {
    return failure;
  }
  const std::string text = "Job was cancelled: " + job.id().to_string();
  if (job.status() == runtime::JobStatus::kCancelling) {
    return Error(ErrorCode::kJobCancelled,
                 text + "; a function that does not come back from native code was left behind")
        .hint(
            "Give what the function waits for a time-out, or set python.execution-mode to "
            "process.");
  }
  if (job.status() == runtime::JobStatus::kCancelled) {
    return Error(ErrorCode::kJobCancelled, text);
  }
  return std::nullopt;
}

/// A result that Python reads. Used by one thread, but for `close`.
struct ResultHandle {
  SessionPtr owner;
  engine::Result result;
  std::string statement;
  std::unique_ptr<engine::ResultPrinter> printer = nullptr;
  /// Whether rows were asked for already.
  bool started = false;
  bool ended = false;
  int64_t started_ms = steady_ms();
  JobEnding ending = {};
};

void bind_session(nanobind::module_& module, const std::shared_ptr<LazyProcess>& process);
void bind_relation(nanobind::module_& module);
void bind_result(nanobind::module_& module);
void bind_job(nanobind::module_& module);
void bind_inspection(nanobind::class_<JobHandle>& job);
void bind_script(nanobind::module_& module);
void bind_function(nanobind::module_& module);
void bind_kafka_tools(nanobind::module_& module);
void bind_streams(nanobind::module_& module);

/// [(name, type text)] of a schema.
nanobind::list columns_of(const Schema& schema);

/// The INSERTs that Python gives: `Insert` of `_native.pyi`.
std::vector<engine::Insert> inserts_from(const nanobind::sequence& inserts);

/// The columns that Python gives as [(name, type text)].
Schema schema_from(const nanobind::sequence& columns);

}  // namespace thalweg::binding
