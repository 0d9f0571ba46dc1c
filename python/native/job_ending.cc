#include "job_ending.h"

#include <algorithm>
#include <chrono>

#include <nanobind/nanobind.h>

#include "handles.h"
#include "waiting.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

/// How long a cancelled job gets to end by itself, and how long once its functions were
/// interrupted.
constexpr int64_t kCancelMs = 1'000;
constexpr int64_t kInterruptMs = 1'000;
/// Both, where somebody has waited before.
constexpr int64_t kAgainMs = 200;

bool is_final(runtime::JobStatus status) {
  return status == runtime::JobStatus::kFinished || status == runtime::JobStatus::kFailed ||
         status == runtime::JobStatus::kCancelled;
}

/// Functions cannot be told apart by their jobs, so only a lone job's are interrupted.
bool is_alone(const runtime::Job& job, const engine::Process* process) {
  if (process == nullptr) {
    return false;
  }
  const auto jobs = process->runtime->jobs();
  return std::all_of(jobs.begin(), jobs.end(), [&](const auto& other) {
    const runtime::JobStatus status = other->status();
    return other.get() == &job || is_final(status) || status == runtime::JobStatus::kCancelling;
  });
}

/// Whether functions of the user run on threads of the engine; they are interrupted where asked.
bool functions_run(bool interrupt) {
  const nb::gil_scoped_acquire gil;
  try {
    const nb::object running =
        nb::module_::import_("thalweg.table.function_runtime").attr("running_functions")(interrupt);
    return nb::cast<int64_t>(running) > 0;
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("interrupting Python functions");
    return false;
  }
}

}  // namespace

bool JobEnding::wait_for(runtime::Job& job, const engine::Process* process, int64_t timeout_ms) {
  if (job.wait_for(timeout_ms)) {
    return true;
  }
  if (job.status() != runtime::JobStatus::kCancelling) {
    return false;
  }
  const int64_t now = steady_ms();
  if (since_ms_ < 0) {
    since_ms_ = now;
  }
  if (!was_interrupted_ && now - since_ms_ >= kCancelMs) {
    was_interrupted_ = true;
    has_functions_ = functions_run(is_alone(job, process));
  }
  return has_functions_ && now - since_ms_ >= kCancelMs + kInterruptMs && functions_run(false);
}

void JobEnding::be_impatient() {
  since_ms_ = steady_ms() - kCancelMs - kInterruptMs + kAgainMs;
}

JobsEnd::JobsEnd(std::vector<std::shared_ptr<runtime::Job>> jobs,
                 std::shared_ptr<const engine::Process> process)
    : jobs_(std::move(jobs)), process_(std::move(process)), endings_(jobs_.size()) {
  for (size_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i]->status() == runtime::JobStatus::kCancelling) {
      endings_[i].be_impatient();
    }
  }
}

bool JobsEnd::run(int64_t timeout_ms) {
  const nb::gil_scoped_release release;
  for (const auto& job : jobs_) {
    job->cancel();
  }
  const int64_t deadline = steady_ms() + timeout_ms;
  bool over = false;
  while (!over && steady_ms() < deadline) {
    over = true;
    for (size_t i = 0; i < jobs_.size(); ++i) {
      over = endings_[i].wait_for(*jobs_[i], process_.get(), over ? kSignalCheckMs : 0) && over;
    }
  }
  return std::ranges::all_of(jobs_, [](const auto& job) { return job->wait_for(0); });
}

}  // namespace thalweg::binding
