#pragma once

#include <cstdint>

#include "thalweg/types/hash.h"

namespace thalweg::connectors {

/// Random bits for one value: they depend on the seed, the row and the field alone, so that a
/// restarted job, and any parallelism, gives the same rows.
class RandomBits {
 public:
  RandomBits(uint64_t seed, uint64_t row, uint64_t field)
      : state_(mix_hash(mix_hash(seed, field), row)) {}

  uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    uint64_t bits = state_;
    bits = (bits ^ bits >> 30U) * 0xBF58476D1CE4E5B9ULL;
    bits = (bits ^ bits >> 27U) * 0x94D049BB133111EBULL;
    return bits ^ bits >> 31U;
  }

  /// From 0 to `most`, inclusive.
  uint64_t up_to(uint64_t most) {
    if (most == UINT64_MAX) {
      return next();
    }
    return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * (most + 1)) >> 64U);
  }

  int64_t between(int64_t least, int64_t most) {
    const auto span = static_cast<uint64_t>(most) - static_cast<uint64_t>(least);
    return static_cast<int64_t>(static_cast<uint64_t>(least) + up_to(span));
  }

  /// From 0 up to, but not, 1.
  double fraction() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

 private:
  uint64_t state_;
};

}  // namespace thalweg::connectors
