#pragma once

#include <memory>
#include <string>

#include "thalweg/engine/configuration.h"
#include "thalweg/planner/physical_plan.h"
#include "thalweg/runtime/job_graph.h"

namespace thalweg::engine {

/// Turns a physical plan into the graph of a job: chains of operators on vertices, exchanges as
/// edges. The last root's rows go to `result_sink`. Operator ids follow the plan's order, so one
/// plan has the same ids in every run.
runtime::JobGraph build_job(const planner::PhysicalPlan& plan,
                            const Configuration& config,
                            const std::string& name,
                            std::shared_ptr<const stream::TableSink> result_sink = nullptr);

}  // namespace thalweg::engine
