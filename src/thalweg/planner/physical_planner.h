#pragma once

#include "thalweg/planner/logical_plan.h"
#include "thalweg/planner/physical_plan.h"
#include "thalweg/planner/planner_context.h"

namespace thalweg::planner {

/// Chooses for each node of a simplified logical plan how it is done: exchanges, phases, the way of
/// batch or streaming. Bottom-up; changelog modes are settled afterwards. One for each statement.
class PhysicalPlanner {
 public:
  explicit PhysicalPlanner(const PlannerContext& context)
      : context_(context), is_batch_(context.is_batch()) {}

  PhysicalPtr plan(const LogicalPtr& node);

 private:
  PhysicalPtr plan_scan(const LogicalScan& node);
  PhysicalPtr plan_watermark(const LogicalWatermarkAssigner& node);
  PhysicalPtr plan_values(const LogicalValues& node);
  PhysicalPtr plan_calc(const LogicalCalc& node);
  PhysicalPtr plan_union(const LogicalSetOperation& node);
  PhysicalPtr plan_aggregate(const LogicalAggregate& node);
  PhysicalPtr plan_window_aggregate(const LogicalWindowAggregate& node);
  PhysicalPtr plan_group_window(const LogicalGroupWindowAggregate& node);
  PhysicalPtr plan_window_function(const LogicalWindowFunction& node);
  PhysicalPtr plan_expand(const LogicalExpand& node);
  PhysicalPtr plan_correlate(const LogicalCorrelate& node);
  PhysicalPtr plan_changelog_function(const LogicalChangelogFunction& node);
  PhysicalPtr plan_over(const LogicalOver& node);
  /// Batch: where the rows of a partition come together, sorted.
  static PhysicalPtr place_batch_over(std::shared_ptr<OverAggregate> over,
                                      PhysicalPtr input,
                                      bool is_further);
  PhysicalPtr plan_sort(const LogicalSort& node);
  PhysicalPtr plan_limit(const LogicalSort& node, PhysicalPtr input);
  PhysicalPtr plan_sink(const LogicalSink& node);
  PhysicalPtr plan_custom_source(const LogicalCustomSource& node);
  PhysicalPtr plan_custom_operator(const LogicalCustomOperator& node);
  PhysicalPtr plan_custom_sink(const LogicalCustomSink& node);

  const PlannerContext& context_;
  bool is_batch_;
};

/// Throws where a condition on a row's number makes a Top-N that OVER cannot give in streaming
/// mode.
void refuse_top_n(const LogicalCalc& calc);

/// Rows of equal keys meet (no keys: all rows meet in one place).
PhysicalPtr exchange_by(PhysicalPtr input, std::vector<ColumnIndex> keys);

/// The two halves of a window aggregate around its exchange, as Flink shows them; `complete` is
/// what runs. Null where Flink uses one phase.
PhysicalPtr two_phase_window(const std::shared_ptr<WindowAggregate>& complete,
                             const PhysicalPtr& input);
/// The same for an aggregate in batch mode.
PhysicalPtr two_phase_aggregate(const std::shared_ptr<GroupAggregate>& complete,
                                const PhysicalPtr& input);

}  // namespace thalweg::planner
