#include "functions/differential/differential.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "functions/differential/reference.h"
#include "functions/differential/values.h"
#include "thalweg/planner/expression_text.h"
#include "thalweg/types/column_operations.h"
#include "thalweg/types/text.h"

namespace thalweg::functions::differential {

using expression::EvaluationContext;
using expression::Evaluator;
using expression::Expression;
using expression::ExpressionKind;
using expression::ExpressionPtr;
using expression::RowErrors;

namespace {

constexpr int32_t kRowCounts[] = {1, 3, 9, 70};
/// How many rows of a batch are looked at one by one.
constexpr int32_t kRowsChecked = 9;

/// The first rows and those about the end of a word of 64 bits.
std::vector<int32_t> rows_checked(int32_t rows) {
  std::vector<int32_t> checked(static_cast<size_t>(std::min(rows, kRowsChecked)));
  std::iota(checked.begin(), checked.end(), 0);
  if (rows > 65) {
    checked[6] = 63;
    checked[7] = 64;
    checked[8] = rows - 1;
  }
  return checked;
}

EvaluationContext make_context() {
  EvaluationContext context;
  context.time_zone = "Europe/Berlin";
  context.now = {1'711'846'800'123};
  context.statement_start = {1'711'846'800'000};
  return context;
}

bool same(const Value& left, const Value& right) {
  const auto* one = std::get_if<double>(&left.data);
  const auto* other = std::get_if<double>(&right.data);
  if (one != nullptr && other != nullptr) {
    return (std::isnan(*one) && std::isnan(*other)) ||
           (*one == *other && std::signbit(*one) == std::signbit(*other));
  }
  using List = std::shared_ptr<const ValueList>;
  if (std::holds_alternative<List>(left.data) && std::holds_alternative<List>(right.data)) {
    return std::equal(
        left.list().begin(), left.list().end(), right.list().begin(), right.list().end(), same);
  }
  return left == right;
}

std::string shown(const Outcome& outcome, const DataType& type) {
  if (outcome.fails) {
    return "fails: " + outcome.reason;
  }
  std::string text;
  text::append_value(
      text, *constant_column(type, outcome.value, 1), 0, text::Style::kCast, TimeZone::find("UTC"));
  return type.is_character() && !outcome.value.is_null() ? "'" + text + "'" : text;
}

std::vector<Outcome> run(const ExpressionPtr& expression, const Batch& batch) {
  std::vector<Outcome> outcomes(static_cast<size_t>(batch.row_count()));
  try {
    Evaluator evaluator({expression});
    RowErrors errors;
    const ColumnPtr column = evaluator.evaluate(batch, make_context(), errors)[0];
    for (const RowFailure& failure : errors.failures()) {
      outcomes[static_cast<size_t>(failure.row)] = Outcome::failure(failure.error.message());
    }
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      Outcome& outcome = outcomes[static_cast<size_t>(row)];
      if (column->size() != batch.row_count()) {
        outcome = Outcome::failure(fmt::format("a column of {} rows", column->size()));
      } else if (!outcome.fails) {
        outcome.value = value_at(*column, row);
      }
    }
  } catch (const Error& error) {
    std::fill(outcomes.begin(), outcomes.end(), Outcome::failure(error.message()));
  }
  return outcomes;
}

std::vector<Value> row_of(const Batch& batch, int32_t row) {
  std::vector<Value> values;
  for (const ColumnPtr& column : batch.columns()) {
    values.push_back(value_at(*column, row));
  }
  return values;
}

/// The expression with a row's values as literals in place of its columns.
ExpressionPtr with_literals(const ExpressionPtr& expression, const std::vector<Value>& row) {
  if (expression->kind == ExpressionKind::kColumn) {
    return expression::make_literal(expression->type,
                                    row[static_cast<size_t>(expression->column.value)]);
  }
  Expression copy = *expression;
  for (ExpressionPtr& operand : copy.operands) {
    operand = with_literals(operand, row);
  }
  return std::make_shared<const Expression>(std::move(copy));
}

/// One expression against one batch.
class Comparison {
 public:
  Comparison(ExpressionPtr expression, const Schema& schema, const Batch& batch)
      : expression_(std::move(expression)),
        schema_(schema),
        batch_(batch),
        reference_(make_context()) {}

  /// Empty when all agree.
  std::string check(Random& random) {
    const std::vector<int32_t> checked = rows_checked(batch_.row_count());
    const std::vector<Outcome> whole = run(expression_, batch_);
    for (size_t i = 0; i < checked.size(); ++i) {
      rows_.push_back(row_of(batch_, checked[i]));
      expected_.push_back(reference_.evaluate(expression_, rows_.back()));
      agree("in the whole batch", static_cast<int32_t>(i), whole[static_cast<size_t>(checked[i])]);
    }
    check_selected(random, checked);
    const auto row = static_cast<int32_t>(random.below(checked.size()));
    check_constant_columns(row);
    check_folded(row);
    return difference_;
  }

