#pragma once

#include <memory>
#include <vector>

#include "thalweg/expression/expression.h"
#include "thalweg/expression/scalar_function.h"
#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// WHERE and SELECT in one step: the condition first, then the output columns over the rows that
/// passed.
struct CalcSpec {
  std::vector<expression::ExpressionPtr> projections;
  /// Null: every row passes.
  expression::ExpressionPtr condition = nullptr;
  /// Zone, mode and start of the statement; clock, watermark and subtask are filled in per batch.
  expression::EvaluationContext context = {};
};

std::shared_ptr<const stream::OperatorFactory> make_calc(CalcSpec spec);

}  // namespace thalweg::operators
