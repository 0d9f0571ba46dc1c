#pragma once

#include <memory>
#include <vector>

#include "thalweg/expression/expression.h"
#include "thalweg/expression/scalar_function.h"
#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// GROUPING SETS, CUBE, ROLLUP: each row once for each projection, in order. A projection gives all
/// output columns: the input's, NULL for keys that are not in its set, and the set's number.
struct ExpandSpec {
  std::vector<std::vector<expression::ExpressionPtr>> projections;
  expression::EvaluationContext context = {};
};

std::shared_ptr<const stream::OperatorFactory> make_expand(ExpandSpec spec);

}  // namespace thalweg::operators
