#include "thalweg/planner/planner_context.h"

#include <algorithm>
#include <cctype>

#include "thalweg/common/error.h"
#include "thalweg/common/time_zone.h"

namespace thalweg::planner {

namespace {

bool equals_ignoring_case(const std::string& left, std::string_view right) {
  return left.size() == right.size() &&
         std::equal(left.begin(), left.end(), right.begin(), [](char a, char b) {
           return std::toupper(static_cast<unsigned char>(a)) ==
                  std::toupper(static_cast<unsigned char>(b));
         });
}

}  // namespace

std::optional<std::string> PlannerContext::find(const std::string& key) const {
  const auto found = config.find(key);
  return found == config.end() ? std::nullopt : std::optional(found->second);
}

bool is_batch_mode(const stream::OptionMap& config) {
  const auto found = config.find("execution.runtime-mode");
  if (found == config.end() || equals_ignoring_case(found->second, "STREAMING") ||
      equals_ignoring_case(found->second, "AUTOMATIC")) {
    return false;
  }
  if (!equals_ignoring_case(found->second, "BATCH")) {
    throw Error(ErrorCode::kInvalidConfiguration,
                "Invalid value '" + found->second +
                    "' for configuration 'execution.runtime-mode': expected streaming or batch");
  }
  return true;
}

std::string PlannerContext::time_zone() const {
  const std::optional<std::string> zone = find("table.local-time-zone");
  return zone && *zone != "default" ? *zone : TimeZone::local().name();
}

bool PlannerContext::flag(const std::string& key, bool default_value) const {
  const std::optional<std::string> value = find(key);
  return value ? equals_ignoring_case(*value, "true") : default_value;
}

}  // namespace thalweg::planner
