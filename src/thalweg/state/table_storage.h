#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "thalweg/common/memory_budget.h"
#include "thalweg/state/segment_store.h"
#include "thalweg/state/string_arena.h"
#include "thalweg/state/table_shape.h"

namespace thalweg::state {

/// A StateObject with the freeze that it may belong to.
struct ObjectBox {
  std::unique_ptr<stream::StateObject> object;
  /// The epoch of the store when this version was made.
  uint32_t epoch = 0;
};

/// The box that a record points to, or null.
ObjectBox* box_at(const std::byte* place);

/// The memory of one table: records, strings, objects. Shared with its snapshots, which may outlive
/// the table; all but reading frozen blocks is for the task's thread.
class TableStorage {
 public:
  TableStorage(const stream::StateSpec& spec,
               std::string operator_name,
               MemoryBudget& budget,
               std::function<void()> pause);
  ~TableStorage();
  TableStorage(const TableStorage&) = delete;
  TableStorage& operator=(const TableStorage&) = delete;

  const TableShape& shape() const { return shape_; }

  SegmentStore& segments() { return segments_; }

  const SegmentStore& segments() const { return segments_; }

  const ReserveBytes& reserve() const { return reserve_; }

  void assign_text(std::byte* place, std::string_view text);
  stream::StateObject& writable_object(std::byte* place, const stream::StateObjectKind& kind);
  void put_object(std::byte* place, std::unique_ptr<stream::StateObject> object);
  void object_resized(int64_t delta_bytes);
  /// Frees what the record's fields own.
  void free_fields(std::byte* record, const std::vector<FieldShape>& fields);

  std::shared_ptr<FrozenStore> freeze();
  /// Frees what only a finished freeze still needed.
  void thaw_if_finished();

  /// The table goes: its budget does too.
  void detach();

  int64_t charged_bytes() const { return charged_; }

 private:
  void reserve_bytes(int64_t bytes);
  void free_text(const StringView& view);
  void free_box(ObjectBox* box);
  void free_deferred();

  TableShape shape_;
  std::string operator_name_;
  std::string table_name_;
  MemoryBudget* budget_;
  int64_t charged_ = 0;
  int64_t object_bytes_pending_ = 0;
  ReserveBytes reserve_;
  SegmentStore segments_;
  StringArena strings_;
  std::vector<StringView> deferred_texts_;
  std::vector<ObjectBox*> deferred_boxes_;
};

}  // namespace thalweg::state
