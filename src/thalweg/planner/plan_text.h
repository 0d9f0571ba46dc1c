#pragma once

#include <string>
#include <vector>

#include "thalweg/expression/aggregate_function.h"
#include "thalweg/planner/expression_text.h"
#include "thalweg/planner/logical_plan.h"
#include "thalweg/planner/physical_plan.h"

namespace thalweg::planner {

/// "LogicalAggregate(group=[{0}], s=[SUM($1)])".
std::string describe_logical(const LogicalNode& node);

/// "GroupAggregate(groupBy=[item], select=[item, SUM(price) AS s])" in one of the two styles of
/// physical plans.
std::string describe_physical(const PhysicalNode& node, PlanStyle style);

/// "I,UA".
std::string changelog_text(const stream::ChangelogMode& mode);

/// "targetColumns=[[1],[0]], " of INSERT INTO t (b, a), or nothing.
std::string target_columns_text(const std::vector<int32_t>& columns);

/// "[UA]"-like list of names, joined by ", ".
std::string column_names(const Schema& schema, const std::vector<ColumnIndex>& columns);

/// "SUM(price)", "COUNT(DISTINCT bidder) FILTER $f2" over the input's names; `style` kAst writes
/// $n and COUNT() for COUNT(*).
std::string call_text(const expression::AggregateCall& call, const Schema& input, PlanStyle style);
/// The same with arguments that are written as these texts.
std::string call_text(const expression::AggregateCall& call,
                      const std::vector<std::string>& columns,
                      PlanStyle style);

/// The columns of a window's node over the row below: "COUNT() OVER (PARTITION BY $0)".
std::vector<std::string> over_column_texts(const LogicalOver& over);

/// "partitionBy=[a], orderBy=[ts ASC], window=[ ROWS BETWEEN ...], select=[a, ts, COUNT(*) AS n]".
std::string over_terms(const OverAggregate& node, PlanStyle style);

/// "TUMBLE(time_col=[ts], size=[10 min])".
std::string window_text(const WindowSpec& window,
                        const Schema& input,
                        const std::vector<ColumnIndex>& partition_keys);

}  // namespace thalweg::planner
