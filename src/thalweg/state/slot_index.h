#pragma once

#include <bit>
#include <cstdint>

#include <immintrin.h>

#include "thalweg/state/page_memory.h"
#include "thalweg/state/string_arena.h"
#include "thalweg/stream/state.h"

namespace thalweg::state {

/// An open-addressing index from hash tags to slots. An entry is (tag, slot + 1) in 64 bits; its
/// home, a cache line of eight, is told by the top bits of the tag, so it grows without looking at
/// keys. Linear probing from the line's start, deletion by shifting back.
class SlotIndex {
 public:
  explicit SlotIndex(ReserveBytes reserve);

  /// Uses bits that key groups do not: one subtask sees few values of those.
  static uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash); }

  void prefetch(uint32_t tag) const { __builtin_prefetch(&entries_[home(tag)]); }

  /// The slot that most likely has this tag's key, without a branch: looks at one cache line, where
  /// nearly all keys are. kNoSlot when it does not have the tag.
  stream::SlotId candidate(uint32_t tag) const {
    const uint64_t* const line = entries_ + home(tag);
    const __m256i wanted = _mm256_set1_epi64x(int64_t{tag});
    const auto found =
        static_cast<uint32_t>(matches(line, wanted) | matches(line + 4, wanted) << 4);
    const uint64_t entry = line[std::countr_zero(found | 0x80U)];
    // An empty entry's slot is kNoSlot too.
    return static_cast<uint32_t>(entry >> 32U) == tag ? static_cast<uint32_t>(entry) - 1
                                                      : stream::kNoSlot;
  }

  /// The slot with this tag for which `equal(slot)`, or kNoSlot.
  template <typename Equal>
  stream::SlotId find(uint32_t tag, Equal&& equal) const {
    size_t at = home(tag);
    for (;;) {
      const uint64_t entry = entries_[at];
      if (entry == 0) {
        return stream::kNoSlot;
      }
      if (static_cast<uint32_t>(entry >> 32U) == tag) {
        const stream::SlotId slot = static_cast<uint32_t>(entry) - 1;
        if (equal(slot)) {
          return slot;
        }
      }
      at = (at + 1) & mask_;
    }
  }

  /// The key must not be there.
  void insert(uint32_t tag, stream::SlotId slot) {
    if (count_ + 1 > limit_) {
      grow();
    }
    place((uint64_t{tag} << 32U) | (slot + 1));
    ++count_;
  }

  void erase(uint32_t tag, stream::SlotId slot);

  size_t size() const { return count_; }

  size_t byte_size() const { return (mask_ + 1) * sizeof(uint64_t); }

 private:
  static constexpr size_t kLineEntries = 8;

  size_t home(uint32_t tag) const { return (tag >> shift_) * kLineEntries; }

  static int matches(const uint64_t* four, __m256i wanted) {
    const __m256i tags =
        _mm256_srli_epi64(_mm256_load_si256(reinterpret_cast<const __m256i*>(four)), 32);
    return _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(tags, wanted)));
  }

  size_t home_of(uint64_t entry) const { return home(static_cast<uint32_t>(entry >> 32U)); }

  void place(uint64_t entry) {
    size_t at = home_of(entry);
    while (entries_[at] != 0) {
      at = (at + 1) & mask_;
    }
    entries_[at] = entry;
  }

  void grow();
  void set_size(size_t size);

  ReserveBytes reserve_;
  PageMemory memory_;
  uint64_t* entries_ = nullptr;
  size_t mask_ = 0;
  uint32_t shift_ = 0;
  size_t count_ = 0;
  size_t limit_ = 0;
};

}  // namespace thalweg::state
