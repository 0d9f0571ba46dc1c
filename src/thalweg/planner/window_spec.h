#pragma once

#include <cstdint>
#include <string>

#include "thalweg/common/ids.h"

namespace thalweg::planner {

enum class WindowKind : uint8_t { kTumble, kHop, kCumulate, kSession };

/// Where a window operator finds the window of a row.
enum class WindowSource : uint8_t {
  /// From a time attribute (or, in batch mode, any timestamp column).
  kTimeColumn,
  /// The rows carry their window already, in two columns (a window TVF or a window aggregate ran
  /// before).
  kWindowColumns,
  /// The rows carry the end of their slice (the global half of a two-phase aggregate).
  kSliceEnd,
};

/// A window as the query gives it. A value.
struct WindowSpec {
  WindowKind kind = WindowKind::kTumble;
  WindowSource source = WindowSource::kTimeColumn;
  /// TUMBLE, HOP: the size; CUMULATE: the largest size; SESSION: the gap.
  int64_t size_ms = 0;
  /// HOP: the slide; CUMULATE: the step.
  int64_t slide_ms = 0;
  /// Size and slide are numbers of rows (the Table API's row intervals).
  bool counts_rows = false;
  int64_t offset_ms = 0;
  /// kTimeColumn: the column; otherwise -1.
  ColumnIndex time_column{-1};
  /// kWindowColumns: start and end; kSliceEnd: `window_end` only.
  ColumnIndex window_start{-1};
  ColumnIndex window_end{-1};
  bool is_row_time = true;
  /// Windows are cut on the wall clock of the session's zone (TIMESTAMP_LTZ and processing time),
  /// and their bounds are shown on it.
  bool uses_session_zone = false;

  bool operator==(const WindowSpec&) const = default;
};

/// What a window operator adds to its rows, besides keys and aggregates.
enum class WindowProperty : uint8_t { kStart, kEnd, kRowTime, kProcessingTime };

/// One emitted property: its kind and its column's name in the output.
struct NamedWindowProperty {
  WindowProperty property = WindowProperty::kStart;
  std::string name;

  bool operator==(const NamedWindowProperty&) const = default;
};

}  // namespace thalweg::planner
