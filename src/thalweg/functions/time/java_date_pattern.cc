#include "thalweg/functions/time/java_date_pattern.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "thalweg/functions/time/java_date_names.h"
#include "thalweg/functions/time/time_unit.h"
#include "thalweg/types/civil_date.h"

namespace thalweg::functions {

namespace {

constexpr std::string_view kSimpleLetters = "GyYMLwWDdFEuaHkKhmsSzZX";

/// The letters of DateTimeFormatter, with the most that may follow one another.
struct Letters {
  std::string_view letters;
  int32_t most;
};

constexpr std::array<Letters, 6> kFormatterLetters = {
    {{"aFW", 1}, {"dhHkKmswV", 2}, {"D", 3}, {"zB", 4}, {"GMLQqEecZXx", 5}, {"uyYnNAS", 19}}};

bool is_known(char letter, int32_t count, PatternStyle style) {
  if (style == PatternStyle::kSimple) {
    return kSimpleLetters.find(letter) != std::string_view::npos;
  }
  if ((letter == 'c' && count == 2) || (letter == 'V' && count == 1) ||
      (letter == 'B' && count != 1 && count != 4)) {
    return false;
  }
  return std::any_of(kFormatterLetters.begin(), kFormatterLetters.end(), [&](const Letters& known) {
    return known.letters.find(letter) != std::string_view::npos && count <= known.most;
  });
}

/// What DateTimeFormatter keeps for itself.
bool is_reserved(char c) {
  return c == '{' || c == '}' || c == '#';
}

/// Digits of a nanosecond.
constexpr int32_t kNanoDigits = 9;

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

enum class NameForm : uint8_t { kShort, kFull, kNarrow };

template <size_t N>
void append_name(std::string& out,
                 const std::array<std::string_view, N>& names,
                 int64_t index,
                 NameForm form) {
  const std::string_view name = names[static_cast<size_t>(index)];
  out += form == NameForm::kFull ? name : name.substr(0, form == NameForm::kShort ? 3 : 1);
}

/// The part of the day in words, as English has them.
std::string_view part_of_day(int32_t ms) {
  const auto hour = static_cast<int32_t>(ms / kMsPerHour);
  if (ms / kMsPerMinute % (12 * 60) == 0) {
    return hour == 0 ? "midnight" : "noon";
  }
  if (hour < 6 || hour >= 21) {
    return "at night";
  }
  return hour < 12 ? "in the morning" : hour < 18 ? "in the afternoon" : "in the evening";
}

/// SimpleDateFormat's zones: "-0800" of Z, "-08", "-0800" and "-08:00" of X, "GMT-08:00" of z,
/// which would be a name had we the names of zones other than UTC.
void append_offset(std::string& out, int64_t offset_ms, char letter, int32_t count) {
  if (offset_ms == 0 && letter != 'Z') {
    out += letter == 'X' ? "Z" : count < 4 ? "UTC" : "Coordinated Universal Time";
    return;
  }
  const int64_t minutes = std::abs(offset_ms) / kMsPerMinute;
  out += letter == 'z' ? "GMT" : "";
  out += offset_ms < 0 ? '-' : '+';
  append_padded(out, minutes / 60, 2);
  if (letter == 'X' && count == 1) {
    return;
  }
  out += letter == 'z' || (letter == 'X' && count == 3) ? ":" : "";
  append_padded(out, minutes % 60, 2);
}

/// Behind the quote that ends the text which starts with one; two in it stand for one. Of four, the
/// inner ones are the text to DateTimeFormatter; to SimpleDateFormat they are twice a quote.
std::optional<size_t> quoted_end(std::string_view pattern, size_t at, PatternStyle style) {
  size_t end = pattern.find('\'', at + 1);
  if (end == at + 1 && style == PatternStyle::kSimple) {
    return end + 1;
  }
  while (end != std::string_view::npos && pattern.substr(end).starts_with("''")) {
    end = pattern.find('\'', end + 2);
  }
  return end == std::string_view::npos ? std::nullopt : std::optional(end + 1);
}

std::string unquoted(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    out += text[at];
    at += text[at] == '\'' ? 1 : 0;
  }
  return out;
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
      const auto end = quoted_end(pattern, at, style);
      if (!end) {
        return std::nullopt;
      }
      literal(end == at + 2 ? "'" : unquoted(pattern.substr(at + 1, *end - at - 2)));
      at = *end;
    } else if (is_letter(c)) {
      size_t end = at;
      while (end < pattern.size() && pattern[end] == c) {
        ++end;
      }
      if (!is_known(c, static_cast<int32_t>(end - at), style)) {
        return std::nullopt;
      }
      compiled.items_.push_back({c, static_cast<int32_t>(end - at), {}});
      at = end;
    } else if (style == PatternStyle::kFormatter && is_reserved(c)) {
      return std::nullopt;
    } else {
      // Optional sections are taken as if they were always there.
      if (style == PatternStyle::kSimple || (c != '[' && c != ']')) {
        literal(pattern.substr(at, 1));
      }
      ++at;
    }
  }
  compiled.layout_ = compiled.find_layout();
  compiled.resolution_ms_ = compiled.find_resolution_ms();
  return compiled;
}

