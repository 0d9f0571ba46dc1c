#include "thalweg/types/string_view.h"

#include <algorithm>

namespace thalweg {

namespace {

constexpr size_t kFirstChunk = 1024;
constexpr size_t kLargestChunk = size_t{1} << 18U;

}  // namespace

void StringHeap::grow(size_t size) {
  const size_t next = std::clamp(static_cast<size_t>(allocated_), kFirstChunk, kLargestChunk);
  const size_t bytes = std::max(size, next);
  chunks_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
  next_ = chunks_.back().get();
  left_ = bytes;
  allocated_ += static_cast<int64_t>(bytes);
}

}  // namespace thalweg
