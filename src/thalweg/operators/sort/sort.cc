#include "thalweg/operators/sort/sort.h"

#include <algorithm>

#include "thalweg/operators/factory.h"
#include "thalweg/operators/sort/row_order.h"
#include "thalweg/operators/sort/temporal_sort.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

/// Holds all rows until the input ends, or the best of them where there is a FETCH. Batch mode
/// only, so nothing of it is in snapshots; the memory is charged to the state budget. One per
/// subtask, task thread.
class Sort final : public stream::Operator {
 public:
  explicit Sort(const SortSpec& spec) : spec_(spec) {
    if (spec.fetch.has_value()) {
      limit_ = spec.offset + *spec.fetch;
    }
  }

  void open(stream::OperatorContext& context) override { budget_ = &context.state_budget(); }

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    if (!batch.marks().empty()) {
      output.emit_watermark(batch.marks().back().watermark);
    }
    if (batch.row_count() == 0) {
      return;
    }
    charge(batch.byte_size());
    rows_ += batch.row_count();
    parts_.push_back(std::move(batch));
    if (limit_.has_value() && rows_ >= std::max<int64_t>(kCompactRows, 2 * *limit_)) {
      keep_best();
    }
  }

  void on_input_end(int32_t /*input*/, stream::Output& output) override {
    if (!parts_.empty()) {
      const auto columns = whole_columns();
      const auto order = sorted_rows(spec_.keys, columns, static_cast<int32_t>(rows_));
      const int64_t end = limit_.has_value() ? std::min(rows_, *limit_) : rows_;
      for (int64_t begin = spec_.offset; begin < end; begin += kTargetBatchRows) {
        const int64_t count = std::min<int64_t>(kTargetBatchRows, end - begin);
        output.emit(
            pick(columns,
                 std::span(order).subspan(static_cast<size_t>(begin), static_cast<size_t>(count))));
      }
    }
    parts_.clear();
    rows_ = 0;
    charge(-charged_bytes_);
  }

  void close() override { charge(-charged_bytes_); }

 private:
  static constexpr int64_t kCompactRows = 16'384;

  void charge(int64_t bytes) {
    if (bytes > 0) {
      budget_->reserve(bytes);
    } else {
      budget_->release(-bytes);
    }
    charged_bytes_ += bytes;
  }

  std::vector<ColumnPtr> whole_columns() const {
    std::vector<ColumnPtr> columns;
    for (size_t i = 0; i < spec_.input.size(); ++i) {
      std::vector<ColumnPtr> parts;
      parts.reserve(parts_.size());
      for (const Batch& part : parts_) {
        parts.push_back(part.column_ptr(i));
      }
      columns.push_back(concat(parts));
    }
    return columns;
  }

  static Batch pick(const std::vector<ColumnPtr>& columns, std::span<const int32_t> rows) {
    std::vector<ColumnPtr> picked;
    picked.reserve(columns.size());
    for (const ColumnPtr& column : columns) {
      picked.push_back(gather(column, rows));
    }
    return Batch(static_cast<int32_t>(rows.size()), std::move(picked));
  }

  void keep_best() {
    const auto columns = whole_columns();
    auto order = sorted_rows(spec_.keys, columns, static_cast<int32_t>(rows_));
    order.resize(static_cast<size_t>(std::min(rows_, *limit_)));
    Batch best = pick(columns, order);
    rows_ = best.row_count();
    parts_.clear();
    charge(-charged_bytes_);
    charge(best.byte_size());
    parts_.push_back(std::move(best));
  }

  SortSpec spec_;
  std::optional<int64_t> limit_;
  MemoryBudget* budget_ = nullptr;
  int64_t charged_bytes_ = 0;
  std::vector<Batch> parts_;
  int64_t rows_ = 0;
};

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_sort(SortSpec spec) {
  return make_factory<Sort>(std::move(spec));
}

std::shared_ptr<const stream::OperatorFactory> make_temporal_sort(TemporalSortSpec spec) {
  return make_factory<TemporalSort>(std::move(spec));
}

}  // namespace thalweg::operators
