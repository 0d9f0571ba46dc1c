#pragma once

#include <string_view>
#include <vector>

#include "thalweg/expression/expression.h"

namespace thalweg::planner {

/// True for the functions that Flink leaves to Calcite's validator, which gives a bare NULL among
/// their arguments no type and refuses it; Flink's own functions infer one.
bool refuses_null_literals(std::string_view function);

/// Throws at a bare NULL of SQL among the arguments of such a function.
void refuse_null_literals(std::string_view function,
                          const std::vector<expression::ExpressionPtr>& arguments);

}  // namespace thalweg::planner
