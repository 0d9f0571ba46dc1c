#pragma once

#include <memory>
#include <string>
#include <vector>

#include "thalweg/common/time.h"
#include "thalweg/state/slot_index.h"
#include "thalweg/state/table_storage.h"
#include "thalweg/state/timer_buckets.h"

namespace thalweg::state {

class TableSnapshot;

/// Keyed state in segments with an index of its own. Owned by the operator's state; task thread
/// only.
class KeyedTableImpl final : public stream::KeyedTable {
 public:
  KeyedTableImpl(stream::StateSpec spec,
                 const std::string& operator_name,
                 MemoryBudget& budget,
                 std::shared_ptr<const OpaqueOperations> opaque,
                 std::function<void()> pause);
  ~KeyedTableImpl() override;

  const stream::StateSpec& spec() const override { return spec_; }

  const stream::RecordLayout& layout() const override { return shape_.value_layout(); }

  void find_or_insert(const stream::KeyBatch& keys,
                      std::span<stream::SlotId> slots,
                      std::span<std::byte*> records,
                      std::span<uint8_t> inserted) override;
  void find(const stream::KeyBatch& keys,
            std::span<stream::SlotId> slots,
            std::span<std::byte*> records) override;
  std::byte* writable(stream::SlotId slot) override;

  const std::byte* read(stream::SlotId slot) const override {
    return storage_->segments().record(slot);
  }

  void store_field(std::byte* record, size_t field, const Column& column, int32_t row) override;
  void erase(std::span<const stream::SlotId> slots) override;

  int64_t size() const override { return static_cast<int64_t>(index_.size()); }

  int64_t namespace_of(stream::SlotId slot) const override;
  void append_keys(std::span<const stream::SlotId> slots,
                   std::span<ColumnBuilder> builders) const override;
  void sort_by_key(std::span<stream::SlotId> slots) const override;

  void collect_slots(std::vector<stream::SlotId>& slots) const override {
    collect_slots(0, slot_end(), slots);
  }

  void append_field(std::span<const stream::SlotId> slots,
                    size_t field,
                    ColumnBuilder& builder) const override;
  int64_t byte_size() const override;

  // StateMemory
  void assign_string(std::byte* place, std::string_view text) override;
  stream::StateObject& writable_object(std::byte* place,
                                       const stream::StateObjectKind& kind) override;
  const stream::StateObject* object(const std::byte* place) const override;
  void object_resized(int64_t delta_bytes) override;

  // For the rest of this module.
  /// Live slots of [begin, end).
  void collect_slots(stream::SlotId begin,
                     stream::SlotId end,
                     std::vector<stream::SlotId>& slots) const;

  stream::SlotId slot_end() const { return storage_->segments().used(); }

  TimerBuckets& event_timers() { return event_timers_; }

  const TimerBuckets& event_timers() const { return event_timers_; }

  TimerBuckets& processing_timers() { return processing_timers_; }

  const TimerBuckets& processing_timers() const { return processing_timers_; }

  uint32_t generation(stream::SlotId slot) const {
    return storage_->segments().head(slot).generation;
  }

  void set_time(ProcessingTime now) { now_ms_ = now.ms; }

  TableStorage& storage() { return *storage_; }

  const std::shared_ptr<const OpaqueOperations>& opaque() const { return opaque_; }

  std::unique_ptr<TableSnapshot> begin_snapshot();

 private:
  struct Request;

  void make_tags(const stream::KeyBatch& keys, size_t rows);
  void dispatch(Request& request);
  template <typename T>
  bool try_number_key(Request& request);
  bool try_text_key(Request& request);
  template <typename Keys>
  void run(const Keys& keys, Request& request);
  template <bool kInsert, typename Keys>
  void probe_all(const Keys& keys, Request& request);
  /// Fills in rows from `row` on whose candidate has their key, nearly all in a settled table; the
  /// row where that ends.
  template <typename Keys>
  size_t take_hits(const Keys& keys, Request& request, size_t row, size_t end) const;
  template <bool kInsert, typename Keys>
  void probe(const Keys& keys, Request& request, size_t row);
  template <typename Keys>
  stream::SlotId insert(const Keys& keys, const Request& request, size_t row);
  /// Fills the slots of rows [begin, end) with what the index has for their tags, keys unseen;
  /// fetches their records, and the index lines of the rows behind them.
  void find_candidates(size_t begin,
                       size_t end,
                       bool prefetches,
                       std::span<stream::SlotId> slots) const;
  bool is_expired(const std::byte* record) const;
  void reset_expired(stream::SlotId slot);
  void erase_one(stream::SlotId slot);
  void expire_some(size_t slots);

  stream::StateSpec spec_;
  std::shared_ptr<TableStorage> storage_;
  const TableShape& shape_;
  std::shared_ptr<const OpaqueOperations> opaque_;
  SlotIndex index_;
  TimerBuckets event_timers_;
  TimerBuckets processing_timers_;
  int64_t now_ms_ = 0;
  stream::SlotId expire_cursor_ = 0;
  std::vector<uint64_t> hashes_;
  std::vector<uint32_t> tags_;
};

}  // namespace thalweg::state
