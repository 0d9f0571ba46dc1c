#include "thalweg/state/string_arena.h"

#include <bit>

namespace thalweg::state {

namespace {

constexpr size_t kFirstChunkBytes = size_t{4} << 10U;
constexpr size_t kLargestChunkBytes = size_t{256} << 10U;

}  // namespace

size_t StringArena::class_of(size_t size) {
  if (size <= 256) {
    return (size + 15) / 16 - 1;
  }
  return 16 + static_cast<size_t>(std::bit_width((size - 1) >> 8U)) - 1;
}

size_t StringArena::class_size(size_t index) {
  return index < 16 ? (index + 1) * 16 : size_t{256} << (index - 15);
}

char* StringArena::allocate(size_t size) {
  if (size > left_) {
    const size_t chunk = std::max(
        size, std::clamp(static_cast<size_t>(allocated_), kFirstChunkBytes, kLargestChunkBytes));
    reserve_(static_cast<int64_t>(chunk));
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(chunk));
    next_ = chunks_.back().get();
    left_ = chunk;
    allocated_ += static_cast<int64_t>(chunk);
  }
  char* result = next_;
  next_ += size;
  left_ -= size;
  return result;
}

StringView StringArena::add(std::string_view text) {
  if (text.empty()) {
    return {};
  }
  if (text.size() <= StringView::kInlineSize) {
    return StringView(text);
  }
  char* place = nullptr;
  if (text.size() > kLargestClass) {
    reserve_(static_cast<int64_t>(text.size()));
    allocated_ += static_cast<int64_t>(text.size());
    auto owned = std::make_unique_for_overwrite<char[]>(text.size());
    place = owned.get();
    large_.emplace(place, std::move(owned));
  } else {
    const size_t index = class_of(text.size());
    std::vector<char*>& free = free_[index];
    if (free.empty()) {
      place = allocate(class_size(index));
    } else {
      place = free.back();
      free.pop_back();
    }
  }
  std::memcpy(place, text.data(), text.size());
  return StringView(std::string_view(place, text.size()));
}

void StringArena::remove(const StringView& view) {
  if (view.is_inline()) {
    return;
  }
  auto* place = const_cast<char*>(view.data());
  if (view.size() > kLargestClass) {
    reserve_(-static_cast<int64_t>(view.size()));
    allocated_ -= static_cast<int64_t>(view.size());
    large_.erase(place);
    return;
  }
  free_[class_of(view.size())].push_back(place);
}

}  // namespace thalweg::state
