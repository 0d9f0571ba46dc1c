#include "thalweg/common/time_zone.h"

#include <chrono>
#include <cstdlib>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include <date/tz.h>

#include "thalweg/common/error.h"
#include "thalweg/common/nearest_name.h"

namespace thalweg {

namespace {

const date::time_zone& rules_of(const void* rules) {
  return *static_cast<const date::time_zone*>(rules);
}

int64_t to_ms(std::chrono::seconds seconds) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(seconds).count();
}

/// Seconds at or before the time: the rules count in seconds.
std::chrono::seconds floor_seconds(int64_t ms) {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::milliseconds(ms));
}

/// Times beyond the years that calendar arithmetic can take keep the offset of the last such year.
int64_t within_rules(int64_t ms) {
  constexpr int64_t kLimitMs = 30'000LL * 366 * 86'400'000;
  return ms < -kLimitMs ? -kLimitMs : (ms > kLimitMs ? kLimitMs : ms);
}

std::optional<int64_t> parse_number(std::string_view& text, size_t most_digits) {
  size_t digits = 0;
  int64_t value = 0;
  while (digits < text.size() && digits < most_digits && text[digits] >= '0' &&
         text[digits] <= '9') {
    value = value * 10 + (text[digits] - '0');
    ++digits;
  }
  if (digits == 0) {
    return std::nullopt;
  }
  text.remove_prefix(digits);
  return value;
}

/// "+5", "-08:00", "+0530", "+05:30:15"; anything else is no offset.
std::optional<int64_t> parse_offset_ms(std::string_view text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) {
    return std::nullopt;
  }
  const int64_t sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  const auto hours = parse_number(text, 2);
  if (!hours || *hours > 18) {
    return std::nullopt;
  }
  int64_t seconds = *hours * 3600;
  for (const int64_t unit : {60, 1}) {
    if (text.empty()) {
      break;
    }
    if (text[0] == ':') {
      text.remove_prefix(1);
    }
    const auto part = parse_number(text, 2);
    if (!part || *part > 59) {
      return std::nullopt;
    }
    seconds += *part * unit;
  }
  return text.empty() ? std::optional<int64_t>(sign * seconds * 1000) : std::nullopt;
}

std::optional<int64_t> fixed_offset_ms(std::string_view name) {
  if (name == "Z" || name == "UTC" || name == "GMT" || name == "UT") {
    return 0;
  }
  for (const std::string_view prefix : {"UTC", "GMT", "UT"}) {
    if (name.starts_with(prefix)) {
      return parse_offset_ms(name.substr(prefix.size()));
    }
  }
  return parse_offset_ms(name);
}

[[noreturn]] void throw_unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const date::time_zone& zone : date::get_tzdb().zones) {
    names.emplace_back(zone.name());
  }
  const std::string nearest = nearest_name(name, names);
  throw Error(ErrorCode::kInvalidConfiguration, "Unknown time zone: " + name)
      .hint(nearest.empty() ? "Use a name such as 'Asia/Kolkata', or an offset such as 'GMT+05:30'."
                            : "Did you mean '" + nearest + "'?");
}

}  // namespace

TimeZone TimeZone::find(const std::string& name) {
  TimeZone zone;
  zone.name_ = name;
  if (const auto offset = fixed_offset_ms(name)) {
    zone.fixed_offset_ms_ = *offset;
    return zone;
  }
  try {
    zone.rules_ = date::locate_zone(name);
  } catch (const std::runtime_error&) {
    throw_unknown(name);
  }
  return zone;
}

TimeZone TimeZone::local() {
  const char* setting = std::getenv("TZ");
  if (setting != nullptr && *setting != '\0') {
    const std::string name = *setting == ':' ? setting + 1 : setting;
    try {
      return find(name);
    } catch (const Error&) {
      return utc();
    }
  }
  try {
    return find(date::current_zone()->name());
  } catch (const std::runtime_error&) {
    return utc();
  }
}

int64_t TimeZone::offset_at(int64_t instant_ms) const {
  return offset_range_at(instant_ms).offset_ms;
}

TimeZone::OffsetRange TimeZone::offset_range_at(int64_t instant_ms) const {
  if (rules_ == nullptr) {
    return {
        std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(), fixed_offset_ms_};
  }
  const date::sys_seconds instant{floor_seconds(within_rules(instant_ms))};
  const date::sys_info info = rules_of(rules_).get_info(instant);
  const auto bound = [](date::sys_seconds at) {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 1000;
    const int64_t seconds = at.time_since_epoch().count();
    return seconds > kMost
               ? std::numeric_limits<int64_t>::max()
               : (seconds < -kMost ? std::numeric_limits<int64_t>::min() : seconds * 1000);
  };
  return {bound(info.begin), bound(info.end), to_ms(info.offset)};
}

int64_t TimeZone::to_instant(int64_t local_ms) const {
  if (rules_ == nullptr) {
    return local_ms - fixed_offset_ms_;
  }
  const date::local_seconds wall{floor_seconds(within_rules(local_ms))};
  const date::local_info info = rules_of(rules_).get_info(wall);
  // In a gap the offset before it moves the time forward; twice: the first is the earlier instant.
  return local_ms - to_ms(info.first.offset);
}

}  // namespace thalweg
