#include <array>
#include <charconv>

#include "thalweg/types/civil_date.h"
#include "thalweg/types/decimal.h"
#include "thalweg/types/text.h"

namespace thalweg::text {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') {
    text.remove_suffix(1);
  }
  return text;
}

void append_padded(std::string& out, int64_t value, size_t width) {
  std::array<char, 20> buffer;
  const size_t first = buffer.size() - width;
  for (size_t i = buffer.size(); i > first; --i) {
    buffer[i - 1] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  out.append(buffer.data() + first, width);
}

/// 0 to 99.
void put_two(char* place, int64_t value) {
  place[0] = static_cast<char>('0' + value / 10);
  place[1] = static_cast<char>('0' + value % 10);
}

void append_clock(std::string& out, int64_t seconds) {
  const int64_t hours = seconds / 3600;
  if (hours > 99) {
    append_padded(out, hours, 2);
  }
  char text[] = "00:00:00";
  put_two(text, hours % 100);
  put_two(text + 3, seconds / 60 % 60);
  put_two(text + 6, seconds % 60);
  out.append(hours > 99 ? text + 2 : text, hours > 99 ? 6 : 8);
}

/// The first `precision` of nine fraction digits.
void append_fraction(std::string& out, int64_t nanos, int32_t precision) {
  if (precision > 0) {
    out += '.';
    append_padded(out,
                  nanos / static_cast<int64_t>(power_of_ten(9 - precision)),
                  static_cast<size_t>(precision));
  }
}

/// An integer as Java's Integer.parseInt takes it, spaces around it trimmed.
std::optional<int32_t> parse_int(std::string_view text) {
  text = trim(text);
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (text.empty() || !is_digit(text[0])) {
      return std::nullopt;
    }
  }
  int32_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end.ec != std::errc{} || end.ptr != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

/// Flink's DateTimeUtils.parseFraction: milliseconds, the fourth digit rounds.
int32_t parse_milliseconds(std::string_view text) {
  int32_t multiplier = 100;
  int32_t result = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    result += is_digit(text[i]) ? multiplier * (text[i] - '0') : 0;
    if (multiplier < 10) {
      result += i + 1 < text.size() && text[i + 1] >= '5' ? 1 : 0;
      break;
    }
    multiplier /= 10;
  }
  return result;
}

std::optional<int32_t> checked_days(int32_t year, int32_t month, int32_t day) {
  if (year < 0 || year > 9999 || month < 1 || month > 12 || day < 1 ||
      day > days_in_month(year, month)) {
    return std::nullopt;
  }
  return days_from_civil({year, month, day});
}

/// Takes `least` to `most` digits off the front.
std::optional<int32_t> take_number(std::string_view& text, size_t least, size_t most) {
  size_t count = 0;
  int32_t value = 0;
  while (count < most && count < text.size() && is_digit(text[count])) {
    value = value * 10 + (text[count] - '0');
    ++count;
  }
  if (count < least) {
    return std::nullopt;
  }
  text.remove_prefix(count);
  return value;
}

bool take_char(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

/// Up to nine digits after a point, as nanoseconds; zero when there is no point.
std::optional<int32_t> take_fraction(std::string_view& text) {
  if (!take_char(text, '.')) {
    return 0;
  }
  const size_t before = text.size();
  const auto value = take_number(text, 0, 9);
  const size_t digits = before - text.size();
  return *value * static_cast<int32_t>(power_of_ten(static_cast<int32_t>(9 - digits)));
}

/// Nanoseconds of the day from "H:m:s[.fraction]", all of `text`; 24:00:00 is the next day's start.
std::optional<int64_t> parse_clock(std::string_view text) {
  const auto hour = take_number(text, 1, 2);
  if (!hour || *hour > 24 || !take_char(text, ':')) {
    return std::nullopt;
  }
  const auto minute = take_number(text, 1, 2);
  if (!minute || *minute > 59 || !take_char(text, ':')) {
    return std::nullopt;
  }
  const auto second = take_number(text, 1, 2);
  if (!second || *second > 59) {
    return std::nullopt;
  }
  const auto fraction = take_fraction(text);
  if (!fraction || !text.empty()) {
    return std::nullopt;
  }
  const int64_t nanos =
      ((int64_t{*hour} * 60 + *minute) * 60 + *second) * 1'000'000'000 + *fraction;
  return nanos <= kNanosPerDay ? std::optional(nanos) : std::nullopt;
}

}  // namespace

void append_date(std::string& out, int32_t days) {
  const CivilDate date = civil_from_days(days);
  // Four digits whatever the year, as Flink's DateTimeUtils.
  const int32_t year = (date.year < 0 ? -date.year : date.year) % 10000;
  char text[] = "0000-00-00";
  put_two(text, year / 100);
  put_two(text + 2, year % 100);
  put_two(text + 5, date.month);
  put_two(text + 8, date.day);
  out.append(text, 10);
}

void append_time(std::string& out, int32_t ms_of_day, int32_t precision) {
  append_clock(out, ms_of_day / kMsPerSecond);
  append_fraction(out, ms_of_day % kMsPerSecond * kNanosPerMs, precision);
  // Flink shows a time's fraction without the zeros at its end, but for the first digit.
  for (int32_t digits = precision; digits > 1 && out.back() == '0'; --digits) {
    out.pop_back();
  }
}

