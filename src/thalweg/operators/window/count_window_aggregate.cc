#include "thalweg/operators/window/count_window_aggregate.h"

#include <algorithm>
#include <numeric>

#include "thalweg/operators/aggregate/aggregate_set.h"
#include "thalweg/operators/factory.h"
#include "thalweg/operators/key_columns.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

/// Row n of a key is in the windows w with w * slide <= n < w * slide + size (Flink's
/// CountSlidingWindowAssigner). A table counts the rows of each key, another has a record for each
/// key and open window. One per subtask, task thread.
class CountWindowAggregate final : public stream::Operator {
 public:
  explicit CountWindowAggregate(const CountWindowSpec& spec)
      : spec_(spec), aggregates_(spec.aggregates, false) {}

  void open(stream::OperatorContext& context) override {
    const Schema key = fields_at(spec_.input, spec_.keys);
    counts_ = &context.keyed_table(
        {.name = "counts", .key = key, .value = {{"rows", DataType::big_int().not_null()}}});
    stream::StateSpec windows{.name = "windows", .key = key, .has_namespace = true, .value = {}};
    aggregates_.declare_fields(windows.value);
    windows_ = &context.keyed_table(windows);
    aggregates_.bind(windows_->layout());
    for (const Field& field : key) {
      output_types_.push_back(field.type);
    }
    for (size_t i = 0; i < aggregates_.size(); ++i) {
      output_types_.push_back(aggregates_.result_type(i));
    }
  }

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    number_rows(batch);
    completed_.assign(static_cast<size_t>(batch.row_count()), stream::kNoSlot);
    const int64_t overlap = (spec_.size + spec_.slide - 1) / spec_.slide;
    for (int64_t back = 0; back < overlap; ++back) {
      add_to_windows(batch, back);
    }
    send_completed(batch, output);
  }

 private:
  /// Which row of its key each row is.
  void number_rows(const Batch& batch) {
    const auto rows = static_cast<size_t>(batch.row_count());
    key_columns_ = columns_at(batch, spec_.keys);
    slots_.resize(rows);
    records_.resize(rows);
    inserted_.resize(rows);
    counts_->find_or_insert({.columns = key_columns_}, slots_, records_, inserted_);
    numbers_.resize(rows);
    const size_t offset = counts_->layout().offset(0);
    for (size_t row = 0; row < rows; ++row) {
      numbers_[row] = (*reinterpret_cast<int64_t*>(records_[row] + offset))++;
    }
  }

  /// Adds the rows to the window that is `back` windows before the last one that has begun.
  void add_to_windows(const Batch& batch, int64_t back) {
    rows_.clear();
    window_ids_.clear();
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      const int64_t number = numbers_[static_cast<size_t>(row)];
      const int64_t window = number / spec_.slide - back;
      if (window >= 0 && number < window * spec_.slide + spec_.size) {
        rows_.push_back(row);
        window_ids_.push_back(window);
      }
    }
    if (rows_.empty()) {
      return;
    }
    std::vector<ColumnPtr> keys = key_columns_;
    if (rows_.size() != static_cast<size_t>(batch.row_count())) {
      for (ColumnPtr& key : keys) {
        key = gather(key, rows_);
      }
    }
    slots_.resize(rows_.size());
    records_.resize(rows_.size());
    inserted_.resize(rows_.size());
    windows_->find_or_insert(
        {.columns = keys, .namespaces = window_ids_}, slots_, records_, inserted_);
    aggregates_.accumulate(batch, {rows_, records_}, *windows_);
    for (size_t i = 0; i < rows_.size(); ++i) {
      const auto row = static_cast<size_t>(rows_[i]);
      if (numbers_[row] + 1 == window_ids_[i] * spec_.slide + spec_.size) {
        completed_[row] = slots_[i];
      }
    }
  }

  /// The windows whose last row came, in the order of these rows.
  void send_completed(const Batch& batch, stream::Output& output) {
    slots_.clear();
    records_.clear();
    std::vector<Mark> marks;
    auto mark = batch.marks().begin();
    for (size_t row = 0; row <= completed_.size(); ++row) {
      for (; mark != batch.marks().end() && mark->row <= static_cast<int32_t>(row); ++mark) {
        marks.push_back({static_cast<int32_t>(slots_.size()), mark->watermark});
      }
      if (row < completed_.size() && completed_[row] != stream::kNoSlot) {
        slots_.push_back(completed_[row]);
        records_.push_back(read_only(windows_->read(completed_[row])));
      }
    }
    if (slots_.empty() && marks.empty()) {
      return;
    }
    std::vector<ColumnBuilder> builders;
    for (const DataType& type : output_types_) {
      builders.emplace_back(type);
    }
    const std::span all(builders);
    windows_->append_keys(slots_, all.first(spec_.keys.size()));
    aggregates_.append_results({records_, *windows_}, all.subspan(spec_.keys.size()));
    windows_->erase(slots_);
    std::vector<ColumnPtr> columns;
    for (ColumnBuilder& builder : builders) {
      columns.push_back(builder.finish());
    }
    Batch result(static_cast<int32_t>(slots_.size()), std::move(columns));
    result.set_marks(std::move(marks));
    output.emit(std::move(result));
  }

  CountWindowSpec spec_;
  AggregateSet aggregates_;
  stream::KeyedTable* counts_ = nullptr;
  stream::KeyedTable* windows_ = nullptr;
  std::vector<DataType> output_types_;
  std::vector<ColumnPtr> key_columns_;
  std::vector<stream::SlotId> slots_;
  std::vector<std::byte*> records_;
  std::vector<uint8_t> inserted_;
  std::vector<int64_t> numbers_;
  std::vector<int32_t> rows_;
  std::vector<int64_t> window_ids_;
  /// For each row of the batch the window that it fills.
  std::vector<stream::SlotId> completed_;
};

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_count_window_aggregate(CountWindowSpec spec) {
  return make_factory<CountWindowAggregate>(std::move(spec));
}

}  // namespace thalweg::operators
