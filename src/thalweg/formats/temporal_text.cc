#include "thalweg/formats/temporal_text.h"

#include <fmt/format.h>

#include "thalweg/types/civil_date.h"

namespace thalweg::formats {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Takes texts apart from the front. After a mismatch `ok` is false and stays so.
struct Cursor {
  std::string_view rest;
  bool ok = true;

  /// Exactly `count` digits.
  int32_t digits(size_t count) {
    if (rest.size() < count) {
      ok = false;
      return 0;
    }
    int32_t value = 0;
    for (size_t i = 0; i < count; ++i) {
      ok = ok && is_digit(rest[i]);
      value = value * 10 + (rest[i] - '0');
    }
    rest.remove_prefix(count);
    return value;
  }

  void literal(char c) {
    if (rest.empty() || rest.front() != c) {
      ok = false;
      return;
    }
    rest.remove_prefix(1);
  }

  bool at(char c) const { return !rest.empty() && rest.front() == c; }
};

/// Four digits, or a sign and up to nine (java.time's SignStyle.EXCEEDS_PAD).
int32_t parse_year(Cursor& cursor) {
  if (!cursor.at('+') && !cursor.at('-')) {
    const int32_t year = cursor.digits(4);
    cursor.ok = cursor.ok && cursor.at('-');
    return year;
  }
  const bool negative = cursor.at('-');
  cursor.rest.remove_prefix(1);
  size_t count = 0;
  while (count < cursor.rest.size() && is_digit(cursor.rest[count])) {
    ++count;
  }
  if (count < 4 || count > 9 || (count == 4 && !negative)) {
    cursor.ok = false;
    return 0;
  }
  const int32_t year = cursor.digits(count);
  return negative ? -year : year;
}

/// Only the parts' ranges are checked, not that the day exists.
CivilDate parse_civil_date(Cursor& cursor) {
  CivilDate date;
  date.year = parse_year(cursor);
  cursor.literal('-');
  date.month = cursor.digits(2);
  cursor.literal('-');
  date.day = cursor.digits(2);
  cursor.ok = cursor.ok && date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31;
  return date;
}

/// Nanoseconds of the day; 24:00:00 gives a whole day.
int64_t parse_nanos_of_day(Cursor& cursor, bool seconds_optional) {
  const int32_t hour = cursor.digits(2);
  cursor.literal(':');
  const int32_t minute = cursor.digits(2);
  int32_t second = 0;
  int64_t nanos = 0;
  if (!seconds_optional || cursor.at(':')) {
    cursor.literal(':');
    second = cursor.digits(2);
    if (cursor.at('.')) {
      cursor.rest.remove_prefix(1);
      int64_t unit = 100'000'000;
      while (unit > 0 && !cursor.rest.empty() && is_digit(cursor.rest.front())) {
        nanos += (cursor.rest.front() - '0') * unit;
        unit /= 10;
        cursor.rest.remove_prefix(1);
      }
    }
  }
  const bool end_of_day = hour == 24 && minute == 0 && second == 0 && nanos == 0;
  cursor.ok = cursor.ok && (hour < 24 || end_of_day) && minute < 60 && second < 60;
  const int64_t seconds = (int64_t{hour} * 60 + minute) * 60 + second;
  return seconds * 1'000'000'000 + nanos;
}

/// The digits of "2024-01-02 03:04:05", and whether they all are some.
struct FixedText {
  const char* text;
  bool ok = true;

  int32_t digits(size_t at, size_t count) {
    uint32_t value = 0;
    for (size_t i = at; i < at + count; ++i) {
      const uint32_t digit = static_cast<uint32_t>(text[i]) - '0';
      ok &= digit < 10;
      value = value * 10 + digit;
    }
    return static_cast<int32_t>(value);
  }
};

/// The common spelling: four digits of the year, seconds, at most nine fraction digits. Nothing for
/// all else, which may be right in a way that is looked at with more care.
std::optional<Int128> parse_usual_timestamp(std::string_view text,
                                            const TimestampStyle& style,
                                            int32_t precision) {
  constexpr size_t kSeconds = 19;
  if (style.zulu && text.ends_with('Z')) {
    text.remove_suffix(1);
  } else if (style.zulu) {
    return std::nullopt;
  }
  const size_t fraction = text.size() > kSeconds ? text.size() - kSeconds - 1 : 0;
  if (text.size() < kSeconds || fraction > 9 || text[4] != '-' || text[7] != '-' ||
      text[10] != style.separator || text[13] != ':' || text[16] != ':') {
    return std::nullopt;
  }
  FixedText fixed{text.data()};
  const CivilDate date{fixed.digits(0, 4), fixed.digits(5, 2), fixed.digits(8, 2)};
  const int32_t hour = fixed.digits(11, 2);
  const int32_t minute = fixed.digits(14, 2);
  const int32_t second = fixed.digits(17, 2);
  int64_t nanos = 0;
  if (text.size() > kSeconds) {
    constexpr int64_t kUnits[] = {
        1'000'000'000, 100'000'000, 10'000'000, 1'000'000, 100'000, 10'000, 1'000, 100, 10, 1};
    fixed.ok &= text[kSeconds] == '.';
    nanos = fixed.digits(kSeconds + 1, fraction) * kUnits[fraction];
  }
  if (!fixed.ok || date.month < 1 || date.month > 12 || date.day < 1 ||
      date.day > days_in_month(date.year, date.month) || hour > 23 || minute > 59 || second > 59) {
    return std::nullopt;
  }
  const int64_t seconds =
      ((int64_t{days_from_civil(date)} * 24 + hour) * 60 + minute) * 60 + second;
  if (precision <= 3) {
    return seconds * kMsPerSecond + nanos / kNanosPerMs;
  }
  return Int128{seconds} * 1'000'000'000 + nanos;
}

void append_two_digits(std::string& out, int32_t value) {
  out += static_cast<char>('0' + value / 10);
  out += static_cast<char>('0' + value % 10);
}

void append_fraction(std::string& out, int64_t nanos) {
  if (nanos == 0) {
    return;
  }
  char digits[9];
  for (size_t i = 9; i > 0; --i) {
    digits[i - 1] = static_cast<char>('0' + nanos % 10);
    nanos /= 10;
  }
  size_t count = 9;
  while (digits[count - 1] == '0') {
    --count;
  }
  out += '.';
  out.append(digits, count);
}

void append_seconds_of_day(std::string& out, int32_t seconds) {
  append_two_digits(out, seconds / 3600);
  out += ':';
  append_two_digits(out, seconds / 60 % 60);
  out += ':';
  append_two_digits(out, seconds % 60);
}

}  // namespace

