#pragma once

#include <cstdint>
#include <span>

#include "thalweg/operators/window/window_spec.h"

namespace thalweg::operators {

/// The arithmetic of aligned windows. Time is cut into slices, named by their ends, so that each
/// window is a run of whole slices: one for TUMBLE, size / slide for HOP (their common divisor
/// where it does not divide), all steps so far for CUMULATE. All times are wall-clock ms. A value.
class SliceAssigner {
 public:
  explicit SliceAssigner(const WindowSpec& spec);

  int64_t slice_ms() const { return slice_ms_; }

  int64_t slice_end(int64_t time) const;
  /// slice_end of each time; times are mostly in order, so the last slice is tried first. Returns
  /// the lowest end, the greatest int64_t for no times.
  int64_t slice_ends(std::span<const int64_t> times, std::span<int64_t> ends) const;

  int64_t window_start(int64_t window_end) const;
  /// The ends of the first and the last window that hold a slice. HOP with a slide above its size
  /// leaves slices without any: then first > last.
  int64_t first_window_end(int64_t slice_end) const;
  int64_t last_window_end(int64_t slice_end) const;

  /// From one window's end to the next one's.
  int64_t window_interval() const { return interval_ms_; }

 private:
  WindowKind kind_;
  int64_t size_ms_;
  int64_t interval_ms_;
  int64_t offset_ms_;
  int64_t slice_ms_;
};

}  // namespace thalweg::operators