 private:
  void agree(const char* where, int32_t row, const Outcome& found) {
    const Outcome& expected = expected_[static_cast<size_t>(row)];
    if (!difference_.empty() || (expected.fails && found.fails) ||
        (expected.fails == found.fails && same(expected.value, found.value))) {
      return;
    }
    difference_ = fmt::format("{} of type {}\n  row {} {}: {}\n  by itself: {}",
                              text(),
                              expression_->type.to_string(),
                              row,
                              where,
                              shown(found, expression_->type),
                              shown(expected, expression_->type));
    for (const ColumnIndex column : expression::referenced_columns(*expression_)) {
      const auto at = static_cast<size_t>(column.value);
      const Field& field = schema_[at];
      difference_ += fmt::format("\n  {} {} = {}{}",
                                 field.name,
                                 field.type.to_string(),
                                 shown({rows_[static_cast<size_t>(row)][at]}, field.type),
                                 batch_.column(at).is_constant() ? " (constant)" : "");
    }
  }

  std::string text() const {
    return planner::expression_text(*expression_, schema_, planner::PlanStyle::kExecution);
  }

  void check_selected(Random& random, const std::vector<int32_t>& checked) {
    std::vector<int32_t> chosen;
    std::vector<int32_t> places;
    for (size_t i = 0; i < checked.size(); ++i) {
      if (random.chance(50)) {
        chosen.push_back(checked[i]);
        places.push_back(static_cast<int32_t>(i));
      }
    }
    if (chosen.empty()) {
      return;
    }
    const std::vector<Outcome> found = run(expression_, batch_.select(chosen));
    for (size_t i = 0; i < chosen.size(); ++i) {
      agree("among selected rows", places[i], found[i]);
    }
  }

  void check_constant_columns(int32_t row) {
    std::vector<ColumnPtr> columns;
    for (size_t i = 0; i < batch_.columns().size(); ++i) {
      columns.push_back(
          constant_column(batch_.column(i).type(), rows_[static_cast<size_t>(row)][i], 3));
    }
    for (const Outcome& outcome : run(expression_, Batch(3, std::move(columns)))) {
      agree("from constant columns", row, outcome);
    }
  }

  void check_folded(int32_t row) {
    const ExpressionPtr folded = with_literals(expression_, rows_[static_cast<size_t>(row)]);
    if (!expression::is_constant(*folded)) {
      return;
    }
    Outcome outcome = run(folded, Batch(1, {}))[0];
    if (outcome.fails && outcome.reason == "Division by zero") {
      return;  // constants may not be divided by zero, even doubles
    }
    // All of it is one constant, in which others are not treated as such.
    expected_[static_cast<size_t>(row)] =
        Reference(make_context(), Reference::Constants::kLikeOthers)
            .evaluate(expression_, rows_[static_cast<size_t>(row)]);
    const Outcome& expected = expected_[static_cast<size_t>(row)];
    const auto* wanted = std::get_if<double>(&expected.value.data);
    const auto* found = std::get_if<double>(&outcome.value.data);
    if (wanted != nullptr && found != nullptr && *wanted == 0 && *found == 0) {
      outcome.value = expected.value;  // a folded -0.0 is 0.0
    }
    agree("folded", row, outcome);
  }

  ExpressionPtr expression_;
  const Schema& schema_;
  const Batch& batch_;
  Reference reference_;
  std::vector<std::vector<Value>> rows_;
  std::vector<Outcome> expected_;
  std::string difference_;
};

/// Looks into the operands first, so that the smallest part is reported.
std::string smallest_difference(const ExpressionPtr& expression,
                                const Schema& schema,
                                const Batch& batch,
                                uint64_t seed) {
  for (const ExpressionPtr& operand : expression->operands) {
    std::string inner = smallest_difference(operand, schema, batch, seed);
    if (!inner.empty()) {
      return inner;
    }
  }
  Random random(seed);
  return Comparison(expression, schema, batch).check(random);
}

/// Leaves only the columns that the expression reads, in `schema`.
ExpressionPtr compacted(const ExpressionPtr& expression, Schema& schema) {
  std::vector<int32_t> mapping(sample_schema().size(), -1);
  for (const ColumnIndex column : expression::referenced_columns(*expression)) {
    const auto at = static_cast<size_t>(column.value);
    mapping[at] = static_cast<int32_t>(schema.size());
    schema.push_back(sample_schema()[at]);
  }
  return expression::remap_columns(expression, mapping);
}

}  // namespace

std::string check_seed(const Generator& generator, uint64_t seed) {
  Random random(seed);
  Schema schema;
  const ExpressionPtr expression = compacted(generator.make(random), schema);
  const Batch batch = random_batch(schema, random.pick(kRowCounts), random);
  std::string difference = Comparison(expression, schema, batch).check(random);
  if (difference.empty()) {
    return {};
  }
  const std::string smallest = smallest_difference(expression, schema, batch, seed);
  return fmt::format("seed {}: {}", seed, smallest.empty() ? difference : smallest);
}

}  // namespace thalweg::functions::differential
