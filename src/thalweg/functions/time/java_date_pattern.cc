#include "thalweg/functions/time/java_date_pattern.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "thalweg/functions/time/time_unit.h"
#include "thalweg/types/civil_date.h"

namespace thalweg::functions {

namespace {

constexpr std::array<std::string_view, 12> kMonths = {"January",
                                                      "February",
                                                      "March",
                                                      "April",
                                                      "May",
                                                      "June",
                                                      "July",
                                                      "August",
                                                      "September",
                                                      "October",
                                                      "November",
                                                      "December"};
constexpr std::array<std::string_view, 7> kDays = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
constexpr std::array<std::string_view, 2> kHalves = {"AM", "PM"};

constexpr std::string_view kLetters = "GyuYMLdDHhKkmsSnaEeFwWQqzZXxV";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void append_padded(std::string& out, int64_t value, int32_t width) {
  if (value < 0) {
    out += '-';
    value = -value;
  }
  std::array<char, 20> digits;
  size_t at = digits.size();
  do {
    digits[--at] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value > 0);
  const size_t count = digits.size() - at;
  const auto wanted = static_cast<size_t>(width);
  out.append(count < wanted ? wanted - count : 0, '0');
  out.append(digits.data() + at, count);
}

template <size_t N>
void append_name(std::string& out,
                 const std::array<std::string_view, N>& names,
                 int64_t index,
                 bool full) {
  const std::string_view name = names[static_cast<size_t>(index)];
  out += full ? name : name.substr(0, 3);
}

/// The index of the name that `text` starts with (its first three letters, or all), taken off.
template <size_t N>
std::optional<int64_t> take_name(std::string_view& text,
                                 const std::array<std::string_view, N>& names,
                                 bool ignores_case) {
  const auto starts = [&](std::string_view name) {
    return text.size() >= name.size() &&
           std::equal(name.begin(), name.end(), text.begin(), [&](char left, char right) {
             return ignores_case ? (left | 0x20) == (right | 0x20) : left == right;
           });
  };
  for (size_t i = 0; i < N; ++i) {
    for (const std::string_view form : {names[i], names[i].substr(0, 3)}) {
      if (starts(form)) {
        text.remove_prefix(form.size());
        return static_cast<int64_t>(i);
      }
    }
  }
  return std::nullopt;
}

/// "+08:00", "+0800" or "+08"; `zulu`: Z for zero.
void append_offset(std::string& out, int64_t offset_ms, char letter, int32_t count) {
  if (letter == 'X' && offset_ms == 0) {
    out += 'Z';
    return;
  }
  const int64_t minutes = std::abs(offset_ms) / kMsPerMinute;
  out += offset_ms < 0 ? '-' : '+';
  append_padded(out, minutes / 60, 2);
  const bool short_form = count == 1 && letter != 'Z';
  if (short_form && minutes % 60 == 0) {
    return;
  }
  const bool colon = letter == 'Z' ? count == 5 : count == 3 || count == 5;
  out += colon ? ":" : "";
  append_padded(out, minutes % 60, 2);
}

std::optional<int64_t> take_offset(std::string_view& text) {
  if (text.starts_with("GMT") || text.starts_with("UTC")) {
    text.remove_prefix(3);
    if (text.empty() || (text[0] != '+' && text[0] != '-')) {
      return 0;
    }
  }
  if (!text.empty() && text[0] == 'Z') {
    text.remove_prefix(1);
    return 0;
  }
  if (text.empty() || (text[0] != '+' && text[0] != '-')) {
    return std::nullopt;
  }
  const int64_t sign = text[0] == '-' ? -1 : 1;
  std::string_view rest = text.substr(1);
  int64_t parts[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    if (i == 1 && !rest.empty() && rest[0] == ':') {
      rest.remove_prefix(1);
    }
    size_t digits = 0;
    while (digits < 2 && digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') {
      parts[i] = parts[i] * 10 + (rest[digits++] - '0');
    }
    if (digits == 0 && i == 0) {
      return std::nullopt;
    }
    rest.remove_prefix(digits);
  }
  text = rest;
  return sign * (parts[0] * kMsPerHour + parts[1] * kMsPerMinute);
}

}  // namespace

/// What a text gave so far.
struct JavaDatePattern::Fields {
  std::optional<int64_t> year;
  std::optional<int64_t> month;
  std::optional<int64_t> day;
  std::optional<int64_t> day_of_year;
  std::optional<int64_t> hour;
  std::optional<int64_t> half_hour;
  std::optional<int64_t> half;
  std::optional<int64_t> minute;
  std::optional<int64_t> second;
  std::optional<int64_t> nano;
  std::optional<int64_t> offset_ms;
};

std::optional<JavaDatePattern> JavaDatePattern::compile(std::string_view pattern,
                                                        PatternStyle style) {
  JavaDatePattern compiled;
  compiled.style_ = style;
  const auto literal = [&compiled](std::string_view text) {
    if (compiled.items_.empty() || compiled.items_.back().letter != 0) {
      compiled.items_.emplace_back();
    }
    compiled.items_.back().text += text;
  };
  for (size_t at = 0; at < pattern.size();) {
    const char c = pattern[at];
    if (c == '\'') {
      const size_t end = pattern.find('\'', at + 1);
      if (end == std::string_view::npos) {
        return std::nullopt;
      }
      literal(end == at + 1 ? "'" : pattern.substr(at + 1, end - at - 1));
      at = end + 1;
    } else if (is_letter(c)) {
      size_t end = at;
      while (end < pattern.size() && pattern[end] == c) {
        ++end;
      }
      if (kLetters.find(c) == std::string_view::npos) {
        return std::nullopt;
      }
      compiled.items_.push_back({c, static_cast<int32_t>(end - at), {}});
      at = end;
    } else {
      // Optional sections are taken as if they were always there.
      if (style == PatternStyle::kSimple || (c != '[' && c != ']')) {
        literal(pattern.substr(at, 1));
      }
      ++at;
    }
  }
  return compiled;
}

bool JavaDatePattern::is_number(size_t index) const {
  if (index >= items_.size()) {
    return false;
  }
  const Item& item = items_[index];
  switch (item.letter) {
    case 0:
    case 'a':
    case 'E':
    case 'G':
    case 'z':
    case 'Z':
    case 'X':
    case 'x':
    case 'V':
      return false;
    case 'M':
    case 'L':
      return item.count <= 2;
    default:
      return true;
  }
}

/// The date and clock that a pattern prints.
struct JavaDatePattern::Moment {
  int32_t days;
  int32_t of_day;
  int32_t nanos;
  int64_t offset_ms;
  CivilDate date;
  int32_t hour;

