#include "thalweg/state/slot_index.h"

#include <bit>
#include <span>

#include "thalweg/common/check.h"

namespace thalweg::state {

namespace {

constexpr size_t kFirstSize = 64;

}  // namespace

SlotIndex::SlotIndex(ReserveBytes reserve) : reserve_(std::move(reserve)) {
  set_size(kFirstSize);
}

void SlotIndex::set_size(size_t size) {
  memory_ = PageMemory(size * sizeof(uint64_t));
  entries_ = reinterpret_cast<uint64_t*>(memory_.data());
  mask_ = size - 1;
  shift_ = 32 - static_cast<uint32_t>(std::countr_zero(size / kLineEntries));
  // Five eighths: a line of eight seldom runs over.
  limit_ = size / 8 * 5;
}

void SlotIndex::grow() {
  const size_t old_size = mask_ + 1;
  reserve_(static_cast<int64_t>(byte_size()));
  const PageMemory old = std::move(memory_);
  const std::span<const uint64_t> entries(reinterpret_cast<const uint64_t*>(old.data()), old_size);
  memory_ = PageMemory();
  set_size(old_size * 2);
  for (const uint64_t entry : entries) {
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
