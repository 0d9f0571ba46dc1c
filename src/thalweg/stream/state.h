#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "thalweg/types/column_builder.h"
#include "thalweg/types/data_type.h"
#include "thalweg/types/value.h"

namespace thalweg::stream {

/// A collection inside a record: what an accumulator of COUNT(DISTINCT x), a MIN that takes rows
/// back, or a Python accumulator needs. Owned by its record; copied on the first write during a
/// snapshot.
class StateObject {
 public:
  virtual ~StateObject() = default;
  virtual std::unique_ptr<StateObject> clone() const = 0;
  virtual void serialize(std::string& bytes) const = 0;
  virtual int64_t byte_size() const = 0;
  /// For the inspector.
  virtual Value inspect() const = 0;
};

/// Makes empty objects and restores serialized ones. Static data of whoever declares the field.
struct StateObjectKind {
  std::string name;
  std::function<std::unique_ptr<StateObject>()> create;
  std::function<std::unique_ptr<StateObject>(std::string_view bytes)> restore;
};

/// One field of a record. A plain field holds the type's physical value (text: a StringView whose
/// bytes the table owns; nested and opaque values: a StringView of their encoding, written by
/// KeyedTable::store_field only); an object field holds a StateObject.
struct StateField {
  std::string name;
  DataType type;
  std::shared_ptr<const StateObjectKind> object = nullptr;
};

/// Declares a table of keyed state; named and typed so that snapshots, restores at another
/// parallelism and the inspector need no operator code.
struct StateSpec {
  std::string name;
  Schema key;
  /// The key includes a 64-bit namespace: a window's or slice's end.
  bool has_namespace = false;
  std::vector<StateField> value;
  /// Entries vanish this long after their last write (Flink's table.exec.state.ttl).
  std::optional<int64_t> ttl_ms = std::nullopt;
};

/// Where the fields of a record lie. Records start with a null bit for each nullable plain field;
/// fields are aligned to their width. New records are zeroed with every nullable field valid.
class RecordLayout {
 public:
  explicit RecordLayout(std::span<const StateField> fields);

  size_t field_count() const { return offsets_.size(); }

  size_t offset(size_t field) const { return offsets_[field]; }

  size_t size() const { return size_; }

  /// What the start of a record must be a multiple of.
  size_t alignment() const { return alignment_; }

  bool is_null(const std::byte* record, size_t field) const {
    return field < null_fields_ &&
           (static_cast<uint8_t>(record[field >> 3U]) >> (field & 7U) & 1U) != 0;
  }

  /// Only for nullable plain fields, or with false.
  void set_null(std::byte* record, size_t field, bool null) const {
    if (field >= null_fields_) {
      return;
    }
    const auto bit = static_cast<uint8_t>(1U << (field & 7U));
    auto byte = static_cast<uint8_t>(record[field >> 3U]);
    byte = null ? static_cast<uint8_t>(byte | bit) : static_cast<uint8_t>(byte & ~bit);
    record[field >> 3U] = static_cast<std::byte>(byte);
  }

 private:
  std::vector<size_t> offsets_;
  size_t size_ = 0;
  size_t alignment_ = 1;
  /// Fields that have a null bit: up to the last nullable one.
  size_t null_fields_ = 0;
};

/// Strings and objects inside records: the table that owns a record owns them too. `place` points
/// at the field inside a writable record.
class StateMemory {
 public:
  virtual ~StateMemory() = default;
  /// Copies `text` into the table and frees what the field held.
  virtual void assign_string(std::byte* place, std::string_view text) = 0;
  /// The field's object, made when missing and copied when a snapshot still reads it.
  virtual StateObject& writable_object(std::byte* place, const StateObjectKind& kind) = 0;
  /// Null when the field has none yet.
  virtual const StateObject* object(const std::byte* place) const = 0;
  /// Charges the budget after an object grew or shrank.
  virtual void object_resized(int64_t delta_bytes) = 0;
};

/// Names a record of a table until it is erased; survives inserts, snapshots and rehashing.
using SlotId = uint32_t;
inline constexpr SlotId kNoSlot = 0xFFFFFFFFU;

/// Keys of some rows: `columns` by StateSpec::key, and a namespace for each row where the spec has
/// one.
struct KeyBatch {
  std::span<const ColumnPtr> columns;
  std::span<const int64_t> namespaces = {};
  /// hash_rows of the columns, when the caller has them already.
  std::span<const uint64_t> hashes = {};
};

/// A table of keyed state. Batched: one call for all rows of a batch. Record pointers are valid
/// until the next call that inserts, or the end of the callback; slots until erased. Task thread
/// only.
class KeyedTable : public StateMemory {
 public:
  virtual const StateSpec& spec() const = 0;
  virtual const RecordLayout& layout() const = 0;

