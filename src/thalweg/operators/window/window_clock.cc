#include "thalweg/operators/window/window_clock.h"

#include <limits>

namespace thalweg::operators {

namespace {

/// No zone changes its offset twice within this time.
constexpr int64_t kBlockMs = 900'000;
/// Zones don't jump further than this (Samoa skipped a day).
constexpr int64_t kGreatestJumpMs = 2 * 86'400'000;

}  // namespace

WindowClock::WindowClock(const std::string& time_zone)
    : zone_(time_zone == "UTC" ? TimeZone::utc() : TimeZone::find(time_zone)),
      is_identity_(zone_.is_fixed() && zone_.offset_at(0) == 0),
      last_end_(std::numeric_limits<int64_t>::min()) {}

int64_t WindowClock::to_local(int64_t instant) {
  if (is_identity_) {
    return instant;
  }
  if (instant >= block_begin_ && instant < block_end_) {
    return instant + block_offset_;
  }
  const int64_t offset = zone_.offset_at(instant);
  int64_t rest = instant % kBlockMs;
  if (rest < 0) {
    rest += kBlockMs;
  }
  const int64_t begin = instant - rest;
  if (zone_.offset_at(begin) == offset && zone_.offset_at(begin + kBlockMs - 1) == offset) {
    block_begin_ = begin;
    block_end_ = begin + kBlockMs;
    block_offset_ = offset;
  }
  return instant + offset;
}

int64_t WindowClock::find_closing_time(int64_t local) const {
  const int64_t instant = zone_.to_instant(local);
  if (zone_.to_local(instant) != local) {
    // In a gap, where to_instant gave a time behind it: the first instant with the new offset.
    const int64_t offset = zone_.offset_at(instant);
    int64_t before = instant - kGreatestJumpMs;
    int64_t after = instant;
    while (after - before > 1) {
      const int64_t middle = before + (after - before) / 2;
      (zone_.offset_at(middle) == offset ? after : before) = middle;
    }
    return after;
  }
  // Shown twice: the same local time with the offset that holds soon after.
  const int64_t later_offset = zone_.offset_at(instant + kGreatestJumpMs);
  const int64_t later = local - later_offset;
  return later > instant && zone_.to_local(later) == local ? later : instant;
}

}  // namespace thalweg::operators