void append_timestamp(std::string& out, Int128 value, int32_t precision, char separator) {
  int64_t days = 0;
  int64_t of_day = 0;
  if (precision <= 3) {
    const auto ms = static_cast<int64_t>(value);
    days = floor_divide(ms, kMsPerDay);
    of_day = (ms - days * kMsPerDay) * kNanosPerMs;
  } else {
    const Int128 whole = floor_divide<Int128>(value, kNanosPerDay);
    days = static_cast<int64_t>(whole);
    of_day = static_cast<int64_t>(value - whole * kNanosPerDay);
  }
  append_date(out, static_cast<int32_t>(days));
  out += separator;
  append_clock(out, of_day / 1'000'000'000);
  append_fraction(out, of_day % 1'000'000'000, precision);
}

void append_interval_day_time(std::string& out, int64_t ms) {
  out += ms < 0 ? '-' : '+';
  const int64_t magnitude = ms < 0 ? -ms : ms;
  out += std::to_string(magnitude / kMsPerDay);
  out += ' ';
  append_clock(out, magnitude % kMsPerDay / kMsPerSecond);
  append_fraction(out, magnitude % kMsPerSecond * kNanosPerMs, 3);
}

void append_interval_year_month(std::string& out, int32_t months) {
  out += months < 0 ? '-' : '+';
  const int64_t magnitude = months < 0 ? -int64_t{months} : months;
  out += std::to_string(magnitude / 12);
  out += '-';
  append_padded(out, magnitude % 12, 2);
}

std::optional<int32_t> parse_date(std::string_view text) {
  text = trim(text);
  // A timestamp's date will do.
  text = text.substr(0, text.find(' '));
  const size_t hyphen = text.find('-');
  const auto year = parse_int(text.substr(0, hyphen));
  if (!year) {
    return std::nullopt;
  }
  if (hyphen == std::string_view::npos) {
    return checked_days(*year, 1, 1);
  }
  text.remove_prefix(hyphen + 1);
  const size_t second = text.find('-');
  const auto month = parse_int(text.substr(0, second));
  if (!month) {
    return std::nullopt;
  }
  if (second == std::string_view::npos) {
    return checked_days(*year, *month, 1);
  }
  const auto day = parse_int(text.substr(second + 1));
  return day ? checked_days(*year, *month, *day) : std::nullopt;
}

std::optional<int32_t> parse_time(std::string_view text) {
  text = trim(text);
  int32_t sign = 1;
  size_t zone = text.find('-');
  if (zone != std::string_view::npos) {
    sign = -1;
  } else {
    zone = text.find('+');
  }
  std::array<std::string_view, 2> zone_parts;
  int32_t zone_ms = 0;
  if (zone != std::string_view::npos) {
    const std::string_view offset = text.substr(zone + 1);
    text = text.substr(0, zone);
    const size_t colon = offset.find(':');
    const auto hours = parse_int(offset.substr(0, colon));
    const auto minutes = colon == std::string_view::npos ? std::optional<int32_t>(0)
                                                         : parse_int(offset.substr(colon + 1));
    if (!hours || !minutes) {
      return std::nullopt;
    }
    zone_ms = sign * static_cast<int32_t>(*hours * kMsPerHour + *minutes * kMsPerMinute);
  }
  constexpr std::array<int64_t, 3> kUnits = {kMsPerHour, kMsPerMinute, kMsPerSecond};
  int64_t result = zone_ms;
  for (size_t unit = 0; unit < kUnits.size(); ++unit) {
    const size_t colon = unit < 2 ? text.find(':') : std::string_view::npos;
    std::string_view part = text.substr(0, colon);
    if (const size_t dot = unit == 2 ? part.find('.') : std::string_view::npos;
        dot != std::string_view::npos) {
      result += parse_milliseconds(trim(part.substr(dot + 1)));
      part = part.substr(0, dot);
    }
    const auto value = parse_int(part);
    if (!value) {
      return std::nullopt;
    }
    result += *value * kUnits[unit];
    if (colon == std::string_view::npos) {
      break;
    }
    text.remove_prefix(colon + 1);
  }
  return static_cast<int32_t>(result);
}

std::optional<Int128> parse_timestamp(std::string_view text, int32_t precision, char separator) {
  text = trim(text);
  const auto year = take_number(text, 4, 9);
  if (!year || !take_char(text, '-')) {
    return std::nullopt;
  }
  const auto month = take_number(text, 1, 2);
  if (!month || !take_char(text, '-')) {
    return std::nullopt;
  }
  const auto day = take_number(text, 1, 2);
  if (!day) {
    return std::nullopt;
  }
  // Java's formatters resolve a day that a month lacks to the month's last one.
  const bool is_day = *month >= 1 && *month <= 12 && *day >= 1 && *day <= 31;
  const auto days = is_day
                        ? checked_days(*year, *month, std::min(*day, days_in_month(*year, *month)))
                        : std::nullopt;
  if (!days) {
    return std::nullopt;
  }
  int64_t nanos = 0;
  if (!text.empty()) {
    const auto clock = take_char(text, separator) ? parse_clock(text) : std::nullopt;
    if (!clock) {
      return std::nullopt;
    }
    nanos = *clock;
  }
  const auto unit = static_cast<int64_t>(power_of_ten(9 - precision));
  nanos -= nanos % unit;
  if (precision <= 3) {
    return Int128{*days} * kMsPerDay + nanos / kNanosPerMs;
  }
  return Int128{*days} * kNanosPerDay + nanos;
}

}  // namespace thalweg::text
