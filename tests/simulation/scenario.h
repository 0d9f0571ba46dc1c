#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/test_parts.h"
#include "simulation/fault_plan.h"

namespace thalweg::simulation {

/// A small job with its faults, all of it drawn from one seed.
struct Scenario {
  explicit Scenario(uint64_t seed);

  std::string to_string() const;

  uint64_t seed;
  int32_t parallelism;
  /// The process ends at the first fault; another goes on from the newest checkpoint, at this
  /// parallelism. 0: the job restarts by itself.
  int32_t resumes_at;
  /// Windows that fire by watermark, or a count for each row.
  bool has_windows;
  /// Sources that feed the same operator, each with rows of its own.
  int32_t sources;
  test::CountingSource::Settings source;
  int32_t batch_rows;
  int32_t channel_capacity;
  int64_t buffer_timeout_ms;
  int64_t checkpoint_interval_ms;
  int32_t tolerable_failed_checkpoints;
  std::vector<Fault> faults;
};

/// What came of a scenario.
struct Outcome {
  std::vector<std::string> committed;
  /// Of the turns that the threads had, in their order.
  uint64_t trace_hash = 14695981039346656037U;
  int64_t turns = 0;
  int64_t faults_struck = 0;
  /// Not empty: the job did not end well.
  std::string failure;
};

/// Runs it. `folder` is for its checkpoints, and empty afterwards.
Outcome run(const Scenario& scenario, const std::string& folder);

/// What must have been committed, whatever happened on the way.
std::vector<std::string> expected(const Scenario& scenario);

}  // namespace thalweg::simulation
