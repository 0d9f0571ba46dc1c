#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "thalweg/stream/state.h"

namespace thalweg::functions {

/// Records and what they own, as a state table would.
class StateRecords final : public stream::StateMemory {
 public:
  StateRecords(const std::vector<stream::StateField>& fields, size_t count) {
    for (size_t i = 0; i < fields.size(); ++i) {
      offsets.push_back(i * 16);
    }
    bytes_.resize(count * fields.size() * 16);
    for (size_t i = 0; i < count; ++i) {
      all.push_back(bytes_.data() + i * fields.size() * 16);
    }
  }

  void assign_string(std::byte* place, std::string_view text) override {
    const StringView view = heap_.add(text);
    std::memcpy(place, &view, sizeof(view));
  }

  stream::StateObject& writable_object(std::byte* place,
                                       const stream::StateObjectKind& kind) override {
    auto& object = objects_[place];
    if (object == nullptr) {
      object = kind.create();
    }
    kind_ = &kind;
    return *object;
  }

  const stream::StateObject* object(const std::byte* place) const override {
    const auto found = objects_.find(place);
    return found == objects_.end() ? nullptr : found->second.get();
  }

  void object_resized(int64_t delta) override { charged += delta; }

  /// Writes all objects out and reads them back.
  void serialize_and_restore() {
    for (auto& [place, object] : objects_) {
      std::string written;
      object->serialize(written);
      object = kind_->restore(written);
    }
  }

  int64_t object_bytes() const {
    int64_t total = 0;
    for (const auto& entry : objects_) {
      total += entry.second->byte_size();
    }
    return total;
  }

  std::vector<std::byte*> all;
  std::vector<size_t> offsets;
  int64_t charged = 0;

 private:
  std::vector<std::byte> bytes_;
  StringHeap heap_;
  std::map<const std::byte*, std::unique_ptr<stream::StateObject>> objects_;
  const stream::StateObjectKind* kind_ = nullptr;
};

}  // namespace thalweg::functions