bool JavaDatePattern::is_number(const Item& item) {
  switch (item.letter) {
    case 0:
    case 'a':
    case 'B':
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
    case 'Q':
    case 'q':
    case 'e':
    case 'c':
      return item.count <= 2;
    default:
      return true;
  }
}

bool JavaDatePattern::shows_zone() const {
  return std::any_of(items_.begin(), items_.end(), [](const Item& item) {
    return item.letter != 0 &&
           std::string_view("zZXxV").find(item.letter) != std::string_view::npos;
  });
}

bool JavaDatePattern::may_exceed(const Item& item) const {
  return style_ == PatternStyle::kFormatter && item.count >= 4 &&
         (item.letter == 'y' || item.letter == 'u' || item.letter == 'Y');
}

bool JavaDatePattern::is_followed_by_number(size_t index) const {
  return index + 1 < items_.size() && is_number(items_[index + 1]);
}

std::optional<FixedLayout> JavaDatePattern::find_layout() const {
  FixedLayout layout;
  for (size_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    if (item.letter == 0) {
      // SimpleDateFormat takes all digits that follow one another for one number.
      const bool is_part_of_number = item.text[0] >= '0' && item.text[0] <= '9';
      if ((is_part_of_number && style_ == PatternStyle::kSimple) || !layout.add_text(item.text)) {
        return std::nullopt;
      }
      continue;
    }
    const bool has_width = item.count > 1 || is_followed_by_number(i);
    if (!is_number(item) || !has_width || item.count > kNanoDigits ||
        !layout.add_number(static_cast<size_t>(item.count))) {
      return std::nullopt;
    }
  }
  return items_.empty() ? std::nullopt : std::optional(layout);
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
  const DayTime split = day_time_of(time.ms);
  const Moment moment{split.days,
                      split.ms,
                      time.nanos,
                      offset_ms,
                      civil_from_days(split.days),
                      static_cast<int32_t>(split.ms / kMsPerHour)};
  if (layout_ && format_fixed(out, moment)) {
    return;
  }
  for (const Item& item : items_) {
    if (item.letter == 0) {
      out += item.text;
    } else if (is_number(item)) {
      append_number(out, item, moment);
    } else {
      append_word(out, item, moment);
    }
  }
}

/// False when a number is too wide.
bool JavaDatePattern::format_fixed(std::string& out, const Moment& moment) const {
  const size_t begin = out.size();
  out += layout_->form();
  auto place = layout_->numbers().begin();
  for (const Item& item : items_) {
    if (item.letter == 0) {
      continue;
    }
    if (!write_digits(out.data() + begin + place->at, place->width, number_of(item, moment))) {
      out.resize(begin);
      return false;
    }
    ++place;
  }
  return true;
}

int64_t JavaDatePattern::date_number(const Item& item, const Moment& moment) const {
  switch (item.letter) {
    case 'y':
    case 'u':
    case 'Y': {
      if (item.letter == 'u' && style_ == PatternStyle::kSimple) {
        return iso_day_of_week(moment.days);
      }
      int64_t year = item.letter == 'Y' ? week_of(moment.days).year : moment.date.year;
      // Years of the era before ours count up too.
      year = item.letter == 'y' && year <= 0 ? 1 - year : year;
      return item.count == 2 ? floor_modulo<int64_t>(year, 100) : year;
    }
    case 'M':
    case 'L':
      return moment.date.month;
    case 'd':
      return moment.date.day;
    case 'D':
      return moment.extract(TimeUnit::kDayOfYear);
    case 'e':
    case 'c':
      return moment.extract(TimeUnit::kDayOfWeek);
    case 'F':
      // The weeks of the month that start on its first day: the day's place in its week for
      // DateTimeFormatter, the week's for SimpleDateFormat.
      return style_ == PatternStyle::kFormatter ? (moment.date.day - 1) % 7 + 1
                                                : (moment.date.day - 1) / 7 + 1;
    case 'W': {
      const int32_t first = moment.days - moment.date.day + 1;
      return (moment.date.day - 1 + iso_day_of_week(first) % 7) / 7 + 1;
    }
    case 'w':
      return week_of(moment.days).week;
    default:
      return moment.extract(TimeUnit::kQuarter);
  }
}

