#include "thalweg/types/text.h"

#include <limits>

#include <doctest/doctest.h>

#include "thalweg/common/error.h"
#include "thalweg/types/civil_date.h"
#include "thalweg/types/decimal.h"
#include "thalweg/types/value.h"

namespace thalweg {

namespace {

std::string of_double(double value) {
  std::string text;
  text::append_double(text, value);
  return text;
}

std::string of_float(float value) {
  std::string text;
  text::append_float(text, value);
  return text;
}

std::string of_decimal(Int128 unscaled, int32_t scale) {
  std::string text;
  text::append_decimal(text, unscaled, scale);
  return text;
}

std::string of_timestamp(Int128 value, int32_t precision) {
  std::string text;
  text::append_timestamp(text, value, precision);
  return text;
}

std::string of_value(const DataType& type, Value value, text::Style style) {
  std::string text;
  text::append_value(
      text, *constant_column(type, value, 1), 0, style, TimeZone::find("Asia/Kolkata"));
  return text;
}

}  // namespace

TEST_CASE("doubles read as Java prints them") {
  CHECK(of_double(0.1 + 0.2) == "0.30000000000000004");
  CHECK(of_double(1e20) == "1.0E20");
  CHECK(of_double(1e-7) == "1.0E-7");
  CHECK(of_double(123456789.0) == "1.23456789E8");
  CHECK(of_double(1234567.0) == "1234567.0");
  CHECK(of_double(0.001) == "0.001");
  CHECK(of_double(0.00099) == "9.9E-4");
  CHECK(of_double(-0.0) == "-0.0");
  CHECK(of_double(1024) == "1024.0");
  CHECK(of_double(-std::numeric_limits<double>::infinity()) == "-Infinity");
  CHECK(of_double(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(of_double(std::numeric_limits<double>::max()) == "1.7976931348623157E308");
  CHECK(of_float(16777216.0F) == "1.6777216E7");
  CHECK(of_float(1.1F) == "1.1");
}

TEST_CASE("decimals keep their scale") {
  CHECK(of_decimal(1250, 2) == "12.50");
  CHECK(of_decimal(-5, 3) == "-0.005");
  CHECK(of_decimal(0, 2) == "0.00");
  CHECK(of_decimal(power_of_ten(38) - 1, 0) == "99999999999999999999999999999999999999");
}

TEST_CASE("times and intervals") {
  CHECK(of_timestamp(1704164645678, 3) == "2024-01-02 03:04:05.678");
  CHECK(of_timestamp(1704164645678, 0) == "2024-01-02 03:04:05");
  CHECK(of_timestamp(Int128{1704164645} * 1000000000 + 123456000, 6) ==
        "2024-01-02 03:04:05.123456");
  CHECK(of_timestamp(-1, 3) == "1969-12-31 23:59:59.999");
  std::string text;
  text::append_interval_day_time(text, 10 * kMsPerDay + 4);
  text += ' ';
  text::append_interval_year_month(text, -14);
  CHECK(text == "+10 00:00:00.004 -1-02");
}

TEST_CASE("calendar arithmetic agrees with itself over the whole range") {
  int32_t expected = days_from_civil({-1, 1, 1});
  for (int32_t year = -1; year < 2200; ++year) {
    for (int32_t month = 1; month <= 12; ++month) {
      REQUIRE(days_from_civil({year, month, 1}) == expected);
      const int32_t last = days_in_month(year, month);
      REQUIRE(civil_from_days(expected + last - 1) == CivilDate{year, month, last});
      expected += last;
    }
  }
  CHECK(iso_day_of_week(days_from_civil({2024, 3, 15})) == 5);
}

TEST_CASE("numbers from text") {
  CHECK(text::parse_int64(" 12 ") == 12);
  CHECK(text::parse_int64("1.9") == 1);
  CHECK(text::parse_int64("-9223372036854775808") == std::numeric_limits<int64_t>::min());
  CHECK_FALSE(text::parse_int64("9223372036854775808"));
  CHECK_FALSE(text::parse_int64("1e3"));
  CHECK_FALSE(text::parse_int64(""));
  CHECK(text::parse_double("1e3") == 1000.0);
  CHECK(text::parse_double("+.5") == 0.5);
  CHECK(text::parse_double("1e999") == std::numeric_limits<double>::infinity());
  CHECK_FALSE(text::parse_double("inf"));
  CHECK_FALSE(text::parse_double("nan"));
  CHECK_FALSE(text::parse_double("1e"));
  CHECK(text::parse_decimal("12.345", 4, 2) == 1235);
  CHECK(text::parse_decimal("-1.5e1", 10, 1) == -150);
  CHECK_FALSE(text::parse_decimal("123.45", 4, 2));
  CHECK(text::parse_decimal("0.00000000000000000000000000000000000000001", 38, 2) == 0);
  CHECK(text::parse_boolean("TRUE") == true);
  CHECK(text::parse_boolean("f") == false);
  CHECK_FALSE(text::parse_boolean("x"));
}

TEST_CASE("times from text") {
  CHECK(text::parse_date("2024-2-29") == days_from_civil({2024, 2, 29}));
  CHECK(text::parse_date("2024-02-29 10:00:00") == days_from_civil({2024, 2, 29}));
  CHECK_FALSE(text::parse_date("2024-13-01"));
  CHECK_FALSE(text::parse_date("2023-02-29"));
  CHECK(text::parse_time("10:11") == 36660000);
  CHECK(text::parse_time("10:11:12.345") == 36672345);
  CHECK_FALSE(text::parse_time("abc"));
  CHECK(text::parse_timestamp("2024-1-2 3:4:5.678", 3) == 1704164645678);
  CHECK(text::parse_timestamp("2024-01-02", 0) == 1704153600000);
  CHECK_FALSE(text::parse_timestamp("2024-01-01 01:02", 3));
  CHECK_FALSE(text::parse_timestamp("2024-01-01T01:02:03", 3));
  CHECK(text::parse_timestamp("2024-01-01T01:02:03", 3, 'T') == 1704070923000);
}

TEST_CASE("values as the printers show them") {
  const DataType row = DataType::row({{"a", DataType::integer()}, {"b", DataType::string()}});
  const Value pair(ValueList{Value(int64_t{1}), Value()});
  CHECK(of_value(row, pair, text::Style::kCast) == "(1, NULL)");
  CHECK(of_value(row, pair, text::Style::kPrint) == "+I[1, null]");
  CHECK(of_value(DataType::bytes(), Value(std::string("hi")), text::Style::kCast) == "x'6869'");
  CHECK(of_value(DataType::bytes(), Value(std::string("hi")), text::Style::kPrint) == "[104, 105]");
  const Value instant(int64_t{1700000000123});
  CHECK(of_value(DataType::timestamp_ltz(3), instant, text::Style::kCast) ==
        "2023-11-15 03:43:20.123");
  CHECK(of_value(DataType::timestamp_ltz(3), instant, text::Style::kPrint) ==
        "2023-11-14T22:13:20.123Z");
  CHECK(of_value(DataType::timestamp(3), Value(int64_t{60000}), text::Style::kPrint) ==
        "1970-01-01T00:01");
  CHECK(of_value(DataType::decimal(10, 8), Value(Int128{1}), text::Style::kPrint) == "1E-8");
}

TEST_CASE("the print connector shows maps as Java's HashMap orders them") {
  const DataType map = DataType::map(DataType::string(), DataType::integer());
  ValueList entries;
  for (const char* key : {"pear", "apple", "fig", "b", "a"}) {
    entries.emplace_back(std::string(key));
    entries.emplace_back(int64_t{1});
  }
  CHECK(of_value(map, Value(entries), text::Style::kCast) == "{pear=1, apple=1, fig=1, b=1, a=1}");
  CHECK(of_value(map, Value(entries), text::Style::kPrint) == "{apple=1, a=1, pear=1, b=1, fig=1}");
}

TEST_CASE("time zones") {
  const TimeZone berlin = TimeZone::find("Europe/Berlin");
  CHECK(berlin.offset_at(1711846799999) == 3600000);
  CHECK(berlin.offset_at(1711846800000) == 7200000);
  // 02:30 on 2024-03-31 does not exist: moved forward by an hour.
  CHECK(berlin.to_local(berlin.to_instant(1711852200000)) == 1711855800000);
  // 02:30 on 2024-10-27 comes twice: the earlier one.
  CHECK(berlin.to_instant(1729996200000) == 1729989000000);
  CHECK(TimeZone::find("GMT-08:00").offset_at(0) == -8 * 3600000);
  CHECK(TimeZone::find("+0530").offset_at(0) == 19800000);
  CHECK_THROWS_WITH_AS(TimeZone::find("Asia/Kolkatta"), "Unknown time zone: Asia/Kolkatta", Error);
}

}  // namespace thalweg