  /// Finds each row's record, inserting zeroed ones; fills `slots`, and `records` for writing.
  /// `inserted[i]` is 1 for the row that made the record.
  virtual void find_or_insert(const KeyBatch& keys,
                              std::span<SlotId> slots,
                              std::span<std::byte*> records,
                              std::span<uint8_t> inserted) = 0;
  /// As find_or_insert, but kNoSlot and nullptr where there is none. Where entries expire this
  /// counts as a read: write through `writable`.
  virtual void find(const KeyBatch& keys,
                    std::span<SlotId> slots,
                    std::span<std::byte*> records) = 0;

  virtual std::byte* writable(SlotId slot) = 0;
  /// Sets a plain field of a writable record, of whatever type, NULL included, from a column of
  /// that type.
  virtual void store_field(std::byte* record, size_t field, const Column& column, int32_t row) = 0;
  virtual const std::byte* read(SlotId slot) const = 0;
  virtual void erase(std::span<const SlotId> slots) = 0;

  virtual int64_t size() const = 0;
  virtual int64_t namespace_of(SlotId slot) const = 0;
  /// Appends the key's columns of each slot to `builders` (one for each key column).
  virtual void append_keys(std::span<const SlotId> slots,
                           std::span<ColumnBuilder> builders) const = 0;
  /// Orders slots by key (values, not hashes): results never depend on table order.
  virtual void sort_by_key(std::span<SlotId> slots) const = 0;
  /// All live slots, in no order.
  virtual void collect_slots(std::vector<SlotId>& slots) const = 0;
  /// Appends field `field` of each record to `builder`.
  virtual void append_field(std::span<const SlotId> slots,
                            size_t field,
                            ColumnBuilder& builder) const = 0;
  virtual int64_t byte_size() const = 0;
};

/// A timer of one record.
struct Timer {
  int64_t time_ms = 0;
  SlotId slot = kNoSlot;
};

/// Timers of the records of one table; part of its snapshot. Due ones come in (time, key) order. A
/// timer whose record was erased is gone. At most one for each (time, slot).
class KeyedTimers {
 public:
  virtual ~KeyedTimers() = default;
  virtual void add(int64_t time_ms, SlotId slot) = 0;
  virtual void remove(int64_t time_ms, SlotId slot) = 0;
  /// The earliest time, or INT64_MAX.
  virtual int64_t next_time() const = 0;
  /// False when no timer is of this time.
  virtual bool may_have(int64_t time_ms) const = 0;
  /// Moves the timers of the earliest time at or before `time_ms` to `due`; false when there is
  /// none.
  virtual bool pop_due(int64_t time_ms, std::vector<Timer>& due) = 0;
};

/// What a restored subtask gets of a list state.
enum class ListMode : uint8_t {
  /// Its share of the items (Flink's ListState of operator state).
  kSplit,
  /// The items of all subtasks (Flink's UnionListState).
  kUnion,
};

/// One list of byte strings for each subtask of an operator.
class OperatorListState {
 public:
  virtual ~OperatorListState() = default;
  virtual const std::vector<std::string>& restored() const = 0;
  /// What the next snapshot holds.
  virtual void update(std::vector<std::string> items) = 0;
};

}  // namespace thalweg::stream
