#pragma once

#include <functional>
#include <string>

#include "thalweg/expression/expression.h"
#include "thalweg/planner/planner_context.h"

namespace thalweg::planner {

/// What SUM, AVG, STDDEV and VAR are over a window: Flink's (Calcite's) planner computes them from
/// COUNT and sums, in the types of SQL's arithmetic. So the deviation of integers is an integer,
/// and sums that do not fit wrap around.
class OverFormulas {
 public:
  /// Gives `function`(operand) over the window.
  using Call = std::function<expression::ExpressionPtr(const std::string& function,
                                                       const expression::ExpressionPtr& operand)>;

  /// `result` is the type of the function that the query writes; `may_be_empty`: the window's frame
  /// need not hold a row.
  OverFormulas(const PlannerContext& context,
               Call call,
               DataType result,
               bool may_be_empty,
               SourcePosition position)
      : context_(context),
        call_(std::move(call)),
        result_(std::move(result)),
        may_be_empty_(may_be_empty),
        position_(position) {}

  /// The formula for a function of this name, or null where it is called itself.
  expression::ExpressionPtr compute(const std::string& function,
                                    const expression::ExpressionPtr& operand) const;

 private:
  using ExpressionPtr = expression::ExpressionPtr;

  /// NULL where nothing was counted.
  ExpressionPtr sum(const ExpressionPtr& operand) const;
  ExpressionPtr average(const ExpressionPtr& operand) const;
  ExpressionPtr spread(ExpressionPtr operand, bool is_sample, bool is_root) const;

  ExpressionPtr arithmetic(const std::string& op, ExpressionPtr left, ExpressionPtr right) const;
  /// As a value of the result's type, cast where it has another one.
  ExpressionPtr as_result(ExpressionPtr value) const;
  ExpressionPtr whole_number(int64_t value, const DataType& type) const;
  ExpressionPtr either(ExpressionPtr condition, ExpressionPtr value, ExpressionPtr otherwise) const;

  const PlannerContext& context_;
  Call call_;
  DataType result_;
  bool may_be_empty_;
  SourcePosition position_;
};

}  // namespace thalweg::planner
