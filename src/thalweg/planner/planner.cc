#include "thalweg/planner/planner.h"

#include "thalweg/planner/changelog.h"
#include "thalweg/planner/narrow_scans.h"
#include "thalweg/planner/optimizer.h"
#include "thalweg/planner/physical_planner.h"
#include "thalweg/planner/prune_fields.h"
#include "thalweg/planner/rules/rule.h"
#include "thalweg/planner/share_subplans.h"

namespace thalweg::planner {

LogicalPtr simplify(const LogicalPtr& plan, const PlannerContext& context) {
  LogicalPtr simplified = fold_constants(plan, context);
  simplified = prune_empty(simplified, context);
  simplified = recognise_group_windows(simplified);
  simplified = remove_aggregates(rewrite_set_operations(simplified));
  simplified = expand_grouping_sets(simplified, context);
  simplified = merge_calcs(simplified);
  simplified = recognise_window_aggregates(simplified, context);
  simplified = merge_calcs(lift_projections(merge_calcs(simplified)));
  return push_into_scans(prune_columns(simplified));
}

PhysicalPlan optimize(const std::vector<LogicalPtr>& roots,
                      bool query_wants_update_before,
                      const PlannerContext& context) {
  PhysicalPlan plan;
  plan.is_batch = context.is_batch();
  plan.time_zone = context.time_zone();
  plan.is_query = roots.size() == 1 && roots.front()->kind != LogicalNodeKind::kSink;
  plan.schema = roots.front()->schema;
  for (const LogicalPtr& root : roots) {
    const PhysicalPtr physical = PhysicalPlanner(context).plan(simplify(root, context));
    plan.roots.push_back(settle_changelog(physical, query_wants_update_before));
  }
  if (context.flag("table.optimizer.reuse-sub-plan-enabled", true)) {
    plan.roots = share_subplans(plan.roots);
  }
  plan.roots = prune_fields(plan.roots, context);
  return plan;
}

PhysicalPlan optimize(const std::vector<LogicalPtr>& roots, const PlannerContext& context) {
  PhysicalPlan plan = optimize(roots, true, context);
  plan.roots = narrow_scans(plan.roots, context);
  return plan;
}

}  // namespace thalweg::planner
