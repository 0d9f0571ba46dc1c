#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "thalweg/expression/aggregate_function.h"
#include "thalweg/expression/expression.h"

namespace thalweg::planner {

// Calls that stand in plans only until a rule replaces them: group windows, their bounds, GROUPING.
// They have a name and a type, but no body.

expression::ExpressionPtr internal_call(std::string name,
                                        DataType type,
                                        std::vector<expression::ExpressionPtr> operands,
                                        SourcePosition position);

/// The name when `expr` is an internal call, else empty.
std::string_view internal_name(const expression::Expression& expr);

/// An aggregate call without a body (GROUPING).
expression::AggregateCall internal_aggregate(std::string name,
                                             DataType type,
                                             std::vector<ColumnIndex> arguments);
bool is_internal_aggregate(const expression::AggregateCall& call);

}  // namespace thalweg::planner
