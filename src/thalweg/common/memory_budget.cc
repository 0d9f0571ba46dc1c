#include "thalweg/common/memory_budget.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"

namespace thalweg {

MemoryBudget::MemoryBudget(std::string name, int64_t limit_bytes, MemoryBudget* parent)
    : name_(std::move(name)), limit_(limit_bytes), parent_(parent) {}

MemoryBudget::~MemoryBudget() {
  if (parent_ != nullptr) {
    parent_->release(used_bytes());
  }
}

const MemoryBudget* MemoryBudget::charge(int64_t bytes) {
  const int64_t now = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  const MemoryBudget* full = now > limit_ ? this : nullptr;
  if (full == nullptr && parent_ != nullptr) {
    full = parent_->charge(bytes);
  }
  if (full != nullptr) {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    return full;
  }
  int64_t peak = peak_.load(std::memory_order_relaxed);
  while (now > peak && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
  return nullptr;
}

bool MemoryBudget::try_reserve(int64_t bytes) {
  return charge(bytes) == nullptr;
}

void MemoryBudget::reserve(int64_t bytes) {
  if (const MemoryBudget* full = charge(bytes); full != nullptr) {
    throw Error(
        ErrorCode::kStateMemoryExceeded,
        fmt::format("State exceeds its memory budget: {} holds {} bytes and needs {} more, but the "
                    "budget '{}' is limited to {} bytes",
                    name_,
                    used_bytes(),
                    bytes,
                    full->name(),
                    full->limit_bytes()))
        .hint(
            "raise 'taskmanager.memory.managed.size', or bound the state with "
            "'table.exec.state.ttl' or a window");
  }
}

void MemoryBudget::release(int64_t bytes) {
  used_.fetch_sub(bytes, std::memory_order_relaxed);
  if (parent_ != nullptr) {
    parent_->release(bytes);
  }
}

}  // namespace thalweg
