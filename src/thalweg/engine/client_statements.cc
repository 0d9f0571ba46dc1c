#include "thalweg/engine/statements.h"

namespace thalweg::engine {

Result execute_set(SessionState& state, const sql::Set& set) {
  if (!set.key.empty()) {
    state.config.set(set.key, set.value);
    return {};
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, value] : state.config.values()) {
    rows.push_back({key, value});
  }
  return text_listing({"key", "value"}, rows);
}

Result execute_reset(SessionState& state, const sql::Reset& reset) {
  if (!reset.key.empty()) {
    state.config.reset(reset.key);
    return {};
  }
  state.config.reset_all();
  for (const auto& [key, value] : state.options.config) {
    state.config.set(key, value);
  }
  return {};
}

JobSummary listed(const runtime::Job& job) {
  return {job.id().to_string(), job.name(), std::string(runtime::to_string(job.status()))};
}

Result execute_show_jobs(SessionState& state) {
  std::vector<JobSummary> jobs = state.ended_jobs;
  for (const auto& job : state.jobs) {
    jobs.push_back(listed(*job));
  }
  std::vector<std::vector<std::string>> rows;
  for (JobSummary& job : jobs) {
    rows.push_back({std::move(job.id), std::move(job.name), std::move(job.status)});
  }
  return text_listing({"job id", "job name", "status"}, rows);
}

Result execute_stop_job(SessionState& state, const sql::StopJob& stop) {
  for (const auto& job : state.jobs) {
    if (job->id().to_string() != stop.job_id) {
      continue;
    }
    if (!stop.with_savepoint) {
      job->cancel();
      return {};
    }
    const std::string directory = state.config.get("execution.checkpointing.savepoint-dir",
                                                   state.config.get("state.savepoints.dir", ""));
    if (directory.empty()) {
      throw Error(ErrorCode::kInvalidConfiguration, "A savepoint needs a directory")
          .hint("SET 'execution.checkpointing.savepoint-dir' = '/path'");
    }
    return text_listing({"savepoint path"},
                        {{job->stop_with_savepoint(directory, stop.with_drain)}});
  }
  throw Error(ErrorCode::kJobNotFound,
              fmt::format("No job with id '{}' in this session", stop.job_id));
}

}  // namespace thalweg::engine
