#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "thalweg/expression/expression.h"
#include "thalweg/expression/gathering_kernel.h"
#include "thalweg/expression/row_errors.h"
#include "thalweg/expression/scalar_function.h"
#include "thalweg/types/batch.h"

namespace thalweg::expression {

/// Expressions compiled for one task: constants folded, common subexpressions shared, kernels made.
/// Not thread-safe; operators hold one and call it for each batch.
class Evaluator {
 public:
  explicit Evaluator(std::vector<ExpressionPtr> expressions);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;
  Evaluator& operator=(Evaluator&&) noexcept;

  /// One column of batch.row_count() rows for each expression. Rows in `errors` have undefined
  /// values.
  std::vector<ColumnPtr> evaluate(const Batch& batch,
                                  const EvaluationContext& context,
                                  RowErrors& errors);

  size_t size() const;

  /// How many rows a batch should have at most: the least that its functions ask for.
  int32_t preferred_rows() const;

  /// What rows are to be gathered to before they are evaluated; nothing where no function asks.
  std::optional<Gathering> gathering() const;

 private:
  struct Program;
  std::unique_ptr<Program> program_;
};

/// The value of a constant expression; throws its error. Used by the binder to fold and for
/// options.
Value evaluate_constant(const ExpressionPtr& expression, const EvaluationContext& context);

}  // namespace thalweg::expression
