// How JavaDatePattern reads texts.
#include <algorithm>
#include <cstdlib>

#include "thalweg/functions/time/java_date_names.h"
#include "thalweg/functions/time/java_date_pattern.h"
#include "thalweg/types/civil_date.h"

namespace thalweg::functions {

namespace {

/// That 64 bits hold, whatever they are.
constexpr size_t kMostDigits = 18;
/// Java's Year.MAX_VALUE.
constexpr int64_t kMaxYear = 999'999'999;

/// Days from 1970-01-01 to the first of a month of any year.
int64_t first_of_month(int64_t year, int32_t month) {
  constexpr int64_t kDaysPerEra = 146'097;
  const int64_t era = floor_divide<int64_t>(year, 400);
  return era * kDaysPerEra + days_from_civil({static_cast<int32_t>(year - era * 400), month, 1});
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

/// Digits of a numeric item. Directly before another numeric item exactly its width is taken.
bool JavaDatePattern::parse_number(size_t index, std::string_view& text, Number& number) const {
  const Item& item = items_[index];
  const bool simple = style_ == PatternStyle::kSimple;
  size_t least = 1;
  size_t most = kMostDigits;
  if (is_followed_by_number(index)) {
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
  const bool has_plus = !text.empty() && text[0] == '+' && may_exceed(item);
  number.is_negative = !text.empty() && text[0] == '-' && (simple || item.letter == 'u');
  if (has_plus || number.is_negative) {
    text.remove_prefix(1);
    // Java takes a plus only where the digits are more than the pattern's; a minus before digits
    // that are counted is one of them.
    least += has_plus ? 1 : 0;
    most -= number.is_negative && simple && is_followed_by_number(index) ? 1 : 0;
    most = may_exceed(item) ? kMostDigits : most;
  }
  size_t digits = 0;
  while (digits < most && digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
    number.value = number.value * 10 + (text[digits++] - '0');
  }
  number.digits = digits;
  text.remove_prefix(digits);
  return digits >= least || (simple && digits > 0);
}

/// Takes over what a numeric item gave.
bool JavaDatePattern::set_number(const Item& item, const Number& number, Fields& fields) const {
  const bool simple = style_ == PatternStyle::kSimple;
  int64_t value = number.value;
  if (item.letter == 'S' && !simple) {
    for (size_t i = number.digits; i < 9; ++i) {
      value *= 10;
    }
  } else if (item.letter == 'S') {
    value *= kNanosPerMs;
  } else if ((item.letter == 'y' || item.letter == 'u') && item.count == 2 && number.digits == 2) {
    value += !simple || value < 50 ? 2000 : 1900;
  }
  // SimpleDateFormat's u is the day of the week.
  return (item.letter == 'u' && simple) ||
         set_field(item.letter, number.is_negative ? -value : value, fields);
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
  if (item.letter == 0) {
    if (!text.starts_with(item.text)) {
      return false;
    }
    text.remove_prefix(item.text.size());
    return true;
  }
  if (is_number(item)) {
    Number number;
    return parse_number(index, text, number) && set_number(item, number, fields);
  }
  const bool simple = style_ == PatternStyle::kSimple;
  switch (item.letter) {
    case 'M':
    case 'L': {
      const auto month = take_name(text, kMonths, simple);
      fields.month = month ? std::optional(*month + 1) : std::nullopt;
      return month.has_value();
    }
    case 'E':
    case 'e':
    case 'c':
      return take_name(text, kDays, simple).has_value();
    case 'Q':
    case 'q':
      return take_name(text, item.count == 4 ? kQuarters : kShortQuarters, simple).has_value();
    case 'B':
      return false;
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
    if (!fits) {
      return std::nullopt;
    }
  }
  if (std::abs(year) > kMaxYear || std::abs(month) > kMaxYear) {
    return std::nullopt;
  }
  const int64_t month_index = year * 12 + (month - 1);
  const auto real_year = static_cast<int32_t>(floor_divide<int64_t>(month_index, 12));
  const auto real_month = static_cast<int32_t>(floor_modulo<int64_t>(month_index, 12)) + 1;
  int64_t days = 0;
  if (fields.day_of_year && !fields.day) {
    days = first_of_month(real_year, 1) + *fields.day_of_year - 1;
  } else if (style_ == PatternStyle::kFormatter && day > days_in_month(real_year, real_month)) {
    return std::nullopt;  // LocalDateTime.of refuses it
  } else {
    days = first_of_month(real_year, real_month) + day - 1;
  }
  const int64_t ms = days * kMsPerDay + hour * kMsPerHour + minute * kMsPerMinute +
                     second * kMsPerSecond + floor_divide(nano, kNanosPerMs);
  return PatternTime{ms, static_cast<int32_t>(floor_modulo(nano, kNanosPerMs)), fields.offset_ms};
}

/// False when the text has another form than most.
bool JavaDatePattern::parse_fixed(std::string_view text, Fields& fields) const {
  FixedLayout::Digits digits;
  if (!layout_->read(text, digits)) {
    return false;
  }
  auto place = layout_->numbers().begin();
  for (const Item& item : items_) {
    if (item.letter != 0) {
      set_number(item, {number_in(digits, *place), place->width, false}, fields);
      ++place;
    }
  }
  return true;
}

bool JavaDatePattern::parse_fields(std::string_view text, Fields& fields) const {
  for (size_t i = 0; i < items_.size(); ++i) {
    if (!parse_item(i, text, fields)) {
      return false;
    }
  }
  return text.empty() || style_ == PatternStyle::kSimple;
}

std::optional<PatternTime> JavaDatePattern::parse(std::string_view text) const {
  Fields fields;
  const bool fits = (layout_ && parse_fixed(text, fields)) || parse_fields(text, fields);
  return fits ? resolve(fields) : std::nullopt;
}

}  // namespace thalweg::functions
