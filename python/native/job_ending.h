#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "thalweg/engine/process.h"

namespace thalweg::binding {

/// Watches how a cancelled job ends. What its functions do in Python is interrupted after a second;
/// a function that does not come back from native code is left behind after another, for nothing
/// can end it but the end of the process. One for each place that waits; that place's thread.
class JobEnding {
 public:
  /// Without the GIL. Waits at most `timeout_ms`; whether nobody has to wait any more.
  bool wait_for(runtime::Job& job, const engine::Process* process, int64_t timeout_ms);

  /// The same, without waiting.
  bool is_over(runtime::Job& job, const engine::Process* process) {
    return wait_for(job, process, 0);
  }

  /// Somebody has waited for this job before.
  void be_impatient();

 private:
  int64_t since_ms_ = -1;
  bool was_interrupted_ = false;
  bool has_functions_ = false;
};

/// Cancels jobs of a process and waits until each has ended or was left behind. A value of the
/// place that ends them, made before anything else is done to the jobs.
class JobsEnd {
 public:
  JobsEnd(std::vector<std::shared_ptr<runtime::Job>> jobs,
          std::shared_ptr<const engine::Process> process);

  /// With the GIL. Waits for at most `timeout_ms`; whether all have ended.
  bool run(int64_t timeout_ms);

 private:
  std::vector<std::shared_ptr<runtime::Job>> jobs_;
  std::shared_ptr<const engine::Process> process_;
  std::vector<JobEnding> endings_;
};

}  // namespace thalweg::binding
