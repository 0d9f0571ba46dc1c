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
};

}  // namespace thalweg::engine
