#include "thalweg/operators/calc/calc.h"

#include <algorithm>

#include "thalweg/common/check.h"
#include "thalweg/expression/evaluator.h"
#include "thalweg/expression/field_access.h"
#include "thalweg/operators/calc/gathered.h"
#include "thalweg/operators/row_failure.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

using expression::Evaluator;
using expression::ExpressionPtr;
using expression::RowErrors;

void collect_parts(const ExpressionPtr& expression, std::vector<ExpressionPtr>& parts) {
  if (expression::is_part_of_input(*expression)) {
    parts.push_back(expression);
    return;
  }
  for (const ExpressionPtr& operand : expression->operands) {
    collect_parts(operand, parts);
  }
}

std::optional<int32_t> index_in(const std::vector<ExpressionPtr>& parts,
                                const expression::Expression& expression) {
  for (size_t i = 0; i < parts.size(); ++i) {
    if (equal(*parts[i], expression)) {
      return static_cast<int32_t>(i);
    }
  }
  return std::nullopt;
}

bool lies_within(const ExpressionPtr& part, const std::vector<ExpressionPtr>& parts) {
  return expression::is_field_access(*part) &&
         (index_in(parts, *part->operands[0]) || lies_within(part->operands[0], parts));
}

/// What the expressions read of the input, each part once: columns, and of rows only the fields
/// that are needed.
std::vector<ExpressionPtr> parts_of(const std::vector<ExpressionPtr>& expressions) {
  std::vector<ExpressionPtr> all;
  for (const ExpressionPtr& expression : expressions) {
    collect_parts(expression, all);
  }
  std::vector<ExpressionPtr> parts;
  for (const ExpressionPtr& part : all) {
    if (!index_in(parts, *part) && !lies_within(part, all)) {
      parts.push_back(part);
    }
  }
  return parts;
}

/// The expression over a batch of `parts`.
ExpressionPtr over_parts(const ExpressionPtr& expression, const std::vector<ExpressionPtr>& parts) {
  if (const auto index = index_in(parts, *expression)) {
    return expression::make_column({*index}, expression->type, expression->position);
  }
  if (expression->operands.empty()) {
    return expression;
  }
  expression::Expression copy = *expression;
  for (ExpressionPtr& operand : copy.operands) {
    operand = over_parts(operand, parts);
  }
  return std::make_shared<const expression::Expression>(std::move(copy));
}

std::vector<ExpressionPtr> over_parts(std::vector<ExpressionPtr> expressions,
                                      const std::vector<ExpressionPtr>& parts) {
  for (ExpressionPtr& expression : expressions) {
    expression = over_parts(expression, parts);
  }
  return expressions;
}

/// Filters, then projects. Only what the projections read is carried through the filter. One per
/// subtask, task thread.
class Calc final : public stream::Operator {
 public:
  explicit Calc(const CalcSpec& spec)
      : evaluation_(spec.context),
        parts_(parts_of(spec.projections)),
        carried_(parts_),
        projections_(over_parts(spec.projections, parts_)) {
    if (spec.condition != nullptr) {
      condition_.emplace(std::vector<ExpressionPtr>{spec.condition});
    }
  }

  /// What rows are to be gathered to, where some function asks for it.
  std::optional<expression::Gathering> gathering() const {
    std::optional<expression::Gathering> wanted = projections_.gathering();
    if (condition_.has_value()) {
      if (const auto other = condition_->gathering()) {
        wanted = wanted.has_value() && wanted->rows < other->rows ? wanted : other;
      }
    }
    return wanted;
  }

  void open(stream::OperatorContext& context) override {
    context_ = &context;
    filtered_rows_ = &context.counter(stream::metric::kFilteredRows);
    evaluation_.subtask = context.subtask();
  }

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    const int32_t rows = batch.row_count();
    int32_t begin = 0;
    // Slow functions get few rows at a time, so that their results leave soon.
    for (int32_t step = preferred_rows(); rows - begin > step; step = preferred_rows()) {
      compute(batch.slice(begin, begin + step), output);
      begin += step;
    }
    compute(begin == 0 ? std::move(batch) : batch.slice(begin, rows), output);
  }

  void on_watermark(EventTime watermark, stream::Output& output) override {
    evaluation_.watermark = watermark;
    output.emit_watermark(watermark);
  }

 private:
  int32_t preferred_rows() const {
    const int32_t rows = projections_.preferred_rows();
    return condition_.has_value() ? std::min(rows, condition_->preferred_rows()) : rows;
  }

  void compute(const Batch& batch, stream::Output& output) {
    evaluation_.now = context_->now();
    std::optional<RowFailure> failure;
    Batch result = project(filter(batch, failure), failure);
    if (!batch.marks().empty()) {
      evaluation_.watermark = batch.marks().back().watermark;
    }
    if (result.row_count() > 0 || !result.marks().empty()) {
      output.emit(std::move(result));
    }
    if (failure.has_value()) {
      throw_row_failure(*failure, batch);
    }
  }

  /// The rows that pass, up to a row that fails; `passed_` tells which they are.
  Batch filter(const Batch& batch, std::optional<RowFailure>& failure) {
    RowErrors errors;
    Batch rows = batch.with_columns(carried_.evaluate(batch, evaluation_, errors));
    check(errors.empty(), "a part of a row cannot fail");
    all_passed_ = true;
    if (!condition_.has_value()) {
      return rows;
    }
    const auto condition = condition_->evaluate(batch, evaluation_, errors);
    selected_rows(*condition[0], passed_);
    int32_t limit = batch.row_count();
    if (!errors.empty()) {
      failure = errors.first();
      limit = failure->row;
      passed_.erase(std::lower_bound(passed_.begin(), passed_.end(), limit), passed_.end());
      rows = rows.slice(0, limit);
    }
    const auto passed = static_cast<int32_t>(passed_.size());
    filtered_rows_->add(limit - passed);
    if (passed == limit) {
      return rows;
    }
    all_passed_ = false;
    return rows.select(passed_);
  }

  Batch project(const Batch& rows, std::optional<RowFailure>& failure) {
    RowErrors errors;
    auto columns = projections_.evaluate(rows, evaluation_, errors);
    Batch result = rows.with_columns(std::move(columns));
    if (errors.empty()) {
      return result;
    }
    std::optional<RowFailure> first = errors.first();
    result = result.slice(0, first->row);
    if (!all_passed_) {
      first->row = passed_[static_cast<size_t>(first->row)];
    }
    failure = std::move(first);
    return result;
  }

  expression::EvaluationContext evaluation_;
  std::vector<ExpressionPtr> parts_;
  Evaluator carried_;
  /// Over `parts_`.
  Evaluator projections_;
  std::optional<Evaluator> condition_;
  stream::OperatorContext* context_ = nullptr;
  stream::Counter* filtered_rows_ = nullptr;
  std::vector<int32_t> passed_;
  bool all_passed_ = true;
};

class CalcFactory final : public stream::OperatorFactory {
 public:
  explicit CalcFactory(CalcSpec spec) : spec_(std::move(spec)) {}

  std::unique_ptr<stream::Operator> create() const override {
    auto calc = std::make_unique<Calc>(spec_);
    if (!calc->gathering().has_value()) {
      return calc;
    }
    const Calc* asked = calc.get();
    return make_gathered(std::move(calc), [asked] { return asked->gathering().value(); });
  }

 private:
  CalcSpec spec_;
};

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_calc(CalcSpec spec) {
  return std::make_shared<CalcFactory>(std::move(spec));
}

}  // namespace thalweg::operators
