#pragma once

#include <vector>

#include "thalweg/planner/physical_plan.h"
#include "thalweg/planner/planner_context.h"

namespace thalweg::planner {

/// Sources that can (SourceAbilities::nested_projection) read only those fields of their ROW
/// columns that somebody reads. The last step: subplans are shared by what plans show, which is the
/// rows' names alone, and a shared scan reads what all its consumers need.
std::vector<PhysicalPtr> prune_fields(const std::vector<PhysicalPtr>& roots,
                                      const PlannerContext& context);

}  // namespace thalweg::planner
