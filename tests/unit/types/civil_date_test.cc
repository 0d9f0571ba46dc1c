#include "thalweg/types/civil_date.h"

#include <limits>

#include <doctest/doctest.h>

namespace thalweg {

namespace {

constexpr int32_t kLastDay = std::numeric_limits<int32_t>::max();
constexpr int32_t kFirstDay = std::numeric_limits<int32_t>::min();

}  // namespace

TEST_CASE("days and dates lead to each other") {
  CHECK(civil_from_days(0) == CivilDate{1970, 1, 1});
  CHECK(civil_from_days(-719468) == CivilDate{0, 3, 1});
  CHECK(civil_from_days(19782) == CivilDate{2024, 2, 29});
  // 13 and 97 meet all days of the week, all days of a year and all places of a leap year.
  for (int32_t days = -10'100'000; days < 10'100'000; days += 13) {
    REQUIRE(days_from_civil(civil_from_days(days)) == days);
    REQUIRE(civil_from_days(days) == distant_civil_from_days(days));
  }
  for (int32_t days = -150'000; days < 150'000; ++days) {
    const CivilDate date = civil_from_days(days);
    REQUIRE(date == distant_civil_from_days(days));
    REQUIRE(civil_from_days(days - date.day + 1) == CivilDate{date.year, date.month, 1});
  }
}

TEST_CASE("the first and last day that there is") {
  CHECK(civil_from_days(kLastDay) == CivilDate{5'881'580, 7, 11});
  CHECK(civil_from_days(kFirstDay) == CivilDate{-5'877'641, 6, 23});
  for (const int32_t days : {kLastDay, kLastDay - 400, kFirstDay, kFirstDay + 400}) {
    CHECK(days_from_civil(civil_from_days(days)) == days);
    CHECK(iso_day_of_week(days) >= 1);
    CHECK(iso_day_of_week(days) <= 7);
  }
  // Beyond them days start anew, as Java's int does.
  CHECK(days_from_civil({5'881'580, 7, 12}) == kFirstDay);
  CHECK(day_of((int64_t{kLastDay} + 1) * kMsPerDay) == kFirstDay);
}

TEST_CASE("division rounds down") {
  CHECK(floor_divide(7, 3) == 2);
  CHECK(floor_divide(-7, 3) == -3);
  CHECK(floor_divide(-6, 3) == -2);
  CHECK(floor_divide(-1, 3) == -1);
  CHECK(floor_divide(0, 3) == 0);
  CHECK(floor_modulo(-1, 3) == 2);
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  CHECK(floor_divide<int64_t>(kLeast, kMsPerDay) == -106'751'991'168);
  CHECK(floor_divide<int64_t>(kLeast, 1) == kLeast);
  CHECK(floor_divide<__int128>(-1, kNanosPerDay) == -1);
}

}  // namespace thalweg
