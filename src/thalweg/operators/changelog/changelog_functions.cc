#include "thalweg/operators/changelog/changelog_functions.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/operators/factory.h"
#include "thalweg/operators/row_failure.h"
#include "thalweg/types/column_builder.h"
#include "thalweg/types/value.h"

namespace thalweg::operators {

namespace {

std::vector<ColumnPtr> chosen_columns(const Batch& batch, const std::vector<ColumnIndex>& indices) {
  std::vector<ColumnPtr> columns;
  columns.reserve(indices.size() + 1);
  for (const ColumnIndex index : indices) {
    columns.push_back(batch.column_ptr(static_cast<size_t>(index.value)));
  }
  return columns;
}

/// One per subtask, task thread.
class ToChangelog final : public stream::Operator {
 public:
  explicit ToChangelog(const ToChangelogSpec& spec) : spec_(spec) {}

  void open(stream::OperatorContext& context) override {
    filtered_rows_ = &context.counter(stream::metric::kFilteredRows);
  }

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    const Batch kept = keep_mapped(std::move(batch));
    if (kept.row_count() == 0 && kept.marks().empty()) {
      return;
    }
    std::vector<ColumnPtr> columns = chosen_columns(kept, spec_.columns);
    columns.insert(columns.begin() + static_cast<int64_t>(spec_.code_position), codes_of(kept));
    Batch result = kept.with_columns(std::move(columns));
    result.share_kinds(nullptr);
    output.emit(std::move(result));
  }

 private:
  const std::optional<std::string>& code(const Batch& batch, int32_t row) const {
    return spec_.codes[static_cast<size_t>(batch.kind(row))];
  }

  Batch keep_mapped(Batch batch) {
    rows_.clear();
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      if (code(batch, row)) {
        rows_.push_back(row);
      }
    }
    const auto dropped =
        static_cast<int64_t>(batch.row_count()) - static_cast<int64_t>(rows_.size());
    filtered_rows_->add(dropped);
    return dropped == 0 ? std::move(batch) : batch.select(rows_);
  }

  ColumnPtr codes_of(const Batch& batch) const {
    if (batch.is_insert_only() && batch.row_count() > 0) {
      return constant_column(DataType::string(), Value(*code(batch, 0)), batch.row_count());
    }
    ColumnBuilder builder(DataType::string());
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      builder.append_string(*code(batch, row));
    }
    return builder.finish();
  }

  ToChangelogSpec spec_;
  stream::Counter* filtered_rows_ = nullptr;
  std::vector<int32_t> rows_;
};

/// One per subtask, task thread.
class FromChangelog final : public stream::Operator {
 public:
  explicit FromChangelog(const FromChangelogSpec& spec) : spec_(spec) {}

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    const Column& codes = batch.column(static_cast<size_t>(spec_.code.value));
    std::vector<RowKind> kinds;
    int32_t rows = 0;
    for (; rows < batch.row_count(); ++rows) {
      const auto found = codes.is_null(rows) ? spec_.kinds.end()
                                             : spec_.kinds.find(std::string(codes.string_at(rows)));
      if (found == spec_.kinds.end()) {
        break;
      }
      kinds.push_back(found->second);
    }
    const bool fails = rows < batch.row_count();
    const Batch good = fails ? batch.slice(0, rows) : batch;
    Batch result = good.with_columns(chosen_columns(good, spec_.columns));
    result.set_kinds(std::move(kinds));
    output.emit(std::move(result));
    if (fails) {
      fail(batch, rows, codes);
    }
  }

 private:
  [[noreturn]] static void fail(const Batch& batch, int32_t row, const Column& codes) {
    const std::string code = codes.is_null(row) ? "NULL" : std::string(codes.string_at(row));
    throw_row_failure(
        {row,
         Error(ErrorCode::kInvalidArgument,
               fmt::format("FROM_CHANGELOG has no mapping for the operation code '{}'", code))},
        batch);
  }

  FromChangelogSpec spec_;
};

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_to_changelog(ToChangelogSpec spec) {
  return make_factory<ToChangelog>(std::move(spec));
}

std::shared_ptr<const stream::OperatorFactory> make_from_changelog(FromChangelogSpec spec) {
  return make_factory<FromChangelog>(std::move(spec));
}

}  // namespace thalweg::operators
