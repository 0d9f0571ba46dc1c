#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "thalweg/common/time_zone.h"
#include "thalweg/types/column.h"
#include "thalweg/types/data_type.h"

/// Text forms of values, shared by CAST, the printers and the formats. All append; all are Java's
/// or Flink's forms.
namespace thalweg::text {

/// Java's Double.toString / Float.toString: "1.0E10", "0.1", "NaN", "Infinity".
void append_double(std::string& out, double value);
void append_float(std::string& out, float value);
void append_decimal(std::string& out, Int128 unscaled, int32_t scale);
/// "2024-02-29"; years outside 0..9999 as Flink prints them.
void append_date(std::string& out, int32_t days);
/// "12:34:56" and `precision` fraction digits.
void append_time(std::string& out, int32_t ms_of_day, int32_t precision);
/// "2024-01-02 03:04:05.678": exactly `precision` fraction digits. `value` is the physical value of
/// TIMESTAMP(precision) widened: ms for precision <= 3, else nanoseconds.
void append_timestamp(std::string& out, Int128 value, int32_t precision, char separator = ' ');
/// "+1 00:00:00.000" and "+1-02".
void append_interval_day_time(std::string& out, int64_t ms);
void append_interval_year_month(std::string& out, int32_t months);

/// Parsers: nullopt when the text does not fit. Rules are Flink's (CAST from STRING): surrounding
/// spaces are trimmed.
std::optional<int64_t> parse_int64(std::string_view text);
std::optional<double> parse_double(std::string_view text);
/// Rounds half up to `scale`; nullopt when it needs more than `precision` digits.
std::optional<Int128> parse_decimal(std::string_view text, int32_t precision, int32_t scale);
std::optional<bool> parse_boolean(std::string_view text);
std::optional<int32_t> parse_date(std::string_view text);
std::optional<int32_t> parse_time(std::string_view text);
/// "2024-1-2 3:4:5.678" or "2024-01-02"; further fraction digits are cut off. The physical value
/// for `precision`. CAST takes only a space as separator; ISO formats give 'T'.
std::optional<Int128> parse_timestamp(std::string_view text,
                                      int32_t precision,
                                      char separator = ' ');

/// How nested and special values read in each place.
enum class Style : uint8_t {
  /// CAST(x AS STRING), and TableResult.print(): NULL inside nested values "NULL", TRUE/FALSE, (1,
  /// x), x'4a4b'.
  kCast,
  /// The print connector: +I[1, a, null], ISO timestamps, [104, 105], true/false.
  kPrint,
};

/// One value as text. NULL at the top is "NULL" (kCast) or "null" (kPrint). LTZ values are shown in
/// `zone`.
void append_value(
    std::string& out, const Column& column, int32_t row, Style style, const TimeZone& zone);

}  // namespace thalweg::text
