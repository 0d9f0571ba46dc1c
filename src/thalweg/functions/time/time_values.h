#pragma once

#include "thalweg/types/civil_date.h"
#include "thalweg/types/column.h"

/// Reads and writes times of all types as milliseconds.
namespace thalweg::functions {

/// Milliseconds of a DATE, TIME, TIMESTAMP or TIMESTAMP_LTZ.
inline int64_t time_ms(const Column& column, int32_t row) {
  switch (column.type().kind()) {
    case TypeKind::kDate:
      return column.at<int32_t>(row) * kMsPerDay;
    case TypeKind::kTime:
      return column.at<int32_t>(row);
    default:
      return column.type().physical() == PhysicalKind::kInt64
                 ? column.at<int64_t>(row)
                 : static_cast<int64_t>(floor_divide<Int128>(column.at<Int128>(row), kNanosPerMs));
  }
}

/// Nanoseconds behind time_ms.
inline int32_t time_nanos(const Column& column, int32_t row) {
  return column.type().is_timestamp() && column.type().physical() == PhysicalKind::kInt128
             ? static_cast<int32_t>(floor_modulo<Int128>(column.at<Int128>(row), kNanosPerMs))
             : 0;
}

inline void set_time(Column& column, int32_t row, int64_t ms, int32_t nanos = 0) {
  const auto at = static_cast<size_t>(row);
  switch (column.type().kind()) {
    case TypeKind::kDate:
      column.mutable_values<int32_t>()[at] = static_cast<int32_t>(floor_divide(ms, kMsPerDay));
      return;
    case TypeKind::kTime:
      column.mutable_values<int32_t>()[at] = static_cast<int32_t>(floor_modulo(ms, kMsPerDay));
      return;
    default:
      if (column.type().physical() == PhysicalKind::kInt64) {
        column.mutable_values<int64_t>()[at] = ms;
      } else {
        column.mutable_values<Int128>()[at] = Int128{ms} * kNanosPerMs + nanos;
      }
  }
}

/// The same day and time `months` later.
inline int64_t add_months_to_ms(int64_t ms, int32_t months) {
  const int64_t days = floor_divide(ms, kMsPerDay);
  const int32_t moved =
      days_from_civil(add_months(civil_from_days(static_cast<int32_t>(days)), months));
  return moved * kMsPerDay + (ms - days * kMsPerDay);
}

}  // namespace thalweg::functions
