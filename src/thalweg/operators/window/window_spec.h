#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/types/data_type.h"

namespace thalweg::operators {

enum class WindowKind : uint8_t {
  kTumble,
  kHop,
  kCumulate,
  kSession,
  /// The rows carry their window already (a window aggregate over a windowed subquery).
  kAttached,
};

/// Which windows a row belongs to. One for TVF windows, SQL group windows and the Table API.
struct WindowSpec {
  WindowKind kind = WindowKind::kTumble;
  /// Event time of the row (precision up to 3), ignored with processing time. kAttached: the column
  /// of the window's end.
  ColumnIndex time{-1};
  /// The time column is a PROCTIME() attribute: rows get the time of the clock.
  bool is_processing_time = false;
  /// TUMBLE and HOP: the size; CUMULATE: the greatest size; SESSION: the gap.
  int64_t size_ms = 0;
  /// HOP: the slide; CUMULATE: the step.
  int64_t step_ms = 0;
  int64_t offset_ms = 0;
  /// The session zone when time is TIMESTAMP_LTZ (windows begin at its wall-clock hours), else
  /// "UTC".
  std::string time_zone = "UTC";
  /// kAttached: the column of the window's start.
  ColumnIndex attached_start{-1};
};

/// A column that tells a result's window.
enum class WindowProperty : uint8_t {
  /// First wall-clock ms, TIMESTAMP(3).
  kStart,
  /// One after the last, TIMESTAMP(3).
  kEnd,
  /// The last ms: TIMESTAMP(3), or the instant as TIMESTAMP_LTZ(3), by the time attribute's type.
  kTime,
  /// The time of the clock when the result is sent, TIMESTAMP_LTZ(3).
  kProcessingTime,
};

/// One property column of the output; `type` decides between wall clock and instant.
struct WindowColumn {
  WindowProperty property;
  DataType type;
};

}  // namespace thalweg::operators
