#pragma once

#include <string>

#include "thalweg/common/time_zone.h"
#include "thalweg/expression/scalar_function.h"

namespace thalweg::expression {

/// The session's zone, looked up once, with the last offset remembered: rows of a batch mostly lie
/// between two changes of the clocks. Part of a kernel; one thread.
class SessionZone {
 public:
  const TimeZone& of(const EvaluationContext& context) {
    if (context.time_zone != name_) {
      zone_ = TimeZone::find(context.time_zone);
      name_ = context.time_zone;
      range_ = {};
    }
    return zone_;
  }

  /// As TimeZone::to_local of the zone asked for last.
  int64_t to_local(int64_t instant_ms) {
    if (instant_ms < range_.begin_ms || instant_ms >= range_.end_ms) {
      range_ = zone_.offset_range_at(instant_ms);
    }
    return instant_ms + range_.offset_ms;
  }

  int64_t to_instant(int64_t local_ms) const { return zone_.to_instant(local_ms); }

  const TimeZone& zone() const { return zone_; }

 private:
  std::string name_ = "UTC";
  TimeZone zone_;
  TimeZone::OffsetRange range_;
};

}  // namespace thalweg::expression
