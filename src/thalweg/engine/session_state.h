#pragma once

#include <memory>
#include <string>
#include <vector>

#include "thalweg/catalog/catalog_manager.h"
#include "thalweg/engine/configuration.h"
#include "thalweg/engine/process.h"
#include "thalweg/engine/session.h"
#include "thalweg/engine/table_provider.h"
#include "thalweg/planner/planner_context.h"

namespace thalweg::engine {

/// A line of SHOW JOBS.
struct JobSummary {
  std::string id;
  std::string name;
  std::string status;
};

/// The modules of LOAD MODULE and USE MODULES, in the order of their look-up.
struct Modules {
  std::vector<std::string> loaded = {"core"};
  std::vector<std::string> used = {"core"};
};

/// What the statements of a session work on. Owned by the session, which gives it to one statement
/// at a time.
struct SessionState {
  SessionState(std::shared_ptr<Process> the_process, SessionOptions the_options);

  std::shared_ptr<Process> process;
  SessionOptions options;
  Configuration config;
  catalog::CatalogManager catalogs;
  SessionTableProvider tables;
  planner::PlannerContext planner;
  std::vector<std::shared_ptr<runtime::Job>> jobs;
  /// Jobs that are over, oldest first, as SHOW JOBS lists them; the last kEndedJobs.
  std::vector<JobSummary> ended_jobs;
  Modules modules;

  static constexpr size_t kEndedJobs = 100;
};

}  // namespace thalweg::engine
