#include "thalweg/operators/window/slice_assigner.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "thalweg/common/check.h"

namespace thalweg::operators {

namespace {

/// The greatest multiple of `unit`, moved by `offset`, at or before `time`.
int64_t floor_to(int64_t time, int64_t unit, int64_t offset) {
  int64_t rest = (time - offset) % unit;
  if (rest < 0) {
    rest += unit;
  }
  return time - rest;
}

int64_t slice_of(const WindowSpec& spec) {
  switch (spec.kind) {
    case WindowKind::kTumble:
      return spec.size_ms;
    case WindowKind::kHop:
      return std::gcd(spec.size_ms, spec.step_ms);
    case WindowKind::kCumulate:
      return spec.step_ms;
    case WindowKind::kAttached:
      return 1;
    case WindowKind::kSession:
      break;
  }
  unreachable("sessions have no slices");
}

}  // namespace

SliceAssigner::SliceAssigner(const WindowSpec& spec)
    : kind_(spec.kind),
      size_ms_(spec.size_ms),
      interval_ms_(spec.kind == WindowKind::kTumble ? spec.size_ms : spec.step_ms),
      offset_ms_(spec.offset_ms),
      slice_ms_(slice_of(spec)) {
  check(slice_ms_ > 0, "windows have a positive size");
}

int64_t SliceAssigner::slice_end(int64_t time) const {
  return floor_to(time, slice_ms_, offset_ms_) + slice_ms_;
}

int64_t SliceAssigner::slice_ends(std::span<const int64_t> times, std::span<int64_t> ends) const {
  if (times.empty()) {
    return std::numeric_limits<int64_t>::max();
  }
  int64_t end = slice_end(times[0]);
  int64_t lowest = end;
  auto begin = static_cast<uint64_t>(end - slice_ms_);
  for (size_t i = 0; i < times.size(); ++i) {
    if (static_cast<uint64_t>(times[i]) - begin >= static_cast<uint64_t>(slice_ms_)) {
      end = slice_end(times[i]);
      lowest = std::min(lowest, end);
      begin = static_cast<uint64_t>(end - slice_ms_);
    }
    ends[i] = end;
  }
  return lowest;
}

int64_t SliceAssigner::window_start(int64_t window_end) const {
  return kind_ == WindowKind::kCumulate ? floor_to(window_end - 1, size_ms_, offset_ms_)
                                        : window_end - size_ms_;
}

int64_t SliceAssigner::first_window_end(int64_t slice_end) const {
  if (kind_ != WindowKind::kHop) {
    return slice_end;
  }
  // The first start from which `size` reaches the slice's end.
  return floor_to(slice_end - size_ms_ + interval_ms_ - 1, interval_ms_, offset_ms_) + size_ms_;
}

int64_t SliceAssigner::last_window_end(int64_t slice_end) const {
  switch (kind_) {
    case WindowKind::kHop:
      return floor_to(slice_end - slice_ms_, interval_ms_, offset_ms_) + size_ms_;
    case WindowKind::kCumulate:
      return window_start(slice_end) + size_ms_;
    default:
      return slice_end;
  }
}

}  // namespace thalweg::operators
