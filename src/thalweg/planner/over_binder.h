#pragma once

#include <string>
#include <vector>

#include "thalweg/planner/aggregate_call_binder.h"
#include "thalweg/planner/logical_plan.h"
#include "thalweg/planner/over_window.h"
#include "thalweg/planner/query_binder.h"

namespace thalweg::planner {

/// Collects the calls of OVER in one SELECT. In expressions a call is a stand-in until `project`
/// puts the column of its result there. Made for one SELECT; borrows the context.
class OverBinder {
 public:
  OverBinder(const PlannerContext& context, const SelectClauses& clauses);

  /// A call with OVER, whose operands are bound by `row`.
  expression::ExpressionPtr bind(const sql::FunctionCall& call, ExpressionBinder& row);

  bool is_empty() const { return calls_.empty(); }

  /// The SELECT list over `rows`, with the windows that it needs between them. What does not depend
  /// on a result is computed below them. To be called once, at the end.
  LogicalPtr project(LogicalPtr rows,
                     std::vector<expression::ExpressionPtr> projections,
                     const std::vector<std::string>& names);

 private:
  /// A call whose arguments are places in `operands_`.
  struct PlacedCall {
    expression::AggregateCall call;
    size_t window = 0;
    expression::ExpressionPtr stand_in;
  };

  std::vector<expression::ExpressionPtr> bind_operands(const sql::FunctionCall& call,
                                                       ExpressionBinder& row) const;
  size_t add_window(OverWindow window);
  size_t add_operand(expression::ExpressionPtr operand);
  expression::ExpressionPtr computed_below(const expression::ExpressionPtr& expr);
  expression::ExpressionPtr add_call(UnplacedCall bound, size_t window, SourcePosition position);

  const PlannerContext& context_;
  std::vector<sql::NamedWindow> named_;
  bool uses_formulas_;
  std::vector<OverWindow> windows_;
  std::vector<expression::ExpressionPtr> operands_;
  std::vector<PlacedCall> calls_;
};

/// Whether a bound expression has the stand-in of such a call in it.
bool has_over_call(const expression::Expression& expr);

}  // namespace thalweg::planner
