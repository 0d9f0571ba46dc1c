#include "thalweg/operators/sink/not_null_enforcer.h"

#include "thalweg/operators/factory.h"
#include "thalweg/operators/row_failure.h"

namespace thalweg::operators {

namespace {

/// Flink's ConstraintEnforcer, for NOT NULL. One per subtask, task thread.
class NotNullEnforcer final : public stream::Operator {
 public:
  explicit NotNullEnforcer(const NotNullSpec& spec) : spec_(spec) {
    for (size_t i = 0; i < spec.columns.size(); ++i) {
      if (!spec.columns[i].type.is_nullable()) {
        not_null_columns_.push_back({static_cast<int32_t>(i)});
      }
    }
  }

  void open(stream::OperatorContext& context) override {
    filtered_rows_ = &context.counter(stream::metric::kFilteredRows);
  }

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    const ColumnIndex* bad_column = nullptr;
    int32_t bad_row = batch.row_count();
    kept_rows_.clear();
    bool has_nulls = false;
    for (const ColumnIndex& index : not_null_columns_) {
      has_nulls = has_nulls || batch.column(static_cast<size_t>(index.value)).may_have_nulls();
    }
    if (!has_nulls) {
      output.emit(std::move(batch));
      return;
    }
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      const ColumnIndex* null_column = find_null(batch, row);
      if (null_column == nullptr) {
        kept_rows_.push_back(row);
      } else if (spec_.enforcement == NotNullEnforcement::kError) {
        bad_column = null_column;
        bad_row = row;
        break;
      }
    }
    if (bad_column != nullptr) {
      output.emit(batch.slice(0, bad_row));
      fail(batch, bad_row, *bad_column);
    }
    filtered_rows_->add(batch.row_count() - static_cast<int64_t>(kept_rows_.size()));
    output.emit(batch.select(kept_rows_));
  }

 private:
  const ColumnIndex* find_null(const Batch& batch, int32_t row) const {
    for (const ColumnIndex& index : not_null_columns_) {
      if (batch.column(static_cast<size_t>(index.value)).is_null(row)) {
        return &index;
      }
    }
    return nullptr;
  }

  [[noreturn]] void fail(const Batch& batch, int32_t row, ColumnIndex column) const {
    Error error(ErrorCode::kNotNullViolation,
                fmt::format("Column '{}' is NOT NULL, however, a null value is being written into "
                            "it. You can set job configuration "
                            "'table.exec.sink.not-null-enforcer'='DROP' to suppress this exception "
                            "and drop such records silently",
                            spec_.columns[static_cast<size_t>(column.value)].name));
    throw_row_failure({row, std::move(error)}, batch);
  }

  NotNullSpec spec_;
  std::vector<ColumnIndex> not_null_columns_;
  stream::Counter* filtered_rows_ = nullptr;
  std::vector<int32_t> kept_rows_;
};

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_not_null_enforcer(NotNullSpec spec) {
  return make_factory<NotNullEnforcer>(std::move(spec));
}

}  // namespace thalweg::operators
