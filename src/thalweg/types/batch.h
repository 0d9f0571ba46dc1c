#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "thalweg/common/error.h"
#include "thalweg/common/time.h"
#include "thalweg/types/column.h"
#include "thalweg/types/row_kind.h"

namespace thalweg {

/// Rows of a batch below which a source or operator should rather wait for more.
inline constexpr int32_t kTargetBatchRows = 2048;

/// The watermark became `watermark` just before row `row` of the batch (`row` == row count: after
/// the last). Marks are ascending in both fields.
struct Mark {
  int32_t row = 0;
  EventTime watermark;

  bool operator==(const Mark&) const = default;
};

/// Where the rows of a batch were read: tracing, replay and error messages need it.
struct Origin {
  /// "topic-0", a file's path ... null when the rows were made by an operator.
  std::shared_ptr<const std::string> split;
  /// The position of the first row in its split: an offset, a line number.
  int64_t first_position = -1;
};

/// The row where work stopped, and why. The rows before it are good.
struct RowFailure {
  int32_t row = 0;
  Error error;
};

/// Up to a few thousand rows as columns, with their change kinds, the watermarks between them and
/// their origin. A value; the columns are shared and immutable.
class Batch {
 public:
  Batch() = default;

  Batch(int32_t row_count, std::vector<ColumnPtr> columns)
      : row_count_(row_count), columns_(std::move(columns)) {}

  int32_t row_count() const { return row_count_; }

  const std::vector<ColumnPtr>& columns() const { return columns_; }

  const Column& column(size_t index) const { return *columns_[index]; }

  const ColumnPtr& column_ptr(size_t index) const { return columns_[index]; }

  /// True when every row is +I.
  bool is_insert_only() const { return kinds_ == nullptr; }

  RowKind kind(int32_t row) const {
    return kinds_ == nullptr ? RowKind::kInsert : (*kinds_)[static_cast<size_t>(row)];
  }

  /// Null when every row is +I.
  const std::shared_ptr<const std::vector<RowKind>>& kinds() const { return kinds_; }

  void set_kinds(std::vector<RowKind> kinds);

  void share_kinds(std::shared_ptr<const std::vector<RowKind>> kinds) { kinds_ = std::move(kinds); }

  const std::vector<Mark>& marks() const { return marks_; }

  void set_marks(std::vector<Mark> marks) { marks_ = std::move(marks); }

  const Origin& origin() const { return origin_; }

  void set_origin(Origin origin) { origin_ = std::move(origin); }

  /// Timestamps of DataStream records: a BIGINT column, or null. SQL keeps event time in its
  /// columns.
  const ColumnPtr& event_times() const { return event_times_; }

  void set_event_times(ColumnPtr event_times) { event_times_ = std::move(event_times); }

  /// The same rows, kinds, marks and origin under other columns.
  Batch with_columns(std::vector<ColumnPtr> columns) const;
  /// Rows [begin, end); marks are kept relative to them (those after `end` are dropped, those
  /// before `begin` too).
  Batch slice(int32_t begin, int32_t end) const;
  /// The chosen rows, ascending; every mark is kept, moved to the first chosen row at or after it.
  Batch select(std::span<const int32_t> rows) const;

  int64_t byte_size() const;

 private:
  int32_t row_count_ = 0;
  std::vector<ColumnPtr> columns_;
  std::shared_ptr<const std::vector<RowKind>> kinds_;
  std::vector<Mark> marks_;
  Origin origin_;
  ColumnPtr event_times_;
};

}  // namespace thalweg
