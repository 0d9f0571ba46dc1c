#include "thalweg/functions/time/java_zone.h"

#include <array>
#include <utility>

#include "thalweg/common/error.h"

namespace thalweg::functions {

namespace {

/// Java's three-letter names that the zone database lacks.
constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kShortNames = {{
    {"ACT", "Australia/Darwin"},
    {"AET", "Australia/Sydney"},
    {"AGT", "America/Argentina/Buenos_Aires"},
    {"ART", "Africa/Cairo"},
    {"AST", "America/Anchorage"},
    {"BET", "America/Sao_Paulo"},
    {"BST", "Asia/Dhaka"},
    {"CAT", "Africa/Harare"},
    {"CNT", "America/St_Johns"},
    {"CST", "America/Chicago"},
    {"CTT", "Asia/Shanghai"},
    {"EAT", "Africa/Addis_Ababa"},
    {"ECT", "Europe/Paris"},
    {"IET", "America/Indiana/Indianapolis"},
    {"IST", "Asia/Kolkata"},
    {"JST", "Asia/Tokyo"},
    {"MIT", "Pacific/Apia"},
    {"NET", "Asia/Yerevan"},
    {"NST", "Pacific/Auckland"},
    {"PLT", "Asia/Karachi"},
    {"PNT", "America/Phoenix"},
    {"PRT", "America/Puerto_Rico"},
    {"PST", "America/Los_Angeles"},
    {"VST", "Asia/Ho_Chi_Minh"},
}};

std::string_view full_name(std::string_view name) {
  for (const auto& [known, full] : kShortNames) {
    if (known == name) {
      return full;
    }
  }
  return name;
}

}  // namespace

int64_t to_later_instant(const TimeZone& zone, int64_t local_ms) {
  const int64_t earlier = zone.to_instant(local_ms);
  if (zone.is_fixed()) {
    return earlier;
  }
  const int64_t change = zone.offset_range_at(earlier).end_ms;
  const int64_t later = local_ms - zone.offset_at(change);
  return later >= change && zone.to_local(later) == local_ms ? later : earlier;
}

const TimeZone& JavaZoneCache::get(std::string_view name) {
  if (name != name_) {
    name_ = std::string(name);
    try {
      zone_ = TimeZone::find(std::string(full_name(name)));
    } catch (const Error&) {
      zone_ = TimeZone::utc();
    }
  }
  return zone_;
}

}  // namespace thalweg::functions
