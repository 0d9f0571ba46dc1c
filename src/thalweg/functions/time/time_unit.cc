#include "thalweg/functions/time/time_unit.h"

#include <array>
#include <utility>

#include "thalweg/common/check.h"
#include "thalweg/types/civil_date.h"

namespace thalweg::functions {

namespace {

constexpr std::array<std::pair<std::string_view, TimeUnit>, 23> kNames = {{
    {"NANOSECOND", TimeUnit::kNanosecond},
    {"FRAC_SECOND", TimeUnit::kMicrosecond},
    {"MICROSECOND", TimeUnit::kMicrosecond},
    {"MILLISECOND", TimeUnit::kMillisecond},
    {"SECOND", TimeUnit::kSecond},
    {"MINUTE", TimeUnit::kMinute},
    {"HOUR", TimeUnit::kHour},
    {"DAY", TimeUnit::kDay},
    {"WEEK", TimeUnit::kWeek},
    {"MONTH", TimeUnit::kMonth},
    {"QUARTER", TimeUnit::kQuarter},
    {"YEAR", TimeUnit::kYear},
    {"DECADE", TimeUnit::kDecade},
    {"CENTURY", TimeUnit::kCentury},
    {"MILLENNIUM", TimeUnit::kMillennium},
    {"EPOCH", TimeUnit::kEpoch},
    {"DOW", TimeUnit::kDayOfWeek},
    {"ISODOW", TimeUnit::kIsoDayOfWeek},
    {"ISOYEAR", TimeUnit::kIsoYear},
    {"DOY", TimeUnit::kDayOfYear},
    {"DAYOFWEEK", TimeUnit::kDayOfWeek},
    {"DAYOFYEAR", TimeUnit::kDayOfYear},
    {"DAYOFMONTH", TimeUnit::kDay},
}};

/// The Thursday of a day's ISO week: its year is the week's year.
int32_t iso_thursday(int32_t days) {
  return days - iso_day_of_week(days) + 4;
}

int32_t day_of_year(int32_t days) {
  return days - days_from_civil({civil_from_days(days).year, 1, 1}) + 1;
}

int32_t iso_week(int32_t days) {
  return (day_of_year(iso_thursday(days)) - 1) / 7 + 1;
}

/// Units of days and years.
int64_t extract_date_unit(TimeUnit unit, int32_t days) {
  const CivilDate date = civil_from_days(days);
  switch (unit) {
    case TimeUnit::kDay:
      return date.day;
    case TimeUnit::kWeek:
      return iso_week(days);
    case TimeUnit::kMonth:
      return date.month;
    case TimeUnit::kQuarter:
      return (date.month - 1) / 3 + 1;
    case TimeUnit::kYear:
      return date.year;
    case TimeUnit::kDecade:
      return floor_divide(date.year, 10);
    case TimeUnit::kCentury:
      return date.year > 0 ? (date.year + 99) / 100 : (date.year - 99) / 100;
    case TimeUnit::kMillennium:
      return date.year > 0 ? (date.year + 999) / 1000 : (date.year - 999) / 1000;
    case TimeUnit::kDayOfWeek:
      return iso_day_of_week(days) % 7 + 1;  // Sunday is 1
    case TimeUnit::kIsoDayOfWeek:
      return iso_day_of_week(days);
    case TimeUnit::kIsoYear:
      return civil_from_days(iso_thursday(days)).year;
    case TimeUnit::kDayOfYear:
      return day_of_year(days);
    default:
      unreachable("a unit of the day");
  }
}

/// The first day of the unit that a day lies in; `next`: of the unit after it.
int32_t start_of(TimeUnit unit, int32_t days, bool next) {
  const CivilDate date = civil_from_days(days);
  const auto years = [&](int32_t count, int32_t first) {
    // Centuries and millennia start in a year ending in 1.
    const int32_t year = floor_divide(date.year - first, count) * count + first;
    return days_from_civil({next ? year + count : year, 1, 1});
  };
  const auto months = [&](int32_t count) {
    const CivilDate start{date.year, (date.month - 1) / count * count + 1, 1};
    return days_from_civil(next ? add_months(start, count) : start);
  };
  switch (unit) {
    case TimeUnit::kWeek: {
      const int32_t sunday = days - iso_day_of_week(days) % 7;
      return next ? sunday + 7 : sunday;
    }
    case TimeUnit::kMonth:
      return months(1);
    case TimeUnit::kQuarter:
      return months(3);
    case TimeUnit::kYear:
      return years(1, 0);
    case TimeUnit::kDecade:
      return years(10, 0);
    case TimeUnit::kCentury:
      return years(100, 1);
    case TimeUnit::kMillennium:
      return years(1000, 1);
    default:
      unreachable("a unit that times are cut to");
  }
}

}  // namespace

std::optional<TimeUnit> parse_time_unit(std::string_view name) {
  constexpr std::string_view kOdbcPrefix = "SQL_TSI_";
  if (name.starts_with(kOdbcPrefix)) {
    name.remove_prefix(kOdbcPrefix.size());
  }
  for (const auto& [known, unit] : kNames) {
    if (known == name) {
      return unit;
    }
  }
  return std::nullopt;
}

int64_t milliseconds_of(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kMillisecond:
      return 1;
    case TimeUnit::kSecond:
      return kMsPerSecond;
    case TimeUnit::kMinute:
      return kMsPerMinute;
    case TimeUnit::kHour:
      return kMsPerHour;
    case TimeUnit::kDay:
      return kMsPerDay;
    case TimeUnit::kWeek:
      return 7 * kMsPerDay;
    default:
      return 0;
  }
}

