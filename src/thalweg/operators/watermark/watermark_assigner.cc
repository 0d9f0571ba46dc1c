#include "thalweg/operators/watermark/watermark_assigner.h"

#include <algorithm>

#include "thalweg/common/check.h"
#include "thalweg/expression/evaluator.h"
#include "thalweg/operators/factory.h"
#include "thalweg/operators/row_failure.h"
#include "thalweg/operators/watermark/split_watermarks.h"

namespace thalweg::operators {

namespace {

/// Watermarks of a table with a WATERMARK clause (Flink's WatermarkAssignerOperator). Sent right
/// behind the row that moved event time by more than the interval, and by the clock. With
/// `per_split` it is what Flink pushes into a source instead: by the clock only. One per subtask,
/// task thread.
class WatermarkAssigner final : public stream::Operator {
 public:
  explicit WatermarkAssigner(const WatermarkSpec& spec)
      : spec_(spec), evaluation_(spec.context), watermark_({spec.watermark}) {
    check(spec.watermark->type.physical() == PhysicalKind::kInt64,
          "a watermark is a timestamp of precision up to 3");
    if (spec_.per_split) {
      current_ms_ = kMinEventTime.ms;
      sent_ms_ = kMinEventTime.ms;
    }
  }

  void open(stream::OperatorContext& context) override {
    context_ = &context;
    gauge_ = &context.gauge(stream::metric::kCurrentWatermark);
    evaluation_.subtask = context.subtask();
    last_row_ = context.now();
    schedule();
  }

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    if (batch.row_count() == 0) {
      return;
    }
    const ProcessingTime now = context_->now();
    last_row_ = now;
    if (is_idle_) {
      is_idle_ = false;
      output.emit_idle(false);
    }
    evaluation_.now = now;
    expression::RowErrors errors;
    const auto columns = watermark_.evaluate(batch, evaluation_, errors);
    const std::optional<RowFailure> failure = first_failure(batch, errors);
    const int32_t rows = failure.has_value() ? failure->row : batch.row_count();
    Batch good = batch.slice(0, rows);
    good.set_marks(spec_.per_split ? observe_split(*columns[0], rows, batch.origin())
                                   : observe(*columns[0], rows));
    output.emit(std::move(good));
    if (failure.has_value()) {
      throw_row_failure(*failure, batch);
    }
  }

  void on_split(const std::string& split, bool ended) override {
    if (ended) {
      splits_.remove(split);
    } else {
      splits_.announce(split, context_->now());
    }
  }

  /// Watermarks of the source are replaced by ours; only its end passes.
  void on_watermark(EventTime watermark, stream::Output& output) override {
    if (watermark != kMaxEventTime) {
      return;
    }
    if (is_idle_) {
      is_idle_ = false;
      output.emit_idle(false);
    }
    ended_ = true;
    output.emit_watermark(watermark);
  }

  void on_processing_time(ProcessingTime now, stream::Output& output) override {
    if (ended_) {
      return;
    }
    if (spec_.per_split) {
      current_ms_ = std::max(current_ms_, splits_.sample(now, spec_.idle_timeout_ms));
    }
    if (current_ms_ > sent_ms_) {
      sent_ms_ = current_ms_;
      gauge_->set(sent_ms_);
      output.emit_watermark({sent_ms_});
    }
    if (spec_.idle_timeout_ms > 0 && !is_idle_ && now.ms - last_row_.ms > spec_.idle_timeout_ms) {
      is_idle_ = true;
      output.emit_idle(true);
    }
    schedule();
  }

 private:
  void schedule() {
    if (spec_.interval_ms > 0) {
      context_->wake_at({context_->now().ms + spec_.interval_ms});
    }
  }

  std::optional<RowFailure> first_failure(const Batch& batch,
                                          const expression::RowErrors& errors) const {
    std::optional<RowFailure> failure = errors.first();
    const Column& rowtime = batch.column(static_cast<size_t>(spec_.rowtime.value));
    if (!rowtime.may_have_nulls()) {
      return failure;
    }
    const int32_t limit = failure.has_value() ? failure->row : batch.row_count();
    for (int32_t row = 0; row < limit; ++row) {
      if (rowtime.is_null(row)) {
        return RowFailure{row,
                          Error(ErrorCode::kNotNullViolation,
                                "RowTime field should not be null, please convert it to a "
                                "non-null long value")};
      }
    }
    return failure;
  }

  std::vector<Mark> observe(const Column& watermarks, int32_t rows) {
    std::vector<Mark> marks;
    marks.reserve(last_marks_);
    const bool may_have_nulls = watermarks.may_have_nulls();
    int64_t current = current_ms_;
    for (int32_t row = 0; row < rows; ++row) {
      if (may_have_nulls && watermarks.is_null(row)) {
        continue;
      }
      current = std::max(current, watermarks.at<int64_t>(row));
      if (current - sent_ms_ > spec_.interval_ms) {
        sent_ms_ = current;
        marks.push_back({row + 1, {sent_ms_}});
      }
    }
    current_ms_ = current;
    last_marks_ = marks.size();
    gauge_->set(sent_ms_);
    return marks;
  }

  std::vector<Mark> observe_split(const Column& watermarks, int32_t rows, const Origin& origin) {
    for (int32_t row = rows - 1; row >= 0; --row) {
      if (!watermarks.is_null(row)) {
        splits_.observe(origin.split.get(), watermarks.at<int64_t>(row), last_row_);
        break;
      }
    }
    return {};
  }

  WatermarkSpec spec_;
  expression::EvaluationContext evaluation_;
  expression::Evaluator watermark_;
  SplitWatermarks splits_;
  stream::OperatorContext* context_ = nullptr;
  stream::Gauge* gauge_ = nullptr;
  /// Both start at the epoch, not at "none", as in Flink's operator: it never sends watermarks
  /// before 1970. (The one inside a source does.)
  int64_t current_ms_ = 0;
  int64_t sent_ms_ = 0;
  /// Of the batch before: the next one will have about as many.
  size_t last_marks_ = 0;
  ProcessingTime last_row_;
  bool is_idle_ = false;
  bool ended_ = false;
};

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_watermark_assigner(WatermarkSpec spec) {
  return make_factory<WatermarkAssigner>(std::move(spec));
}

}  // namespace thalweg::operators
