#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include <immintrin.h>

#include "thalweg/stream/state.h"
#include "thalweg/types/text_rank.h"

namespace thalweg::state {

/// A slot and the rank of its key.
struct RankedSlot {
  TextRank rank;
  stream::SlotId slot = stream::kNoSlot;
};

/// Sorts the slots of `items` by rank, and those of one rank by `less(slot, slot)`, into `slots`.
/// Many are sorted by digits, of which there are few: only the bits in which the ranks differ
/// count.
template <typename Less>
void sort_ranked(std::span<RankedSlot> items, std::span<stream::SlotId> slots, const Less& less);

/// The bits of ranks that tell them apart, put together in one word: in the order of the ranks as
/// far as they fit.
class RankDigest {
 public:
  explicit RankDigest(std::span<const RankedSlot> items) {
    const TextRank& first = items.front().rank;
    for (const RankedSlot& item : items) {
      head_mask_ |= item.rank.head ^ first.head;
      tail_mask_ |= item.rank.tail ^ first.tail;
    }
    const auto head_bits = static_cast<uint32_t>(std::popcount(head_mask_));
    const auto tail_bits = static_cast<uint32_t>(std::popcount(tail_mask_));
    tail_bits_ = std::min(tail_bits, 64 - head_bits);
    dropped_ = tail_bits - tail_bits_;
    bits_ = head_bits + tail_bits_;
  }

  uint32_t bits() const { return bits_; }

  uint64_t of(const TextRank& rank) const {
    const uint64_t head = _pext_u64(rank.head, head_mask_);
    if (tail_bits_ == 0) {
      return head;
    }
    const uint64_t tail = _pext_u64(rank.tail, tail_mask_) >> dropped_;
    return tail_bits_ == 64 ? tail : head << tail_bits_ | tail;
  }

 private:
  uint64_t head_mask_ = 0;
  uint64_t tail_mask_ = 0;
  uint32_t tail_bits_ = 0;
  uint32_t dropped_ = 0;
  uint32_t bits_ = 0;
};

/// A slot, the digest of its rank, and the index of its item.
struct DigestedItem {
  uint64_t digest = 0;
  uint32_t item = 0;
  stream::SlotId slot = stream::kNoSlot;
};

/// Stable, by the lowest `bits` bits, from the lowest digit to the highest.
inline void sort_digests(std::vector<DigestedItem>& items, uint32_t bits) {
  constexpr uint32_t kDigitBits = 8;
  std::vector<DigestedItem> sorted(items.size());
  for (uint32_t shift = 0; shift < bits; shift += kDigitBits) {
    const auto digit = [shift](const DigestedItem& item) { return (item.digest >> shift) & 0xFFU; };
    std::array<size_t, size_t{1} << kDigitBits> places{};
    for (const DigestedItem& item : items) {
      ++places[digit(item)];
    }
    size_t next = 0;
    for (size_t& place : places) {
      next += std::exchange(place, next);
    }
    for (const DigestedItem& item : items) {
      sorted[places[digit(item)]++] = item;
    }
    items.swap(sorted);
  }
}

template <typename Less>
void sort_ranked(std::span<RankedSlot> items, std::span<stream::SlotId> slots, const Less& less) {
  constexpr size_t kFew = 256;
  const auto before = [&less](const RankedSlot& left, const RankedSlot& right) {
    return left.rank != right.rank ? left.rank < right.rank : less(left.slot, right.slot);
  };
  if (items.size() < kFew) {
    std::sort(items.begin(), items.end(), before);
    std::transform(items.begin(), items.end(), slots.begin(), [](const RankedSlot& item) {
      return item.slot;
    });
    return;
  }
  const RankDigest digest(items);
  std::vector<DigestedItem> digested;
  digested.reserve(items.size());
  for (const RankedSlot& item : items) {
    digested.push_back({digest.of(item.rank), static_cast<uint32_t>(digested.size()), item.slot});
  }
  sort_digests(digested, digest.bits());
  for (auto begin = digested.begin(); begin != digested.end();) {
    auto end = begin + 1;
    while (end != digested.end() && end->digest == begin->digest) {
      ++end;
    }
    if (end - begin > 1) {
      std::sort(begin, end, [&](const DigestedItem& left, const DigestedItem& right) {
        return before(items[left.item], items[right.item]);
      });
    }
    begin = end;
  }
  std::transform(digested.begin(), digested.end(), slots.begin(), [](const DigestedItem& item) {
    return item.slot;
  });
}

}  // namespace thalweg::state
