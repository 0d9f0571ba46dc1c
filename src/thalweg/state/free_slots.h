#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "thalweg/stream/state.h"

namespace thalweg::state {

/// The slots of a store that are free again. Gives the lowest, so that records that are made one
/// after the other lie side by side, in whatever order the old ones were freed. One thread.
class FreeSlots {
 public:
  size_t size() const { return count_; }

  void add(stream::SlotId slot) {
    const size_t word = slot / kBits;
    if (word >= free_.size()) {
      free_.resize(word + 1);
      summary_.resize(word / kBits + 1);
    }
    free_[word] |= uint64_t{1} << (slot % kBits);
    summary_[word / kBits] |= uint64_t{1} << (word % kBits);
    first_ = std::min(first_, word / kBits);
    ++count_;
  }

  /// There must be one.
  stream::SlotId take_lowest() {
    while (summary_[first_] == 0) {
      ++first_;
    }
    const size_t word = first_ * kBits + static_cast<size_t>(std::countr_zero(summary_[first_]));
    const size_t slot = word * kBits + static_cast<size_t>(std::countr_zero(free_[word]));
    free_[word] &= free_[word] - 1;
    if (free_[word] == 0) {
      summary_[first_] &= summary_[first_] - 1;
    }
    --count_;
    return static_cast<stream::SlotId>(slot);
  }

 private:
  static constexpr size_t kBits = 64;

  /// A bit for each slot, and one for each word of those that is not 0.
  std::vector<uint64_t> free_;
  std::vector<uint64_t> summary_;
  /// The words of summary_ before it are 0.
  size_t first_ = 0;
  size_t count_ = 0;
};

}  // namespace thalweg::state
