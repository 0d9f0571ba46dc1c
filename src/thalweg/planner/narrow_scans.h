#pragma once

#include <vector>

#include "thalweg/planner/physical_plan.h"
#include "thalweg/planner/planner_context.h"

namespace thalweg::planner {

/// Scans read just the columns that some consumer reads. Plans are shown without it, since Flink's
/// sources of most connectors read whole rows; what runs need not.
std::vector<PhysicalPtr> narrow_scans(const std::vector<PhysicalPtr>& roots,
                                      const PlannerContext& context);

}  // namespace thalweg::planner
