#pragma once

#include "thalweg/planner/physical_plan.h"

namespace thalweg::planner {

/// Equal subtrees become one node with several consumers, so that a table is read once for all of
/// them (`table.optimizer.reuse-sub-plan-enabled`).
std::vector<PhysicalPtr> share_subplans(const std::vector<PhysicalPtr>& roots);

}  // namespace thalweg::planner
