#include "thalweg/operators/window/window_table_function.h"

#include "thalweg/operators/factory.h"
#include "thalweg/operators/window/session_table_function.h"
#include "thalweg/operators/window/slice_assigner.h"
#include "thalweg/operators/window/window_clock.h"

namespace thalweg::operators {

namespace {

/// TUMBLE, HOP and CUMULATE without an aggregate: sends each row at once, once for each window. No
/// row is late; rows without a time have no window and are dropped. One per subtask, task thread.
class AlignedTableFunction final : public stream::Operator {
 public:
  explicit AlignedTableFunction(const WindowTableFunctionSpec& spec)
      : spec_(spec), assigner_(spec.window), clock_(spec.window.time_zone) {}

  void open(stream::OperatorContext& context) override { context_ = &context; }

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    rows_.clear();
    starts_.clear();
    ends_.clear();
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      if (has_time(batch, row)) {
        add_windows(row, time_of(batch, row));
      }
    }
    Batch result = is_one_to_one(batch) ? batch : batch.select(rows_);
    std::vector<ColumnPtr> columns = result.columns();
    for (const WindowColumn& column : spec_.columns) {
      columns.push_back(window_column(column));
    }
    result = result.with_columns(std::move(columns));
    if (result.row_count() > 0 || !result.marks().empty()) {
      output.emit(std::move(result));
    }
  }

 private:
  bool has_time(const Batch& batch, int32_t row) const {
    return spec_.window.is_processing_time ||
           !batch.column(static_cast<size_t>(spec_.window.time.value)).is_null(row);
  }

  int64_t time_of(const Batch& batch, int32_t row) {
    return clock_.to_local(
        spec_.window.is_processing_time
            ? context_->now().ms
            : batch.column(static_cast<size_t>(spec_.window.time.value)).at<int64_t>(row));
  }

  void add_window(int32_t row, int64_t start, int64_t end) {
    rows_.push_back(row);
    starts_.push_back(start);
    ends_.push_back(end);
  }

  /// HOP: the last window first; CUMULATE: the first step first. Flink's order.
  void add_windows(int32_t row, int64_t time) {
    const int64_t slice = assigner_.slice_end(time);
    switch (spec_.window.kind) {
      case WindowKind::kHop:
        for (int64_t end = assigner_.last_window_end(slice);
             end >= assigner_.first_window_end(slice);
             end -= assigner_.window_interval()) {
          add_window(row, assigner_.window_start(end), end);
        }
        return;
      case WindowKind::kCumulate: {
        const int64_t start = assigner_.window_start(slice);
        for (int64_t end = slice; end <= start + spec_.window.size_ms;
             end += assigner_.window_interval()) {
          add_window(row, start, end);
        }
        return;
      }
      default:
        add_window(row, assigner_.window_start(slice), slice);
    }
  }

  bool is_one_to_one(const Batch& batch) const {
    return spec_.window.kind == WindowKind::kTumble &&
           rows_.size() == static_cast<size_t>(batch.row_count());
  }

  ColumnPtr window_column(const WindowColumn& column) const {
    auto result = Column::make(column.type, static_cast<int32_t>(rows_.size()));
    const std::span<int64_t> values = result->mutable_values<int64_t>();
    const bool is_instant = column.type.kind() == TypeKind::kTimestampLtz;
    for (size_t i = 0; i < values.size(); ++i) {
      switch (column.property) {
        case WindowProperty::kStart:
          values[i] = starts_[i];
          break;
        case WindowProperty::kEnd:
          values[i] = ends_[i];
          break;
        case WindowProperty::kTime:
          values[i] = is_instant ? clock_.to_instant(ends_[i] - 1) : ends_[i] - 1;
          break;
        case WindowProperty::kProcessingTime:
          values[i] = context_->now().ms;
          break;
      }
    }
    return result;
  }

  WindowTableFunctionSpec spec_;
  SliceAssigner assigner_;
  WindowClock clock_;
  stream::OperatorContext* context_ = nullptr;
  /// For each output row: its input row and its window.
  std::vector<int32_t> rows_;
  std::vector<int64_t> starts_;
  std::vector<int64_t> ends_;
};

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_window_table_function(
    WindowTableFunctionSpec spec) {
  if (spec.window.kind == WindowKind::kSession) {
    return make_factory<SessionTableFunction>(std::move(spec));
  }
  return make_factory<AlignedTableFunction>(std::move(spec));
}

}  // namespace thalweg::operators
