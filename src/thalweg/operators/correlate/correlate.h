#pragma once

#include <memory>
#include <vector>

#include "thalweg/expression/expression.h"
#include "thalweg/expression/table_function.h"
#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// Each row with the rows that a table function makes of it. Output columns: the input's, then the
/// function's.
struct CorrelateSpec {
  std::shared_ptr<const expression::TableFunction> function;
  expression::TableSignature signature;
  /// Over the input's columns, already cast to the signature.
  std::vector<expression::ExpressionPtr> arguments;
  /// A row of which the function makes none is kept, with NULLs.
  bool is_outer = false;
  expression::EvaluationContext context;
};

std::shared_ptr<const stream::OperatorFactory> make_correlate(CorrelateSpec spec);

}  // namespace thalweg::operators
