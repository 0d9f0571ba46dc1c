#pragma once

#include <cstdint>

namespace thalweg {

inline constexpr int64_t kMsPerSecond = 1000;
inline constexpr int64_t kMsPerMinute = 60 * kMsPerSecond;
inline constexpr int64_t kMsPerHour = 60 * kMsPerMinute;
inline constexpr int64_t kMsPerDay = 24 * kMsPerHour;
inline constexpr int64_t kNanosPerMs = 1'000'000;
inline constexpr int64_t kNanosPerDay = kMsPerDay * kNanosPerMs;

/// Division that rounds down, for times before the epoch. The divisor is positive.
template <typename T>
constexpr T floor_divide(T value, T divisor) {
  // -1 - value of a negative value: no branch, and no remainder to look at.
  const T sign = value < 0 ? T{-1} : T{0};
  return static_cast<T>(((value ^ sign) / divisor) ^ sign);
}

template <typename T>
constexpr T floor_modulo(T value, T divisor) {
  return value - floor_divide(value, divisor) * divisor;
}

/// A day of the proleptic Gregorian calendar.
struct CivilDate {
  int32_t year = 1970;
  int32_t month = 1;
  int32_t day = 1;

  bool operator==(const CivilDate&) const = default;
};

constexpr bool is_leap_year(int32_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr int32_t days_in_month(int32_t year, int32_t month) {
  constexpr int8_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap_year(year) ? 29 : kDays[month - 1];
}

/// Days since 1970-01-01. Counts in eras of 400 years that start in March, so that the leap day is
/// last.
constexpr int32_t days_from_civil(CivilDate date) {
  const int32_t year = date.month <= 2 ? date.year - 1 : date.year;
  const int32_t era = floor_divide(year, 400);
  const int32_t year_of_era = year - era * 400;
  const int32_t month_from_march = date.month > 2 ? date.month - 3 : date.month + 9;
  const int32_t day_of_year = (153 * month_from_march + 2) / 5 + date.day - 1;
  const int32_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

/// For days whose quarters leave 32 bits.
constexpr CivilDate distant_civil_from_days(int32_t days) {
  const int64_t shifted = int64_t{days} + 719468;
  const auto era = static_cast<int32_t>(floor_divide<int64_t>(shifted, 146097));
  const auto day_of_era = static_cast<int32_t>(shifted - int64_t{era} * 146097);
  const int32_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int32_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int32_t month_from_march = (5 * day_of_year + 2) / 153;
  const int32_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const int32_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

/// Within some 27,000 years of 1970 in 32 bits and without a branch, after Neri and Schneider
/// ("Euclidean affine functions and their application to calendar algorithms", 2023).
constexpr CivilDate civil_from_days(int32_t days) {
  constexpr uint32_t kFurthest = 10'000'000;
  if (static_cast<uint32_t>(days) + kFurthest > 2 * kFurthest) {
    return distant_civil_from_days(days);
  }
  constexpr uint32_t kEras = 82;
  const uint32_t shifted = 4 * (static_cast<uint32_t>(days) + 719468 + 146097 * kEras) + 3;
  const uint32_t century = shifted / 146097;
  const uint32_t of_century = shifted % 146097 | 3U;
  const uint64_t scaled = uint64_t{2939745} * of_century;
  const auto year_of_century = static_cast<uint32_t>(scaled >> 32U);
  const auto scaled_day = static_cast<uint32_t>(scaled);
  const uint32_t day_of_year = scaled_day / 2939745 / 4;
  const uint32_t month_and_day = 2141 * day_of_year + 197913;
  // From the 306th day after February on.
  const uint32_t is_next_year = scaled_day >= 306U * 4 * 2939745 ? 1 : 0;
  const uint32_t year = 100 * century + year_of_century + is_next_year;
  return {static_cast<int32_t>(year - 400 * kEras),
          static_cast<int32_t>((month_and_day >> 16U) - 12 * is_next_year),
          static_cast<int32_t>((month_and_day & 0xFFFFU) / 2141 + 1)};
}

/// The day that a time of so many milliseconds lies in, counted in 32 bits as Java's cast does.
constexpr int32_t day_of(int64_t ms) {
  return static_cast<int32_t>(floor_divide(ms, kMsPerDay));
}

/// 1 (Monday) to 7 (Sunday).
constexpr int32_t iso_day_of_week(int32_t days) {
  return static_cast<int32_t>(floor_modulo<int64_t>(int64_t{days} + 3, 7)) + 1;
}

/// The same day `months` later, or the last of its month when that is shorter.
constexpr CivilDate add_months(CivilDate date, int32_t months) {
  const int64_t index = int64_t{date.year} * 12 + (date.month - 1) + months;
  const auto year = static_cast<int32_t>(floor_divide<int64_t>(index, 12));
  const auto month = static_cast<int32_t>(floor_modulo<int64_t>(index, 12)) + 1;
  const int32_t last = days_in_month(year, month);
  return {year, month, date.day < last ? date.day : last};
}

}  // namespace thalweg
