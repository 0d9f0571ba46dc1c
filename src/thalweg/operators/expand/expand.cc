#include "thalweg/operators/expand/expand.h"

#include <algorithm>

#include "thalweg/common/check.h"
#include "thalweg/expression/evaluator.h"
#include "thalweg/operators/factory.h"
#include "thalweg/operators/row_failure.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

/// One per subtask, task thread.
class Expand final : public stream::Operator {
 public:
  explicit Expand(const ExpandSpec& spec)
      : evaluation_(spec.context),
        copies_(static_cast<int32_t>(spec.projections.size())),
        width_(spec.projections.front().size()),
        evaluator_(all_expressions(spec)) {}

  void open(stream::OperatorContext& context) override {
    context_ = &context;
    evaluation_.subtask = context.subtask();
  }

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    evaluation_.now = context_->now();
    expression::RowErrors errors;
    const auto columns = evaluator_.evaluate(batch, evaluation_, errors);
    if (const auto failure = errors.first()) {
      throw_row_failure(*failure, batch);
    }
    const int32_t rows = batch.row_count();
    std::vector<int32_t> same(static_cast<size_t>(rows * copies_));
    std::vector<int32_t> interleaved(same.size());
    for (int32_t row = 0; row < rows; ++row) {
      for (int32_t copy = 0; copy < copies_; ++copy) {
        const auto target = static_cast<size_t>(row * copies_ + copy);
        same[target] = row;
        interleaved[target] = copy * rows + row;
      }
    }
    Batch result = batch.with_columns({}).select(same);
    std::vector<ColumnPtr> expanded;
    expanded.reserve(width_);
    for (size_t column = 0; column < width_; ++column) {
      std::vector<ColumnPtr> parts;
      for (size_t copy = 0; copy < static_cast<size_t>(copies_); ++copy) {
        parts.push_back(columns[copy * width_ + column]);
      }
      const bool is_same = std::all_of(
          parts.begin(), parts.end(), [&](const ColumnPtr& part) { return part == parts[0]; });
      expanded.push_back(is_same ? gather(parts[0], same) : gather(concat(parts), interleaved));
    }
    output.emit(result.with_columns(std::move(expanded)));
  }

 private:
  static std::vector<expression::ExpressionPtr> all_expressions(const ExpandSpec& spec) {
    std::vector<expression::ExpressionPtr> expressions;
    for (const auto& projection : spec.projections) {
      check(projection.size() == spec.projections.front().size(),
            "projections of one expand have the same columns");
      expressions.insert(expressions.end(), projection.begin(), projection.end());
    }
    return expressions;
  }

  expression::EvaluationContext evaluation_;
  int32_t copies_;
  size_t width_;
  expression::Evaluator evaluator_;
  stream::OperatorContext* context_ = nullptr;
};

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_expand(ExpandSpec spec) {
  return make_factory<Expand>(std::move(spec));
}

}  // namespace thalweg::operators
