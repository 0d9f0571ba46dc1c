#pragma once

#include <string>
#include <vector>

#include "thalweg/expression/expression.h"
#include "thalweg/types/data_type.h"

namespace thalweg::planner {

/// The three plans of EXPLAIN write expressions differently: -($4, 1000:INTERVAL SECOND), then
/// -(ts, 1000:INTERVAL SECOND), then (ts - 1000:INTERVAL SECOND). The second one of batch mode
/// leaves out the type of a literal that is compared with a value of the same: >(n, 0), not >(n,
/// 0:BIGINT).
enum class PlanStyle : uint8_t { kAst, kPhysical, kBatchPhysical, kExecution };

/// An expression over the columns of `input` as Flink's plans write it.
std::string expression_text(const expression::Expression& expr,
                            const Schema& input,
                            PlanStyle style);

/// As expression_text in the style of syntax trees, of a column that a SELECT computes: Calcite
/// simplifies these while it builds the tree.
std::string projection_text(const expression::Expression& expr, const Schema& input);
/// The same over columns that are written as these texts.
std::string projection_text(const expression::Expression& expr,
                            const std::vector<std::string>& columns);

/// The condition that a source would take over: "and(>(a, 1), <(b, 2))".
std::string pushed_filter_text(const expression::Expression& condition, const Schema& input);

/// A literal's value, with its type where Calcite shows it.
std::string literal_text(const Value& value, const DataType& type, PlanStyle style, bool with_type);

/// One row of Values: "{ 1, _UTF-16LE'a' }".
std::string tuple_text(const std::vector<Value>& row, const Schema& schema, PlanStyle style);

/// A duration with the highest unit that divides it: "10 min", "90 s".
std::string duration_text(int64_t ms);

}  // namespace thalweg::planner
