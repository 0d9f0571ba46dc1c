#pragma once

#include <cstdint>
#include <string>

#include "thalweg/common/time_zone.h"

namespace thalweg::operators {

/// Between instants and the wall clock on which windows are cut: the session zone's for
/// TIMESTAMP_LTZ, the identity otherwise. Remembers its last answers; one owner, one thread.
class WindowClock {
 public:
  explicit WindowClock(const std::string& time_zone);

  bool is_identity() const { return is_identity_; }

  int64_t to_local(int64_t instant);

  /// The instant of a wall-clock time, java.time's choice where there are none or two.
  int64_t to_instant(int64_t local) const { return is_identity_ ? local : zone_.to_instant(local); }

  /// The last instant that belongs to a window with this end: the watermark (or clock) that reaches
  /// it closes the window. Where the wall clock shows that time twice, the later one; where it
  /// jumps over it, the jump.
  int64_t closing_time(int64_t window_end) {
    if (is_identity_) {
      return window_end - 1;
    }
    if (window_end != last_end_) {
      last_end_ = window_end;
      last_closing_ = find_closing_time(window_end - 1);
    }
    return last_closing_;
  }

 private:
  int64_t find_closing_time(int64_t local) const;

  TimeZone zone_;
  bool is_identity_;
  int64_t block_begin_ = 0;
  int64_t block_end_ = 0;
  int64_t block_offset_ = 0;
  int64_t last_end_ = 0;
  int64_t last_closing_ = 0;
};

}  // namespace thalweg::operators
