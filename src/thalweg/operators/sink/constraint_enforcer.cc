#include "thalweg/operators/sink/constraint_enforcer.h"

#include <algorithm>

#include "thalweg/expression/cast.h"
#include "thalweg/operators/factory.h"
#include "thalweg/operators/row_failure.h"
#include "thalweg/operators/sink/row_constraints.h"

namespace thalweg::operators {

namespace {

using stream::SinkConstraints;

Error error_of(const Breach& breach) {
  if (breach.is_null) {
    return Error(
        ErrorCode::kNotNullViolation,
        fmt::format("Column '{}' is NOT NULL, however, a null value is being written into "
                    "it. You can set job configuration "
                    "'table.exec.sink.not-null-enforcer'='DROP' to suppress this exception "
                    "and drop such records silently",
                    breach.column));
  }
  return Error(ErrorCode::kInvalidArgument,
               fmt::format("Column '{}' is {}, however, a string of length {} is being written "
                           "into it. You can set job configuration "
                           "'table.exec.sink.type-length-enforcer' to control this behaviour",
                           breach.column,
                           breach.type.as_nullable().to_string(),
                           breach.length));
}

/// Flink's ConstraintEnforcer. One per subtask, task thread.
class ConstraintEnforcer final : public stream::Operator {
 public:
  explicit ConstraintEnforcer(const ConstraintSpec& spec) : spec_(spec) {
    for (const Field& field : spec.columns) {
      can_breach_.push_back(can_breach(field.type, spec.constraints));
      fits_.push_back(make_fit(field.type));
    }
  }

  void open(stream::OperatorContext& context) override {
    filtered_rows_ = &context.counter(stream::metric::kFilteredRows);
  }

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    if (!may_breach(batch)) {
      output.emit(fitted(std::move(batch)));
      return;
    }
    kept_rows_.clear();
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      const std::optional<Breach> breach =
          find_breach(spec_.columns, batch.columns(), row, spec_.constraints);
      if (!breach) {
        kept_rows_.push_back(row);
        continue;
      }
      if (!breach->is_null || spec_.constraints.not_null == SinkConstraints::NotNull::kError) {
        output.emit(fitted(batch.slice(0, row).select(kept_rows_)));
        throw_row_failure({row, error_of(*breach)}, batch);
      }
    }
    filtered_rows_->add(batch.row_count() - static_cast<int64_t>(kept_rows_.size()));
    output.emit(fitted(batch.select(kept_rows_)));
  }

 private:
  /// What cuts and fills the values of a column; null where they are good as they are.
  std::unique_ptr<expression::ScalarKernel> make_fit(const DataType& type) const {
    if (spec_.constraints.length != SinkConstraints::Length::kTrimPad) {
      return nullptr;
    }
    const DataType wide = unlimited(type, spec_.constraints.nested);
    return wide == type ? nullptr : expression::make_cast_kernel(wide, type);
  }

  bool may_breach(const Batch& batch) const {
    for (size_t i = 0; i < can_breach_.size(); ++i) {
      const DataType& type = spec_.columns[i].type;
      const bool only_null =
          !type.is_nullable() && !can_breach(type.as_nullable(), spec_.constraints);
      if (can_breach_[i] && (!only_null || batch.column(i).may_have_nulls())) {
        return true;
      }
    }
    return false;
  }

  Batch fitted(Batch batch) {
    std::vector<ColumnPtr> columns = batch.columns();
    bool has_changed = false;
    for (size_t i = 0; i < fits_.size(); ++i) {
      if (fits_[i]) {
        expression::RowErrors errors;
        columns[i] = fits_[i]->evaluate({&columns[i], 1}, batch.row_count(), {}, errors);
        has_changed = true;
      }
    }
    return has_changed ? batch.with_columns(std::move(columns)) : batch;
  }

  ConstraintSpec spec_;
  std::vector<bool> can_breach_;
  std::vector<std::unique_ptr<expression::ScalarKernel>> fits_;
  stream::Counter* filtered_rows_ = nullptr;
  std::vector<int32_t> kept_rows_;
};

}  // namespace

bool has_constraints(const ConstraintSpec& spec) {
  return std::any_of(spec.columns.begin(), spec.columns.end(), [&](const Field& field) {
    const bool is_cut = spec.constraints.length == SinkConstraints::Length::kTrimPad &&
                        unlimited(field.type, spec.constraints.nested) != field.type;
    return is_cut || can_breach(field.type, spec.constraints);
  });
}

std::shared_ptr<const stream::OperatorFactory> make_constraint_enforcer(ConstraintSpec spec) {
  return make_factory<ConstraintEnforcer>(std::move(spec));
}

}  // namespace thalweg::operators
