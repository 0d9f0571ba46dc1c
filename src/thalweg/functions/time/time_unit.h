#pragma once

#include <optional>
#include <string_view>

#include "thalweg/types/data_type.h"

namespace thalweg::functions {

/// The units of EXTRACT, FLOOR, TIMESTAMPADD and their kin.
enum class TimeUnit : uint8_t {
  kNanosecond,
  kMicrosecond,
  kMillisecond,
  kSecond,
  kMinute,
  kHour,
  kDay,
  kWeek,
  kMonth,
  kQuarter,
  kYear,
  kDecade,
  kCentury,
  kMillennium,
  kEpoch,
  kDayOfWeek,
  kIsoDayOfWeek,
  kIsoYear,
  kDayOfYear,
};

/// By SQL keyword ("DOW") or ODBC name ("SQL_TSI_DAY").
std::optional<TimeUnit> parse_time_unit(std::string_view name);

/// Milliseconds of a unit of fixed length from a millisecond to a week; 0 for the others.
int64_t milliseconds_of(TimeUnit unit);

/// A point in time as day and millisecond of the day; nanoseconds of the millisecond apart.
struct DayTime {
  int32_t days = 0;
  int32_t ms = 0;
  int32_t nanos = 0;
};

DayTime day_time_of(int64_t ms, int32_t nanos = 0);

/// The value of EXTRACT(unit FROM ...).
int64_t extract_unit(TimeUnit unit, const DayTime& time);
/// The start of the unit that `ms` (a wall clock) lies in, or, `up`, of the next one unless it is
/// a start itself.
int64_t floor_to_unit(TimeUnit unit, int64_t ms, bool up);
/// The difference in whole units, towards zero.
int64_t months_between(int64_t from_ms, int64_t to_ms);

}  // namespace thalweg::functions
