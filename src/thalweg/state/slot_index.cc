#include "thalweg/state/slot_index.h"

#include <bit>

#include "thalweg/common/check.h"

namespace thalweg::state {

namespace {

constexpr size_t kFirstSize = 64;

}  // namespace

SlotIndex::SlotIndex(ReserveBytes reserve) : reserve_(std::move(reserve)) {
  set_size(kFirstSize);
}

void SlotIndex::set_size(size_t size) {
  entries_.assign(size, 0);
  mask_ = size - 1;
  shift_ = 32 - static_cast<uint32_t>(std::countr_zero(size));
  // Five eighths: unsuccessful probes stay at some four steps.
  limit_ = size / 8 * 5;
}

void SlotIndex::grow() {
  const size_t size = entries_.size() * 2;
  reserve_(static_cast<int64_t>(entries_.size() * sizeof(uint64_t)));
  const std::vector<uint64_t> old = std::move(entries_);
  set_size(size);
  for (const uint64_t entry : old) {
    if (entry != 0) {
      place(entry);
    }
  }
}

void SlotIndex::erase(uint32_t tag, stream::SlotId slot) {
  const uint64_t wanted = (uint64_t{tag} << 32U) | (slot + 1);
  size_t hole = home(tag);
  while (entries_[hole] != wanted) {
    check(entries_[hole] != 0, "an erased slot is not in the index");
    hole = (hole + 1) & mask_;
  }
  // Shift back what would no longer be reached across the hole.
  size_t at = hole;
  for (;;) {
    at = (at + 1) & mask_;
    const uint64_t entry = entries_[at];
    if (entry == 0) {
      break;
    }
    const size_t distance = (at - home_of(entry)) & mask_;
    if (distance >= ((at - hole) & mask_)) {
      entries_[hole] = entry;
      hole = at;
    }
  }
  entries_[hole] = 0;
  --count_;
}

}  // namespace thalweg::state
