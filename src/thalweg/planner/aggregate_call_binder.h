#pragma once

#include <memory>
#include <vector>

#include "thalweg/expression/aggregate_function.h"
#include "thalweg/expression/expression.h"
#include "thalweg/planner/planner_context.h"
#include "thalweg/sql/ast_expression.h"

namespace thalweg::planner {

/// An aggregate's call with its operands, cast to the signature, before it is known in which
/// columns they lie.
struct UnplacedCall {
  expression::AggregateCall call;
  std::vector<expression::ExpressionPtr> operands;
};

/// Chooses the form of `function` that takes the operands. Throws where none does, and where
/// DISTINCT, or the number of operands, is not supported.
UnplacedCall bind_aggregate_call(const sql::FunctionCall& node,
                                 std::shared_ptr<const expression::AggregateFunction> function,
                                 const std::vector<expression::ExpressionPtr>& operands,
                                 const PlannerContext& context);

/// The same for a call that no query writes.
UnplacedCall bind_aggregate_call(std::shared_ptr<const expression::AggregateFunction> function,
                                 const std::vector<expression::ExpressionPtr>& operands,
                                 SourcePosition position);

}  // namespace thalweg::planner
