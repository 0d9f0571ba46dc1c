#pragma once

#include <map>
#include <memory>
#include <vector>

#include "functions/differential/reference_numbers.h"
#include "thalweg/expression/evaluator.h"

namespace thalweg::functions::differential {

/// Evaluates an expression for one row at a time by walking its tree. Arithmetic, comparison,
/// logic, the conditional forms and casts between numbers and texts are written out here; other
/// functions run in their own kernel, over a batch of just the row.
class Reference {
 public:
  /// What belongs to constants: they may not be divided by zero, and give no -0.0.
  enum class Constants : uint8_t { kFolded, kLikeOthers };

  explicit Reference(const expression::EvaluationContext& context,
                     Constants constants = Constants::kFolded)
      : context_(context), is_folding_(constants == Constants::kLikeOthers) {}

  /// `row` has a value for each column.
  Outcome evaluate(const expression::ExpressionPtr& expression, const std::vector<Value>& row);

 private:
  /// An expression made ready once: the form that IF and its like stand for, or a kernel over the
  /// operands as columns.
  struct Prepared {
    expression::ExpressionPtr expanded;
    std::unique_ptr<expression::Evaluator> kernel;
    std::string refusal;
  };

  Outcome evaluate_case(const expression::Expression& form, const std::vector<Value>& row);
  Outcome evaluate_coalesce(const expression::Expression& form, const std::vector<Value>& row);
  Outcome evaluate_logic(const expression::Expression& form, const std::vector<Value>& row);
  Outcome evaluate_call(const expression::ExpressionPtr& call, const std::vector<Value>& row);
  Outcome evaluate_cast(const expression::ExpressionPtr& cast, const std::vector<Value>& row);
  Outcome by_kernel(const expression::ExpressionPtr& expression, const std::vector<Value>& values);
  Outcome evaluate_node(const expression::ExpressionPtr& expression, const std::vector<Value>& row);
  /// Flink refuses a constant division by zero of any type, wherever it stands.
  bool divides_by_zero(const expression::Expression& constant, const std::vector<Value>& row);

  expression::EvaluationContext context_;
  std::map<const expression::Expression*, Prepared> prepared_;
  /// Within a constant expression, which the engine computes as a whole.
  bool is_folding_;
};

}  // namespace thalweg::functions::differential
