#pragma once

#include "thalweg/planner/logical_plan.h"
#include "thalweg/planner/physical_plan.h"
#include "thalweg/planner/planner_context.h"

namespace thalweg::planner {

/// All rules on logical plans, in their order.
LogicalPtr simplify(const LogicalPtr& plan, const PlannerContext& context);

/// As the public `optimize`; a query's reader may do without the old rows of updates (EXPLAIN shows
/// such a plan, as nobody prints its rows).
PhysicalPlan optimize(const std::vector<LogicalPtr>& roots,
                      bool query_wants_update_before,
                      const PlannerContext& context);

}  // namespace thalweg::planner