std::optional<int32_t> parse_iso_date(std::string_view text) {
  Cursor cursor{text};
  const CivilDate date = parse_civil_date(cursor);
  if (!cursor.ok || !cursor.rest.empty() || date.day > days_in_month(date.year, date.month)) {
    return std::nullopt;
  }
  return days_from_civil(date);
}

std::optional<int32_t> parse_sql_date(std::string_view text) {
  Cursor cursor{text};
  const auto one_or_two_digits = [&cursor] {
    const size_t count = cursor.rest.size() > 1 && is_digit(cursor.rest[1]) ? 2 : 1;
    return cursor.digits(count);
  };
  CivilDate date;
  date.year = cursor.digits(4);
  cursor.literal('-');
  date.month = one_or_two_digits();
  cursor.literal('-');
  const int32_t day = one_or_two_digits();
  if (!cursor.ok || !cursor.rest.empty() || date.month < 1 || date.month > 12 || day < 1 ||
      day > 31) {
    return std::nullopt;
  }
  date.day = 1;
  return days_from_civil(date) + day - 1;
}

std::optional<int32_t> parse_java_time(std::string_view text, bool seconds_optional) {
  Cursor cursor{text};
  const int64_t nanos = parse_nanos_of_day(cursor, seconds_optional);
  if (!cursor.ok || !cursor.rest.empty()) {
    return std::nullopt;
  }
  return static_cast<int32_t>(nanos % kNanosPerDay / kNanosPerMs);
}

std::optional<Int128> parse_java_timestamp(std::string_view text,
                                           const TimestampStyle& style,
                                           int32_t precision) {
  if (const std::optional<Int128> usual = parse_usual_timestamp(text, style, precision)) {
    return usual;
  }
  Cursor cursor{text};
  CivilDate date = parse_civil_date(cursor);
  cursor.literal(style.separator);
  const int64_t nanos = parse_nanos_of_day(cursor, style.seconds_optional);
  if (style.zulu) {
    cursor.literal('Z');
  }
  if (!cursor.ok || !cursor.rest.empty()) {
    return std::nullopt;
  }
  date.day = std::min(date.day, days_in_month(date.year, date.month));
  const int64_t days = days_from_civil(date);
  if (precision <= 3) {
    return days * kMsPerDay + nanos / kNanosPerMs;
  }
  return Int128{days} * kNanosPerDay + nanos;
}

void append_iso_date(std::string& out, int32_t days) {
  const CivilDate date = civil_from_days(days);
  if (date.year < 0 || date.year > 9999) {
    fmt::format_to(std::back_inserter(out),
                   "{}{:04}",
                   date.year < 0 ? '-' : '+',
                   date.year < 0 ? -date.year : date.year);
  } else {
    append_two_digits(out, date.year / 100);
    append_two_digits(out, date.year % 100);
  }
  out += '-';
  append_two_digits(out, date.month);
  out += '-';
  append_two_digits(out, date.day);
}

void append_java_time(std::string& out, int32_t ms_of_day, bool fraction) {
  append_seconds_of_day(out, ms_of_day / 1000);
  if (fraction) {
    append_fraction(out, int64_t{ms_of_day % 1000} * kNanosPerMs);
  }
}

void append_java_timestamp(std::string& out,
                           Int128 value,
                           int32_t precision,
                           const TimestampStyle& style) {
  const Int128 per_day = precision <= 3 ? Int128{kMsPerDay} : Int128{kNanosPerDay};
  const auto days = static_cast<int32_t>(floor_divide<Int128>(value, per_day));
  auto nanos = static_cast<int64_t>(floor_modulo<Int128>(value, per_day));
  nanos = precision <= 3 ? nanos * kNanosPerMs : nanos;
  append_iso_date(out, days);
  out += style.separator;
  append_seconds_of_day(out, static_cast<int32_t>(nanos / 1'000'000'000));
  append_fraction(out, nanos % 1'000'000'000);
  if (style.zulu) {
    out += 'Z';
  }
}

}  // namespace thalweg::formats