  int64_t extract(TimeUnit unit) const { return extract_unit(unit, {days, of_day, nanos}); }
};

void JavaDatePattern::format(std::string& out, const PatternTime& time, int64_t offset_ms) const {
  const auto days = static_cast<int32_t>(floor_divide(time.ms, kMsPerDay));
  const auto of_day = static_cast<int32_t>(time.ms - days * kMsPerDay);
  const Moment moment{days,
                      of_day,
                      time.nanos,
                      offset_ms,
                      civil_from_days(days),
                      static_cast<int32_t>(of_day / kMsPerHour)};
  for (const Item& item : items_) {
    if (item.letter == 0) {
      out += item.text;
    } else if (!format_date(out, item, moment) && !format_clock(out, item, moment)) {
      append_offset(out, offset_ms, item.letter, item.count);
    }
  }
}

/// True when the letter stands for a part of the date.
bool JavaDatePattern::format_date(std::string& out, const Item& item, const Moment& moment) {
  switch (item.letter) {
    case 'y':
    case 'u':
    case 'Y': {
      const int64_t year =
          item.letter == 'Y' ? moment.extract(TimeUnit::kIsoYear) : moment.date.year;
      append_padded(out, item.count == 2 ? floor_modulo<int64_t>(year, 100) : year, item.count);
      return true;
    }
    case 'M':
    case 'L':
      if (item.count <= 2) {
        append_padded(out, moment.date.month, item.count);
      } else {
        append_name(out, kMonths, moment.date.month - 1, item.count >= 4);
      }
      return true;
    case 'd':
      append_padded(out, moment.date.day, item.count);
      return true;
    case 'D':
      append_padded(out, moment.extract(TimeUnit::kDayOfYear), item.count);
      return true;
    case 'E':
      append_name(out, kDays, iso_day_of_week(moment.days) - 1, item.count >= 4);
      return true;
    case 'e':
      append_padded(out, moment.extract(TimeUnit::kDayOfWeek), item.count);
      return true;
    case 'F':
    case 'W':
      append_padded(out, (moment.date.day - 1) / 7 + 1, item.count);
      return true;
    case 'w':
      append_padded(out, moment.extract(TimeUnit::kWeek), item.count);
      return true;
    case 'Q':
    case 'q':
      append_padded(out, moment.extract(TimeUnit::kQuarter), item.count);
      return true;
    case 'G':
      out += moment.date.year > 0 ? "AD" : "BC";
      return true;
    default:
      return false;
  }
}

/// True when the letter stands for a part of the time of day.
bool JavaDatePattern::format_clock(std::string& out, const Item& item, const Moment& moment) const {
  switch (item.letter) {
    case 'H':
      append_padded(out, moment.hour, item.count);
      return true;
    case 'k':
      append_padded(out, moment.hour == 0 ? 24 : moment.hour, item.count);
      return true;
    case 'h':
      append_padded(out, moment.hour % 12 == 0 ? 12 : moment.hour % 12, item.count);
      return true;
    case 'K':
      append_padded(out, moment.hour % 12, item.count);
      return true;
    case 'm':
      append_padded(out, moment.extract(TimeUnit::kMinute), item.count);
      return true;
    case 's':
      append_padded(out, moment.extract(TimeUnit::kSecond), item.count);
      return true;
    case 'S':
      if (style_ == PatternStyle::kSimple) {
        append_padded(out, moment.of_day % kMsPerSecond, item.count);
      } else {
        std::string digits;
        append_padded(digits, moment.extract(TimeUnit::kNanosecond), 9);
        digits.resize(static_cast<size_t>(item.count), '0');
        out += digits;
      }
      return true;
    case 'n':
      append_padded(out, moment.extract(TimeUnit::kNanosecond), item.count);
      return true;
    case 'a':
      out += kHalves[moment.hour < 12 ? 0 : 1];
      return true;
    default:
      return false;
  }
}

int64_t JavaDatePattern::resolution_ms() const {
  int64_t resolution = kMsPerDay;
  for (const Item& item : items_) {
    int64_t own = 0;
    switch (item.letter) {
      case 'H':
      case 'k':
      case 'h':
      case 'K':
      case 'a':
        own = kMsPerHour;
        break;
      case 'm':
        own = kMsPerMinute;
        break;
      case 's':
        own = kMsPerSecond;
        break;
      case 'S':
      case 'n':
        own = 0;
        break;
      default:
        own = kMsPerDay;
    }
    resolution = std::min(resolution, own);
  }
  return resolution;
}

/// Digits of a numeric item. Directly before another numeric item exactly its width is taken.
bool JavaDatePattern::parse_number(size_t index, std::string_view& text, int64_t& value) const {
  const Item& item = items_[index];
  const bool simple = style_ == PatternStyle::kSimple;
  size_t least = 1;
  size_t most = 18;
  if (is_number(index + 1)) {
    least = most = static_cast<size_t>(item.count);
  } else if (!simple && item.count > 1) {
    least = static_cast<size_t>(item.count);
    most = least;
  }
  if (simple) {
    while (!text.empty() && text[0] == ' ') {
      text.remove_prefix(1);
    }
  }
  bool negative = false;
  if (!text.empty() && text[0] == '-' && (simple || item.letter == 'u')) {
    negative = true;
    text.remove_prefix(1);
  }
  size_t digits = 0;
  value = 0;
  while (digits < most && digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
    value = value * 10 + (text[digits++] - '0');
  }
  text.remove_prefix(digits);
  if (digits < least && !(simple && digits > 0)) {
    return false;
  }
  if (item.letter == 'S' && !simple) {
    for (size_t i = digits; i < 9; ++i) {
      value *= 10;
    }
  } else if ((item.letter == 'y' || item.letter == 'u') && item.count == 2 && digits == 2) {
    value += !simple || value < 50 ? 2000 : 1900;
  }
  value = negative ? -value : value;
  return true;
}

bool JavaDatePattern::set_field(char letter, int64_t value, Fields& fields) {
  switch (letter) {
    case 'y':
    case 'u':
    case 'Y':
      fields.year = value;
      return true;
    case 'M':
    case 'L':
      fields.month = value;
      return true;
    case 'd':
      fields.day = value;
      return true;
    case 'D':
      fields.day_of_year = value;
      return true;
    case 'H':
      fields.hour = value;
      return true;
    case 'k':
      fields.hour = value == 24 ? 0 : value;
      return true;
    case 'h':
      fields.half_hour = value == 12 ? 0 : value;
      return true;
    case 'K':
      fields.half_hour = value;
      return true;
    case 'm':
      fields.minute = value;
      return true;
    case 's':
      fields.second = value;
      return true;
    case 'S':
    case 'n':
      fields.nano = value;
      return true;
    default:
      return true;  // weeks and quarters do not decide a date
  }
}

bool JavaDatePattern::parse_item(size_t index, std::string_view& text, Fields& fields) const {
  const Item& item = items_[index];
  const bool simple = style_ == PatternStyle::kSimple;
  if (item.letter == 0) {
    if (!text.starts_with(item.text)) {
      return false;
    }
    text.remove_prefix(item.text.size());
    return true;
  }
  if (is_number(index)) {
    int64_t value = 0;
    if (!parse_number(index, text, value)) {
      return false;
    }
    if (item.letter == 'S' && simple) {
      value *= kNanosPerMs;
    }
    return set_field(item.letter, value, fields);
  }
  switch (item.letter) {
    case 'M':
    case 'L': {
      const auto month = take_name(text, kMonths, simple);
      fields.month = month ? std::optional(*month + 1) : std::nullopt;
      return month.has_value();
    }
    case 'E':
      return take_name(text, kDays, simple).has_value();
    case 'a': {
      if (text.size() < 2) {
        return false;
      }
      const std::string_view word = text.substr(0, 2);
      fields.half = (word[0] | 0x20) == 'p' ? 1 : 0;
      text.remove_prefix(2);
      return (word[1] | 0x20) == 'm';
    }
    case 'G':
      text.remove_prefix(std::min<size_t>(2, text.size()));
      return true;
    default:
      fields.offset_ms = take_offset(text);
      return fields.offset_ms.has_value();
  }
}

std::optional<PatternTime> JavaDatePattern::resolve(const Fields& fields) const {
  const int64_t year = fields.year.value_or(1970);
  const int64_t month = fields.month.value_or(1);
  const int64_t day = fields.day.value_or(1);
  const int64_t hour =
      fields.hour ? *fields.hour : fields.half_hour.value_or(0) + fields.half.value_or(0) * 12;
  const int64_t minute = fields.minute.value_or(0);
  const int64_t second = fields.second.value_or(0);
  const int64_t nano = fields.nano.value_or(0);
  if (style_ == PatternStyle::kFormatter) {
    // A clock of twelve hours says nothing without its half, which Java leaves unresolved: 0.
    const bool fits = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 &&
                      minute <= 59 && second <= 59;
    if (!fits || year > 999'999'999) {
      return std::nullopt;
    }
  }
  const int64_t month_index = year * 12 + (month - 1);
  const auto real_year = static_cast<int32_t>(floor_divide<int64_t>(month_index, 12));
  const auto real_month = static_cast<int32_t>(floor_modulo<int64_t>(month_index, 12)) + 1;
  int64_t days = days_from_civil({real_year, real_month, 1});
  if (fields.day_of_year && !fields.day) {
    days = days_from_civil({real_year, 1, 1}) + *fields.day_of_year - 1;
  } else if (style_ == PatternStyle::kFormatter) {
    if (day > days_in_month(real_year, real_month)) {
      return std::nullopt;  // LocalDateTime.of refuses it
    }
    days += day - 1;
  } else {
    days += day - 1;
  }
  const int64_t ms = days * kMsPerDay + hour * kMsPerHour + minute * kMsPerMinute +
                     second * kMsPerSecond + floor_divide(nano, kNanosPerMs);
  return PatternTime{ms, static_cast<int32_t>(floor_modulo(nano, kNanosPerMs)), fields.offset_ms};
}

std::optional<PatternTime> JavaDatePattern::parse(std::string_view text) const {
  Fields fields;
  for (size_t i = 0; i < items_.size(); ++i) {
    if (!parse_item(i, text, fields)) {
      return std::nullopt;
    }
  }
  if (!text.empty() && style_ == PatternStyle::kFormatter) {
    return std::nullopt;
  }
  return resolve(fields);
}

const JavaDatePattern* DatePatternCache::get(std::string_view pattern) {
  if (!text_ || *text_ != pattern) {
    text_ = std::string(pattern);
    pattern_ = JavaDatePattern::compile(pattern, style_);
  }
  return pattern_ ? &*pattern_ : nullptr;
}

}  // namespace thalweg::functions
