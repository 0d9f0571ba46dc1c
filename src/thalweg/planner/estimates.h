#pragma once

#include <string>
#include <vector>

#include "thalweg/planner/physical_plan.h"

namespace thalweg::planner {

/// "rowcount = 5.0E7, cumulative cost = {...}": rough guesses by rules of thumb, in Flink's form.
std::string estimate_text(const PhysicalNode& node);

/// The nodes of a plan as JSON, in the form of Flink's JSON_EXECUTION_PLAN.
std::string json_plan(const std::vector<PhysicalPtr>& roots);

}  // namespace thalweg::planner
