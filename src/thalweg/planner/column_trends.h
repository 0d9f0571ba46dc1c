#pragma once

#include <vector>

#include "thalweg/planner/physical_plan.h"

namespace thalweg::planner {

/// How a column's value moves when a row of a changelog is updated (Flink's
/// RelModifiedMonotonicity).
enum class Trend : uint8_t { kUnknown, kConstant, kRising, kFalling };

/// One for each column of the node.
std::vector<Trend> column_trends(const PhysicalNode& node);

/// The calls of an aggregate whose input takes rows back. MAX of what only rises, and MIN of what
/// only falls, does without: as Flink, it lets what is taken back count until the new value comes.
std::vector<expression::AggregateCall> without_needless_retraction(
    std::vector<expression::AggregateCall> calls, const PhysicalNode& input);

}  // namespace thalweg::planner
