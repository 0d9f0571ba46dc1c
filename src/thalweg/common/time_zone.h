#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thalweg {

/// A time zone by IANA name ("Asia/Kolkata"), "UTC", or a fixed offset ("GMT-08:00", "+05:30"). A
/// cheap value; the rules behind it are shared and live as long as the process.
class TimeZone {
 public:
  static TimeZone utc() { return {}; }

  /// Throws kInvalidConfiguration for an unknown name, with the nearest one.
  static TimeZone find(const std::string& name);
  /// The zone of the process: TZ, else the system's.
  static TimeZone local();

  /// Instants [begin_ms, end_ms) that share one offset: loops over rows look it up once a range.
  struct OffsetRange {
    int64_t begin_ms = 0;
    int64_t end_ms = 0;
    int64_t offset_ms = 0;
  };

  /// The zone's offset from UTC at an instant, in ms.
  int64_t offset_at(int64_t instant_ms) const;
  OffsetRange offset_range_at(int64_t instant_ms) const;

  /// Wall-clock ms (as if UTC) of an instant.
  int64_t to_local(int64_t instant_ms) const { return instant_ms + offset_at(instant_ms); }

  /// The instant of a wall-clock time. In a gap: moved forward by the gap; twice: the earlier one
  /// (java.time's rule).
  int64_t to_instant(int64_t local_ms) const;

  bool is_fixed() const { return rules_ == nullptr; }

  const std::string& name() const { return name_; }

 private:
  std::string name_ = "UTC";
  int64_t fixed_offset_ms_ = 0;
  const void* rules_ = nullptr;
};

}  // namespace thalweg
