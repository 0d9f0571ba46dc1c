#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "thalweg/types/data_type.h"

/// Dates and times as Java's own formatters read and print them: stricter than CAST, and what the
/// text formats of Flink use (its TimeFormats, 2.3).
namespace thalweg::formats {

/// How a format writes timestamps.
struct TimestampStyle {
  /// Between date and time: ' ' (SQL) or 'T' (ISO-8601).
  char separator = ' ';
  /// The seconds may be left out when reading (ISO_LOCAL_TIME).
  bool seconds_optional = false;
  /// A 'Z' follows: TIMESTAMP_LTZ.
  bool zulu = false;
};

/// ISO_LOCAL_DATE: "2024-02-29", each part with all its digits and a day that exists.
std::optional<int32_t> parse_iso_date(std::string_view text);

/// java.sql.Date.valueOf: "2024-2-9" too; a day past the end of its month rolls over.
std::optional<int32_t> parse_sql_date(std::string_view text);

/// "12:34:56" with up to nine fraction digits; milliseconds of the day.
std::optional<int32_t> parse_java_time(std::string_view text, bool seconds_optional);

/// Date, separator, time. The day is cut to the last of its month, as Java's SMART resolver does.
/// The physical value of a timestamp of `precision`; further digits are cut off.
std::optional<Int128> parse_java_timestamp(std::string_view text,
                                           const TimestampStyle& style,
                                           int32_t precision);

/// "2024-02-29"; years over 9999 with a sign.
void append_iso_date(std::string& out, int32_t days);

/// "12:34:56", and the milliseconds without trailing zeros when `fraction` is set.
void append_java_time(std::string& out, int32_t ms_of_day, bool fraction);

/// With as many fraction digits as are not zero.
void append_java_timestamp(std::string& out,
                           Int128 value,
                           int32_t precision,
                           const TimestampStyle& style);

}  // namespace thalweg::formats
