#include "thalweg/operators/correlate/correlate.h"

#include <algorithm>

#include "thalweg/expression/evaluator.h"
#include "thalweg/operators/factory.h"
#include "thalweg/operators/row_failure.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

/// Marks of an input batch, moved to the result rows of one piece after the other.
class MovedMarks {
 public:
  explicit MovedMarks(const std::vector<Mark>& marks) : marks_(marks) {}

  /// The marks up to input row `next`, each before the first result row of its input row.
  std::vector<Mark> take(int32_t next, const std::vector<int32_t>& sources) {
    std::vector<Mark> moved;
    while (done_ < marks_.size() && marks_[done_].row <= next) {
      const Mark& mark = marks_[done_++];
      const auto at = std::lower_bound(sources.begin(), sources.end(), mark.row);
      const auto row = static_cast<int32_t>(at - sources.begin());
      if (!moved.empty() && moved.back().row == row) {
        moved.back().watermark = mark.watermark;
      } else {
        moved.push_back({row, mark.watermark});
      }
    }
    return moved;
  }

 private:
  const std::vector<Mark>& marks_;
  size_t done_ = 0;
};

/// One per subtask, task thread.
class Correlate final : public stream::Operator {
 public:
  explicit Correlate(const CorrelateSpec& spec)
      : evaluation_(spec.context),
        is_outer_(spec.is_outer),
        replaces_rows_(spec.function->replaces_rows),
        arguments_(spec.arguments),
        kernel_(spec.function->make_kernel(spec.signature)),
        builders_(make_builders(spec.signature.result)) {}

  void open(stream::OperatorContext& context) override {
    context_ = &context;
    evaluation_.subtask = context.subtask();
  }

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    evaluation_.now = context_->now();
    expression::RowErrors errors;
    const std::vector<ColumnPtr> arguments = arguments_.evaluate(batch, evaluation_, errors);
    std::optional<RowFailure> failure = errors.first();
    const int32_t end = failure ? failure->row : batch.row_count();
    Batch rows = batch;
    rows.set_marks({});
    if (replaces_rows_ && !batch.is_insert_only()) {
      rows.set_kinds(replaced_kinds(batch));
    }
    MovedMarks marks(batch.marks());
    int32_t row = 0;
    has_rows_ = false;
    while (row < end) {
      expression::RowErrors row_errors;
      const int32_t next =
          kernel_->evaluate(arguments, row, end, evaluation_, {builders_, sources_}, row_errors);
      const std::optional<RowFailure> stopped = row_errors.first();
      send_piece(rows, row, stopped ? stopped->row : next, marks, output);
      if (stopped) {
        throw_row_failure(*stopped, batch);
      }
      row = next;
    }
    if (end == 0 || (failure && !batch.marks().empty())) {
      send_piece(rows, end, end, marks, output);
    }
    if (!batch.marks().empty()) {
      evaluation_.watermark = batch.marks().back().watermark;
    }
    if (failure) {
      throw_row_failure(*failure, batch);
    }
  }

  void on_watermark(EventTime watermark, stream::Output& output) override {
    evaluation_.watermark = watermark;
    output.emit_watermark(watermark);
  }

 private:
  static std::vector<RowKind> replaced_kinds(const Batch& batch) {
    std::vector<RowKind> kinds(static_cast<size_t>(batch.row_count()));
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      kinds[static_cast<size_t>(row)] =
          is_accumulate(batch.kind(row)) ? RowKind::kInsert : RowKind::kDelete;
    }
    return kinds;
  }

  /// Emits what the builders hold: results of input rows [begin, next), and maybe some of `next`.
  void send_piece(
      const Batch& batch, int32_t begin, int32_t next, MovedMarks& marks, stream::Output& output) {
    std::vector<ColumnPtr> results;
    results.reserve(builders_.size());
    for (ColumnBuilder& builder : builders_) {
      results.push_back(builder.finish());
    }
    if (is_outer_) {
      add_rows_without_results(begin, next, results);
    }
    Batch piece = batch.select(sources_);
    std::vector<ColumnPtr> columns = piece.columns();
    columns.insert(columns.end(), results.begin(), results.end());
    piece = piece.with_columns(std::move(columns));
    piece.set_marks(marks.take(next, sources_));
    sources_.clear();
    if (piece.row_count() > 0 || !piece.marks().empty()) {
      output.emit(std::move(piece));
    }
  }

  /// Puts a row of NULLs behind for each input row of [begin, next) that has no result.
  void add_rows_without_results(int32_t begin, int32_t next, std::vector<ColumnPtr>& results) {
    std::vector<int32_t> sources;
    std::vector<int32_t> chosen;
    size_t result = 0;
    for (int32_t row = begin; row <= next; ++row) {
      const size_t first = result;
      for (; result < sources_.size() && sources_[result] == row; ++result) {
        sources.push_back(row);
        chosen.push_back(static_cast<int32_t>(result));
      }
      const bool has_rows = result > first || (row == begin && has_rows_);
      if (row == next) {
        has_rows_ = has_rows;
      } else if (!has_rows) {
        sources.push_back(row);
        chosen.push_back(-1);
      }
    }
    if (chosen.size() != sources_.size()) {
      for (ColumnPtr& column : results) {
        column = gather(column, chosen);
      }
      sources_ = std::move(sources);
    }
  }

  expression::EvaluationContext evaluation_;
  bool is_outer_;
  bool replaces_rows_;
  expression::Evaluator arguments_;
  std::unique_ptr<expression::TableKernel> kernel_;
  std::vector<ColumnBuilder> builders_;
  stream::OperatorContext* context_ = nullptr;
  std::vector<int32_t> sources_;
  /// The input row to go on with has sent rows already.
  bool has_rows_ = false;
};

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_correlate(CorrelateSpec spec) {
  return make_factory<Correlate>(std::move(spec));
}

}  // namespace thalweg::operators
