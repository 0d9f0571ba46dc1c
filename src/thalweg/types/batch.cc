#include "thalweg/types/batch.h"

#include <algorithm>

#include "thalweg/common/check.h"
#include "thalweg/types/column_operations.h"

namespace thalweg {

void Batch::set_kinds(std::vector<RowKind> kinds) {
  check(kinds.size() == static_cast<size_t>(row_count_), "one row kind for each row");
  const bool all_insert = std::all_of(
      kinds.begin(), kinds.end(), [](RowKind kind) { return kind == RowKind::kInsert; });
  kinds_ = all_insert ? nullptr : std::make_shared<const std::vector<RowKind>>(std::move(kinds));
}

Batch Batch::with_columns(std::vector<ColumnPtr> columns) const {
  Batch result = *this;
  result.columns_ = std::move(columns);
  return result;
}

Batch Batch::slice(int32_t begin, int32_t end) const {
  if (begin == 0 && end == row_count_) {
    return *this;
  }
  Batch result;
  result.row_count_ = end - begin;
  result.columns_.reserve(columns_.size());
  for (const ColumnPtr& column : columns_) {
    result.columns_.push_back(slice_column(column, begin, end));
  }
  if (kinds_ != nullptr) {
    result.set_kinds({kinds_->begin() + begin, kinds_->begin() + end});
  }
  for (const Mark& mark : marks_) {
    if (mark.row >= begin && mark.row <= end) {
      result.marks_.push_back({mark.row - begin, mark.watermark});
    }
  }
  result.origin_ = origin_;
  if (result.origin_.first_position >= 0) {
    result.origin_.first_position += begin;
  }
  if (event_times_ != nullptr) {
    result.event_times_ = slice_column(event_times_, begin, end);
  }
  return result;
}

Batch Batch::select(std::span<const int32_t> rows) const {
  Batch result;
  result.row_count_ = static_cast<int32_t>(rows.size());
  result.columns_.reserve(columns_.size());
  for (const ColumnPtr& column : columns_) {
    result.columns_.push_back(gather(column, rows));
  }
  if (kinds_ != nullptr) {
    std::vector<RowKind> kinds(rows.size());
    std::transform(
        rows.begin(), rows.end(), kinds.begin(), [this](int32_t row) { return kind(row); });
    result.set_kinds(std::move(kinds));
  }
  result.marks_.reserve(std::min(marks_.size(), rows.size() + 1));
  auto at = rows.begin();
  for (const Mark& mark : marks_) {
    at = std::find_if(at, rows.end(), [&mark](int32_t row) { return row >= mark.row; });
    const Mark moved{static_cast<int32_t>(at - rows.begin()), mark.watermark};
    if (!result.marks_.empty() && result.marks_.back().row == moved.row) {
      result.marks_.back() = moved;
    } else {
      result.marks_.push_back(moved);
    }
  }
  result.origin_ = origin_;
  if (origin_.first_position >= 0) {
    // Behind a gap the positions of rows can't be told from that of the first.
    const bool has_gaps =
        rows.empty() || static_cast<size_t>(rows.back() - rows.front()) + 1 != rows.size();
    result.origin_.first_position = has_gaps ? -1 : origin_.first_position + rows.front();
  }
  if (event_times_ != nullptr) {
    result.event_times_ = gather(event_times_, rows);
  }
  return result;
}

int64_t Batch::byte_size() const {
  int64_t bytes = kinds_ == nullptr ? 0 : row_count_;
  for (const ColumnPtr& column : columns_) {
    bytes += column->byte_size();
  }
  return bytes;
}

}  // namespace thalweg