/// What an item that is a number shows; of a fraction its first digits.
int64_t JavaDatePattern::number_of(const Item& item, const Moment& moment) const {
  switch (item.letter) {
    case 'H':
      return moment.hour;
    case 'k':
      return moment.hour == 0 ? 24 : moment.hour;
    case 'h':
      return moment.hour % 12 == 0 ? 12 : moment.hour % 12;
    case 'K':
      return moment.hour % 12;
    case 'm':
      return moment.of_day / kMsPerMinute % 60;
    case 's':
      return moment.of_day / kMsPerSecond % 60;
    case 'S':
      if (style_ == PatternStyle::kSimple) {
        return moment.of_day % kMsPerSecond;
      } else {
        int64_t fraction = moment.extract(TimeUnit::kNanosecond);
        for (int32_t digits = kNanoDigits; digits > item.count; --digits) {
          fraction /= 10;
        }
        return fraction;
      }
    case 'n':
      return moment.extract(TimeUnit::kNanosecond);
    case 'N':
      return moment.of_day * kNanosPerMs + moment.nanos;
    case 'A':
      return moment.of_day;
    default:
      return date_number(item, moment);
  }
}

void JavaDatePattern::append_number(std::string& out,
                                    const Item& item,
                                    const Moment& moment) const {
  const bool is_fraction = item.letter == 'S' && style_ == PatternStyle::kFormatter;
  const int32_t width = is_fraction ? std::min(item.count, kNanoDigits) : item.count;
  const int64_t number = number_of(item, moment);
  int64_t wider = 1;
  for (int32_t digits = 0; may_exceed(item) && digits < width && wider <= number; ++digits) {
    wider *= 10;
  }
  out += may_exceed(item) && number >= wider ? "+" : "";
  append_padded(out, number, width);
  out.append(static_cast<size_t>(item.count - width), '0');
}

/// Names, halves of the day and zones.
void JavaDatePattern::append_word(std::string& out, const Item& item, const Moment& moment) const {
  const bool is_simple = style_ == PatternStyle::kSimple;
  const NameForm form = item.count < 4                 ? NameForm::kShort
                        : item.count == 4 || is_simple ? NameForm::kFull
                                                       : NameForm::kNarrow;
  switch (item.letter) {
    case 'M':
    case 'L':
      append_name(out, kMonths, moment.date.month - 1, form);
      return;
    case 'E':
    case 'e':
    case 'c':
      append_name(out, kDays, iso_day_of_week(moment.days) - 1, form);
      return;
    case 'G': {
      const size_t era = moment.date.year > 0 ? 1 : 0;
      out += form == NameForm::kFull && !is_simple ? kEras[era]
             : form == NameForm::kNarrow           ? kShortEras[era].substr(0, 1)
                                                   : kShortEras[era];
      return;
    }
    case 'Q':
    case 'q': {
      const auto quarter = static_cast<size_t>(moment.date.month - 1) / 3;
      out += form == NameForm::kFull
                 ? kQuarters[quarter]
                 : kShortQuarters[quarter].substr(form == NameForm::kNarrow ? 1 : 0);
      return;
    }
    case 'B':
      out += part_of_day(moment.of_day);
      return;
    case 'a':
      out += kHalves[moment.hour < 12 ? 0 : 1];
      return;
    default:
      append_offset(out, moment.offset_ms, item.letter, item.count);
  }
}

int64_t JavaDatePattern::find_resolution_ms() const {
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
      case 'N':
      case 'A':
        own = 0;
        break;
      case 'B':
        own = kMsPerMinute;
        break;
      default:
        own = kMsPerDay;
    }
    resolution = std::min(resolution, own);
  }
  return resolution;
}

Error bad_pattern(std::string_view pattern) {
  return Error(ErrorCode::kInvalidArgument, fmt::format("Invalid date pattern: '{}'", pattern));
}

const JavaDatePattern* DatePatternCache::get(std::string_view pattern) {
  if (!text_ || *text_ != pattern) {
    text_ = std::string(pattern);
    pattern_ = JavaDatePattern::compile(pattern, style_);
  }
  return pattern_ ? &*pattern_ : nullptr;
}

}  // namespace thalweg::functions
