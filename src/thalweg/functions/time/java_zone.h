#pragma once

#include <string>
#include <string_view>

#include "thalweg/common/time_zone.h"

namespace thalweg::functions {

/// The instant of a wall-clock time as java.util.Calendar has it: of two, the later one.
int64_t to_later_instant(const TimeZone& zone, int64_t local_ms);

/// Zones that come as values, the last one kept. Names are read as java.util.TimeZone does: "PST"
/// and its kin are known, and an unknown name is GMT. Part of a kernel; one thread.
class JavaZoneCache {
 public:
  const TimeZone& get(std::string_view name);

 private:
  std::string name_ = "UTC";
  TimeZone zone_;
};

}  // namespace thalweg::functions
