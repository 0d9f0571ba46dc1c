#pragma once

#include <cstdint>

namespace thalweg::functions {

/// The linear congruential generator that java.util.Random documents, so that a seed gives Flink's
/// sequence.
class JavaRandom {
 public:
  explicit JavaRandom(uint64_t seed) : state_((seed ^ kMultiplier) & kMask) {}

  double next_double() {
    const auto high = static_cast<int64_t>(next(26));
    const auto low = static_cast<int64_t>(next(27));
    return static_cast<double>((high << 27) + low) * 0x1.0p-53;
  }

  /// From 0 to bound - 1; bound > 0.
  int32_t next_int(int32_t bound) {
    int32_t bits = next(31);
    if ((bound & (bound - 1)) == 0) {
      return static_cast<int32_t>(int64_t{bound} * bits >> 31);
    }
    int32_t value = bits % bound;
    // Redraw from the last, incomplete run of bounds.
    while (int64_t{bits} - value + (bound - 1) > INT32_MAX) {
      bits = next(31);
      value = bits % bound;
    }
    return value;
  }

 private:
  static constexpr uint64_t kMultiplier = 0x5DEECE66DULL;
  static constexpr uint64_t kMask = (uint64_t{1} << 48U) - 1;

  int32_t next(uint32_t bits) {
    state_ = (state_ * kMultiplier + 0xBU) & kMask;
    return static_cast<int32_t>(static_cast<int64_t>(state_ >> (48U - bits)));
  }

  uint64_t state_;
};

}  // namespace thalweg::functions
