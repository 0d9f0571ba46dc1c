#pragma once

#include <string_view>
#include <vector>

#include "thalweg/expression/expression.h"

namespace thalweg::planner {

/// Throws at a bare NULL of SQL among the arguments of a function that Flink leaves to Calcite's
/// validator, which gives it no type; Flink's own functions infer one for most arguments.
void refuse_null_literals(std::string_view function,
                          const std::vector<expression::ExpressionPtr>& arguments);

}  // namespace thalweg::planner
