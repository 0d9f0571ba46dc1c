#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "thalweg/stream/state.h"

namespace thalweg::operators {

/// Records outside any table, for results put together from several records (the slices of a
/// window) and for empty groups. Laid out as the records of a table with the same fields. Owned by
/// one operator; not part of snapshots.
class ScratchRecords final : public stream::StateMemory {
 public:
  explicit ScratchRecords(const stream::RecordLayout& layout) : layout_(layout) {}

  /// `count` empty records; the old ones are gone.
  void reset(size_t count);

  std::span<std::byte* const> records() const { return records_; }

  void assign_string(std::byte* place, std::string_view text) override;
  stream::StateObject& writable_object(std::byte* place,
                                       const stream::StateObjectKind& kind) override;
  const stream::StateObject* object(const std::byte* place) const override;

  void object_resized(int64_t /*delta_bytes*/) override {}

 private:
  const stream::RecordLayout& layout_;
  std::vector<uint64_t> bytes_;
  std::vector<std::byte*> records_;
  StringHeap heap_;
  std::vector<std::unique_ptr<stream::StateObject>> objects_;
};

}  // namespace thalweg::operators
