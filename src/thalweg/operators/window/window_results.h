#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "thalweg/common/time.h"
#include "thalweg/operators/window/window_clock.h"
#include "thalweg/operators/window/window_spec.h"
#include "thalweg/stream/output.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::operators {

/// Collects the results of windows, many windows to a batch, with the watermarks between them.
/// Columns: keys, contents (aggregates, or the rows of a session), window columns. Keys and
/// contents may lag behind the windows until the batch is sent. Owned by a window operator.
class WindowResults {
 public:
  /// With `start_is_last_key` the last key is not a column of the output but the window's start.
  WindowResults(const std::vector<DataType>& keys,
                const std::vector<DataType>& contents,
                std::vector<WindowColumn> columns,
                bool start_is_last_key);

  std::span<ColumnBuilder> keys() { return std::span(builders_).first(key_count_); }

  std::span<ColumnBuilder> contents() {
    return std::span(builders_).subspan(key_count_, content_count_);
  }

  /// One more row, of this window.
  void append_window(int64_t start, int64_t end, const WindowClock& clock, ProcessingTime now);

  void append_kind(RowKind kind) { kinds_.push_back(kind); }

  int32_t rows() const { return rows_; }

  /// A watermark behind the rows so far.
  void add_mark(EventTime watermark);

  /// Sends what there is, if anything.
  void send(stream::Output& output);

 private:
  size_t key_count_;
  size_t content_count_;
  std::vector<WindowColumn> columns_;
  bool start_is_last_key_;
  std::vector<ColumnBuilder> builders_;
  std::vector<Mark> marks_;
  std::vector<RowKind> kinds_;
  int32_t rows_ = 0;
};

}  // namespace thalweg::operators
