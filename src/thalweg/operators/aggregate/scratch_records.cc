#include "thalweg/operators/aggregate/scratch_records.h"

#include <cstring>

namespace thalweg::operators {

void ScratchRecords::reset(size_t count) {
  heap_ = StringHeap();
  objects_.clear();
  // Records begin at multiples of 16: the widest field is a 16-byte integer.
  const size_t words = (layout_.size() + 15) / 16 * 2;
  bytes_.assign(count * words + 1, 0);
  auto* base = reinterpret_cast<std::byte*>(bytes_.data());
  if ((reinterpret_cast<uintptr_t>(base) & 15U) != 0) {
    base += 8;
  }
  records_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    records_[i] = base + i * words * 8;
  }
}

void ScratchRecords::assign_string(std::byte* place, std::string_view text) {
  const StringView view = heap_.add(text);
  std::memcpy(place, &view, sizeof(view));
}

stream::StateObject& ScratchRecords::writable_object(std::byte* place,
                                                     const stream::StateObjectKind& kind) {
  stream::StateObject* object = nullptr;
  std::memcpy(&object, place, sizeof(object));
  if (object == nullptr) {
    objects_.push_back(kind.create());
    object = objects_.back().get();
    std::memcpy(place, &object, sizeof(object));
  }
  return *object;
}

const stream::StateObject* ScratchRecords::object(const std::byte* place) const {
  const stream::StateObject* object = nullptr;
  std::memcpy(&object, place, sizeof(object));
  return object;
}

}  // namespace thalweg::operators
