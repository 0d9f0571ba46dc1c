#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace thalweg::sql {

enum class LiteralKind : uint8_t {
  kNull,
  kBoolean,
  kExactNumeric,        // 12, 1.50
  kApproximateNumeric,  // 1.5E3
  kString,
  kBinary,  // X'4A4B'
  kDate,
  kTime,
  kTimestamp,
  kTimestampLtz,  // only the Table API makes these; text is a UTC wall clock
  kInterval,
};

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

/// "SECOND", "DOW" and so on.
std::string_view to_string(TimeUnit unit);

/// `INTERVAL '1-2' YEAR(3) TO MONTH`: the units as written; precisions are -1 where none is
/// written.
struct IntervalQualifier {
  TimeUnit leading = TimeUnit::kSecond;
  std::optional<TimeUnit> trailing = {};
  int32_t leading_precision = -1;
  int32_t fraction_precision = -1;

  bool is_year_month() const;
};

}  // namespace thalweg::sql
