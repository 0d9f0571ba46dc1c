#include "thalweg/operators/window/window_results.h"

#include "thalweg/common/check.h"
#include "thalweg/types/batch.h"

namespace thalweg::operators {

namespace {

std::vector<ColumnBuilder> make_builders(const std::vector<DataType>& keys,
                                         const std::vector<DataType>& contents,
                                         const std::vector<WindowColumn>& columns) {
  std::vector<ColumnBuilder> builders;
  for (const DataType& type : keys) {
    builders.emplace_back(type);
  }
  for (const DataType& type : contents) {
    builders.emplace_back(type);
  }
  for (const WindowColumn& column : columns) {
    check(column.type.physical() == PhysicalKind::kInt64,
          "window columns are timestamps of precision up to 3");
    builders.emplace_back(column.type);
  }
  return builders;
}

}  // namespace

WindowResults::WindowResults(const std::vector<DataType>& keys,
                             const std::vector<DataType>& contents,
                             std::vector<WindowColumn> columns,
                             bool start_is_last_key)
    : key_count_(keys.size()),
      content_count_(contents.size()),
      columns_(std::move(columns)),
      start_is_last_key_(start_is_last_key),
      builders_(make_builders(keys, contents, columns_)) {}

void WindowResults::append_window(int64_t start,
                                  int64_t end,
                                  const WindowClock& clock,
                                  ProcessingTime now) {
  ++rows_;
  ColumnBuilder* builder = builders_.data() + key_count_ + content_count_;
  for (const WindowColumn& column : columns_) {
    int64_t value = 0;
    switch (column.property) {
      case WindowProperty::kStart:
        value = start;
        break;
      case WindowProperty::kEnd:
        value = end;
        break;
      case WindowProperty::kTime:
        value = end - 1;
        break;
      case WindowProperty::kProcessingTime:
        value = now.ms;
        break;
    }
    const bool is_instant = column.type.kind() == TypeKind::kTimestampLtz;
    if (is_instant && column.property != WindowProperty::kProcessingTime) {
      value = clock.to_instant(value);
    }
    builder->append(value);
    ++builder;
  }
}

void WindowResults::add_mark(EventTime watermark) {
  if (!marks_.empty() && marks_.back().row == rows_) {
    marks_.back().watermark = watermark;
  } else {
    marks_.push_back({rows_, watermark});
  }
}

void WindowResults::send(stream::Output& output) {
  if (rows_ == 0) {
    if (!marks_.empty()) {
      output.emit_watermark(marks_.back().watermark);
      marks_.clear();
    }
    return;
  }
  std::vector<ColumnPtr> columns;
  columns.reserve(builders_.size());
  for (ColumnBuilder& builder : builders_) {
    columns.push_back(builder.finish());
  }
  if (start_is_last_key_) {
    const ColumnPtr start = columns[key_count_ - 1];
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].property == WindowProperty::kStart) {
        columns[key_count_ + content_count_ + i] = start->with_type(columns_[i].type);
      }
    }
    columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(key_count_) - 1);
  }
  Batch batch(rows_, std::move(columns));
  if (!kinds_.empty()) {
    batch.set_kinds(std::move(kinds_));
    kinds_ = {};
  }
  batch.set_marks(std::move(marks_));
  marks_ = {};
  rows_ = 0;
  output.emit(std::move(batch));
}

}  // namespace thalweg::operators
