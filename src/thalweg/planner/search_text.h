#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/expression/expression.h"
#include "thalweg/planner/expression_text.h"

namespace thalweg::planner {

/// Writes an operand that is no comparison.
using WriteExpression = std::function<std::string(const expression::Expression&)>;

/// The operands of an AND or OR as Calcite's RexSimplify leaves them: comparisons of one expression
/// with literals become one, "SEARCH(a, Sarg[1, 2])" where no single comparison says the same.
/// "false" alone when none can hold.
std::vector<std::string> simplified_operands(const expression::Expression& junction,
                                             PlanStyle style,
                                             const WriteExpression& write);

/// The comparison that is true where the named one is false: "<=" of ">"; none for other names.
std::optional<std::string_view> negated_comparison(std::string_view name);

}  // namespace thalweg::planner