DayTime day_time_of(int64_t ms, int32_t nanos) {
  return {day_of(ms), static_cast<int32_t>(floor_modulo(ms, kMsPerDay)), nanos};
}

int64_t extract_unit(TimeUnit unit, const DayTime& time) {
  switch (unit) {
    case TimeUnit::kHour:
      return time.ms / kMsPerHour;
    case TimeUnit::kMinute:
      return time.ms / kMsPerMinute % 60;
    case TimeUnit::kSecond:
      return time.ms / kMsPerSecond % 60;
    case TimeUnit::kMillisecond:
      return time.ms % kMsPerSecond;
    case TimeUnit::kMicrosecond:
      return time.ms % kMsPerSecond * 1000 + time.nanos / 1000;
    case TimeUnit::kNanosecond:
      return time.ms % kMsPerSecond * kNanosPerMs + time.nanos;
    case TimeUnit::kEpoch:  // towards zero, as in Flink
      return (time.days * kMsPerDay + time.ms) / kMsPerSecond;
    default:
      return extract_date_unit(unit, time.days);
  }
}

int64_t floor_to_unit(TimeUnit unit, int64_t ms, bool up) {
  const int64_t length = unit <= TimeUnit::kDay ? milliseconds_of(unit) : 0;
  if (length > 0) {
    const int64_t start = floor_divide(ms, length) * length;
    return up && start != ms ? start + length : start;
  }
  // The day Flink takes by dividing towards zero.
  const int64_t point = ms < 0 ? ms / kMsPerDay * kMsPerDay : ms;
  const int32_t days = day_of(point);
  const int64_t start = start_of(unit, days, false);
  // Flink's CEIL looks at the day alone, but for quarters.
  // Decades and longer units always end with the next one's start.
  const bool is_start = unit == TimeUnit::kQuarter  ? start * kMsPerDay == point
                        : unit >= TimeUnit::kDecade ? false
                                                    : start == days;
  return (up && !is_start ? start_of(unit, days, true) : start) * kMsPerDay;
}

int64_t months_between(int64_t from_ms, int64_t to_ms) {
  if (to_ms < from_ms) {
    return -months_between(to_ms, from_ms);
  }
  const int32_t from_days = day_of(from_ms);
  const int32_t to_days = day_of(to_ms);
  const CivilDate from = civil_from_days(from_days);
  const CivilDate to = civil_from_days(to_days);
  const int64_t months = int64_t{to.year - from.year} * 12 + to.month - from.month;
  // A month that is not full does not count; a shorter month's last day fills it.
  const int32_t moved_days = days_from_civil(add_months(from, static_cast<int32_t>(months)));
  const int64_t moved = moved_days * kMsPerDay + (from_ms - from_days * kMsPerDay);
  return moved > to_ms ? months - 1 : months;
}

}  // namespace thalweg::functions
