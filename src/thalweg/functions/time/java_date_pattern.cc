#include "thalweg/functions/time/java_date_pattern.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "thalweg/functions/time/java_date_names.h"
#include "thalweg/functions/time/time_unit.h"
#include "thalweg/types/civil_date.h"

namespace thalweg::functions {

namespace {

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

/// Weeks as in the US: they start on Sunday, and the first one has January 1st.
struct Week {
  int32_t year;
  int32_t week;
};

Week week_of(int32_t days) {
  const int32_t saturday = days - iso_day_of_week(days) % 7 + 6;
  const int32_t year = civil_from_days(saturday).year;
  return {year, (saturday - days_from_civil({year, 1, 1})) / 7 + 1};
}

}  // namespace

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
bool JavaDatePattern::format_date(std::string& out, const Item& item, const Moment& moment) const {
  switch (item.letter) {
    case 'y':
    case 'u':
    case 'Y': {
      if (item.letter == 'u' && style_ == PatternStyle::kSimple) {
        append_padded(out, iso_day_of_week(moment.days), item.count);
        return true;
      }
      const int64_t year = item.letter == 'Y' ? week_of(moment.days).year : moment.date.year;
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
      append_padded(out, week_of(moment.days).week, item.count);
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

const JavaDatePattern* DatePatternCache::get(std::string_view pattern) {
  if (!text_ || *text_ != pattern) {
    text_ = std::string(pattern);
    pattern_ = JavaDatePattern::compile(pattern, style_);
  }
  return pattern_ ? &*pattern_ : nullptr;
}

}  // namespace thalweg::functions
