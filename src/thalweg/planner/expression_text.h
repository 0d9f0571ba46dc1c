#pragma once

#include <string>
#include <vector>

#include "thalweg/expression/expression.h"
#include "thalweg/types/data_type.h"

namespace thalweg::planner {

/// The three plans of EXPLAIN write expressions differently: -($4, 1000:INTERVAL SECOND), then
/// -(ts, 1000:INTERVAL SECOND), then (ts - 1000:INTERVAL SECOND).
enum class PlanStyle : uint8_t { kAst, kPhysical, kExecution };

/// An expression over the columns of `input` as Flink's plans write it.
std::string expression_text(const expression::Expression& expr,
                            const Schema& input,
                            PlanStyle style);
/// A column of a SELECT in a syntax tree, over columns that are written as these texts.
std::string projection_text(const expression::Expression& expr,
                            const std::vector<std::string>& columns);

/// A literal's value, with its type where Calcite shows it.
std::string literal_text(const Value& value, const DataType& type, PlanStyle style, bool with_type);

/// One row of Values: "{ 1, _UTF-16LE'a' }".
std::string tuple_text(const std::vector<Value>& row, const Schema& schema, PlanStyle style);

/// A duration with the highest unit that divides it: "10 min", "90 s".
std::string duration_text(int64_t ms);

}  // namespace thalweg::planner
