#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace thalweg::functions::differential {

/// The same seed gives the same choices, on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  uint64_t bits() { return engine_(); }

  /// 0 .. limit - 1; `limit` > 0.
  size_t below(size_t limit) { return static_cast<size_t>(engine_() % limit); }

  /// Both ends may come.
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine_() % (static_cast<uint64_t>(high - low) + 1));
  }

  bool chance(int percent) { return below(100) < static_cast<size_t>(percent); }

  template <typename Sequence>
  const auto& pick(const Sequence& all) {
    return all[below(std::size(all))];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace thalweg::functions::differential
