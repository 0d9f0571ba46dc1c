#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "thalweg/engine/process.h"
#include "thalweg/engine/result_printer.h"
#include "thalweg/engine/session.h"

namespace thalweg::binding {

/// The engine's process, made when the first session is. Held by the module; `close` (at exit) cancels all jobs
/// before the interpreter goes.
class LazyProcess {
 public:
  std::shared_ptr<engine::Process> get();
  void close();

 private:
  std::shared_ptr<engine::Process> process_;
};

/// What Python's Session holds. Relations, results and jobs share it, so it outlives them.
struct SessionHandle {
  std::shared_ptr<engine::Process> process;
  std::unique_ptr<engine::Session> session;
  int32_t next_view = 0;
};

using SessionPtr = std::shared_ptr<SessionHandle>;

struct RelationHandle {
  SessionPtr owner;
  planner::Relation relation;
};

struct JobHandle {
  std::shared_ptr<runtime::Job> job;
  int64_t started_ms = 0;
};

/// A result that Python reads. Used by one thread, but for `close`.
struct ResultHandle {
  SessionPtr owner;
  engine::Result result;
  std::string statement;
  std::unique_ptr<engine::ResultPrinter> printer = nullptr;
  bool ended = false;
};

void bind_session(nanobind::module_& module, const std::shared_ptr<LazyProcess>& process);
void bind_relation(nanobind::module_& module);
void bind_result(nanobind::module_& module);
void bind_job(nanobind::module_& module);
void bind_script(nanobind::module_& module);
void bind_function(nanobind::module_& module);
void bind_kafka_tools(nanobind::module_& module);

/// [(name, type text)] of a schema.
nanobind::list columns_of(const Schema& schema);

/// The columns that Python gives as [(name, type text)].
Schema schema_from(const nanobind::sequence& columns);

}  // namespace thalweg::binding
