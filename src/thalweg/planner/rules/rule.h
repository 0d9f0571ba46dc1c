#pragma once

#include <functional>

#include "thalweg/planner/logical_plan.h"
#include "thalweg/planner/planner_context.h"

namespace thalweg::planner {

// The rules, in the order of their use. Each takes a whole logical plan and gives an equivalent
// one; `optimize` calls them.

/// Computes what is constant, now: 1 + 2 becomes 3.
LogicalPtr fold_constants(const LogicalPtr& plan, const PlannerContext& context);
expression::ExpressionPtr fold(const expression::ExpressionPtr& expr,
                               const PlannerContext& context);
/// As fold, but a literal that is taken as another type of its family (1 as BIGINT) is left to be
/// shown as it was written.
expression::ExpressionPtr fold_for_plan(const expression::ExpressionPtr& expr,
                                        const PlannerContext& context);

/// What can have no rows is settled now: WHERE FALSE and LIMIT 0 read no table.
LogicalPtr prune_empty(const LogicalPtr& plan, const PlannerContext& context);

/// GROUP BY TUMBLE(...) and its bounds become one node.
LogicalPtr recognise_group_windows(const LogicalPtr& plan);

/// GROUP BY what is different in every row anyway, a primary key for one, becomes a projection.
LogicalPtr remove_aggregates(const LogicalPtr& plan);

/// GROUPING SETS become a plain GROUP BY, with the set's number as a further key, over rows given
/// once for each set.
LogicalPtr expand_grouping_sets(const LogicalPtr& plan, const PlannerContext& context);

/// UNION becomes UNION ALL and DISTINCT.
LogicalPtr rewrite_set_operations(const LogicalPtr& plan);

/// Adjacent projections and filters become one calc; calcs move below UNION ALL; those that do
/// nothing go.
LogicalPtr merge_calcs(const LogicalPtr& plan);

/// GROUP BY window_start, window_end over a window function becomes a window aggregate.
LogicalPtr recognise_window_aggregates(const LogicalPtr& plan, const PlannerContext& context);

/// ORDER BY and LIMIT of projected rows: the projection afterwards, for the rows that are left.
LogicalPtr lift_projections(const LogicalPtr& plan);

/// Columns that nobody reads are not computed, and not read by scans.
LogicalPtr prune_columns(const LogicalPtr& plan);

/// Scans note the filters and limits above that Flink's source would take over.
LogicalPtr push_into_scans(const LogicalPtr& plan);

// What rules are made of.

/// The same node over other inputs of the same schemas.
LogicalPtr with_inputs(const LogicalNode& node, std::vector<LogicalPtr> inputs);

/// Rebuilds a plan from its leaves: `rewrite` gets each node with its new inputs.
LogicalPtr transform_plan(const LogicalPtr& plan,
                          const std::function<LogicalPtr(const LogicalPtr&)>& rewrite);

/// A calc, merged into the input when that is a calc itself, and left out when it does nothing.
LogicalPtr make_calc(LogicalPtr input,
                     std::vector<expression::ExpressionPtr> projections,
                     expression::ExpressionPtr condition,
                     const std::vector<std::string>& names);

}  // namespace thalweg::planner
