#include "thalweg/state/keyed_table_impl.h"

#include "thalweg/common/check.h"
#include "thalweg/state/key_match.h"
#include "thalweg/state/table_snapshot.h"
#include "thalweg/state/value_codec.h"
#include "thalweg/types/column_operations.h"
#include "thalweg/types/hash.h"

namespace thalweg::state {

namespace {

/// Rows that are looked up together: index lines, then records, then keys, each step for all rows
/// before the next, so that misses overlap.
constexpr size_t kChunk = 64;

/// Tables below this fit the caches: prefetching only costs.
constexpr size_t kPrefetchFrom = size_t{32} << 10U;

}  // namespace

/// One call of find or find_or_insert.
struct KeyedTableImpl::Request {
  const stream::KeyBatch& keys;
  std::span<stream::SlotId> slots;
  std::span<std::byte*> records;
  std::span<uint8_t> inserted;
  bool inserts;
};

KeyedTableImpl::KeyedTableImpl(stream::StateSpec spec,
                               const std::string& operator_name,
                               MemoryBudget& budget,
                               std::shared_ptr<const OpaqueOperations> opaque,
                               std::function<void()> pause)
    : spec_(std::move(spec)),
      storage_(std::make_shared<TableStorage>(spec_, operator_name, budget, std::move(pause))),
      shape_(storage_->shape()),
      opaque_(std::move(opaque)),
      index_(storage_->reserve()),
      event_timers_(*this),
      processing_timers_(*this) {}

KeyedTableImpl::~KeyedTableImpl() {
  storage_->detach();
}

void KeyedTableImpl::find_or_insert(const stream::KeyBatch& keys,
                                    std::span<stream::SlotId> slots,
                                    std::span<std::byte*> records,
                                    std::span<uint8_t> inserted) {
  if (shape_.has_ttl()) {
    expire_some(slots.size());
  }
  Request request{keys, slots, records, inserted, true};
  dispatch(request);
}

void KeyedTableImpl::find(const stream::KeyBatch& keys,
                          std::span<stream::SlotId> slots,
                          std::span<std::byte*> records) {
  Request request{keys, slots, records, {}, false};
  dispatch(request);
}

void KeyedTableImpl::make_tags(const stream::KeyBatch& keys, size_t rows) {
  check(keys.columns.size() == shape_.keys().size(), "key columns differ from the declared key");
  std::span<const uint64_t> hashes = keys.hashes;
  if (hashes.empty()) {
    hashes_.resize(rows);
    hash_rows(keys.columns, hashes_);
    hashes = hashes_;
  }
  tags_.resize(rows);
  if (shape_.has_namespace()) {
    for (size_t i = 0; i < rows; ++i) {
      const auto name_space = static_cast<uint64_t>(keys.namespaces[i]);
      tags_[i] = SlotIndex::tag_of(mix_hash(hashes[i], name_space));
    }
  } else {
    for (size_t i = 0; i < rows; ++i) {
      tags_[i] = SlotIndex::tag_of(hashes[i]);
    }
  }
}

void KeyedTableImpl::dispatch(Request& request) {
  storage_->thaw_if_finished();
  const size_t rows = request.slots.size();
  if (rows == 0) {
    return;
  }
  make_tags(request.keys, rows);
  if (shape_.keys().size() == 1) {
    switch (shape_.keys()[0].physical) {
      case PhysicalKind::kInt32:
        if (try_number_key<int32_t>(request)) {
          return;
        }
        break;
      case PhysicalKind::kInt64:
        if (try_number_key<int64_t>(request)) {
          return;
        }
        break;
      case PhysicalKind::kString:
        if (try_text_key(request)) {
          return;
        }
        break;
      default:
        break;
    }
  }
  run(GenericKey(shape_, request.keys.columns, rows), request);
}

template <typename T>
bool KeyedTableImpl::try_number_key(Request& request) {
  const Column& column = *request.keys.columns[0];
  if (column.is_constant() || column.may_have_nulls()) {
    return false;
  }
  const FieldShape& field = shape_.keys()[0];
  run(NumberKey<T>{column.values<T>().data(), field.offset, shape_.key_offset(), field.nullable},
      request);
  return true;
}

bool KeyedTableImpl::try_text_key(Request& request) {
  const Column& column = *request.keys.columns[0];
  if (column.is_constant() || column.may_have_nulls()) {
    return false;
  }
  const FieldShape& field = shape_.keys()[0];
  run(
      TextKey{
          column.values<StringView>().data(), field.offset, shape_.key_offset(), field.nullable},
      request);
  return true;
}

template <typename Keys>
void KeyedTableImpl::run(const Keys& keys, Request& request) {
  if (request.inserts) {
    probe_all<true>(keys, request);
  } else {
    probe_all<false>(keys, request);
  }
}

void KeyedTableImpl::find_candidates(size_t begin,
                                     size_t end,
                                     bool prefetches,
                                     std::span<stream::SlotId> slots) const {
  end = std::min(end, slots.size());
  if (!prefetches) {
    for (size_t row = begin; row < end; ++row) {
      slots[row] = index_.candidate(tags_[row]);
    }
    return;
  }
  const SegmentStore::Places places(storage_->segments());
  const uint32_t* const tags = tags_.data();
  const size_t last_byte = shape_.stride() - 1;
  for (size_t row = begin; row < end; ++row) {
    index_.prefetch(tags[std::min(row + kChunk, slots.size() - 1)]);
    const stream::SlotId slot = index_.candidate(tags[row]);
    slots[row] = slot;
    const std::byte* const record = places.record(slot == stream::kNoSlot ? 0 : slot);
    __builtin_prefetch(record, 1);
    __builtin_prefetch(record + last_byte, 1);
  }
}

template <bool kInsert, typename Keys>
void KeyedTableImpl::probe_all(const Keys& keys, Request& request) {
  const size_t rows = request.slots.size();
  const bool prefetches = index_.size() >= kPrefetchFrom;
  for (size_t row = 0; prefetches && row < std::min(kChunk, rows); ++row) {
    index_.prefetch(tags_[row]);
  }
  find_candidates(0, kChunk, prefetches, request.slots);
  for (size_t begin = 0; begin < rows; begin += kChunk) {
    const size_t end = begin + kChunk;
    find_candidates(end, end + kChunk, prefetches, request.slots);
    for (size_t row = begin; row < std::min(end, rows); ++row) {
      row = take_hits(keys, request, row, std::min(end, rows));
      if (row < std::min(end, rows)) {
        probe<kInsert>(keys, request, row);
      }
    }
  }
}

template <typename Keys>
size_t KeyedTableImpl::take_hits(const Keys& keys, Request& request, size_t row, size_t end) const {
  if (shape_.has_ttl() || request.records.empty() || storage_->segments().is_frozen()) {
    return row;
  }
  const SegmentStore::Places places(storage_->segments());
  const stream::SlotId* const slots = request.slots.data();
  std::byte** const records = request.records.data();
  const int64_t* const namespaces =
      shape_.has_namespace() ? request.keys.namespaces.data() : nullptr;
  const size_t first = row;
  for (; row < end && slots[row] != stream::kNoSlot; ++row) {
    std::byte* const record = places.record(slots[row]);
    if (!keys.equal(record, row) ||
        (namespaces != nullptr && shape_.name_space(record) != namespaces[row])) {
      break;
    }
    records[row] = record;
  }
  if (!request.inserted.empty()) {
    std::fill(request.inserted.begin() + static_cast<ptrdiff_t>(first),
              request.inserted.begin() + static_cast<ptrdiff_t>(row),
              uint8_t{0});
  }
  return row;
}

template <bool kInsert, typename Keys>
void KeyedTableImpl::probe(const Keys& keys, Request& request, size_t row) {
  SegmentStore& segments = storage_->segments();
  const auto equal = [&](stream::SlotId candidate) {
    const std::byte* record = segments.record(candidate);
    return keys.equal(record, row) &&
           (!shape_.has_namespace() || shape_.name_space(record) == request.keys.namespaces[row]);
  };
  stream::SlotId slot = request.slots[row];
  if (slot == stream::kNoSlot || !equal(slot)) [[unlikely]] {
    slot = index_.find(tags_[row], equal);
  }
  uint8_t made = 0;
  if (slot == stream::kNoSlot) {
    if constexpr (kInsert) {
      slot = insert(keys, request, row);
      made = 1;
    }
  } else if (shape_.has_ttl() && is_expired(segments.record(slot))) {
    if constexpr (kInsert) {
      reset_expired(slot);
      made = 1;
    } else {
      slot = stream::kNoSlot;
    }
  }
  request.slots[row] = slot;
  std::byte* record = nullptr;
  if (slot != stream::kNoSlot) {
    if (!request.records.empty()) {
      segments.touch(slot);
    }
    record = segments.record(slot);
    if constexpr (kInsert) {
      if (shape_.has_ttl()) {
        segments.touch(slot);
        shape_.set_last_write(record, now_ms_);
      }
    }
  }
  if (!request.records.empty()) {
    request.records[row] = record;
  }
  if constexpr (kInsert) {
    if (!request.inserted.empty()) {
      request.inserted[row] = made;
    }
  }
}

template <typename Keys>
stream::SlotId KeyedTableImpl::insert(const Keys& keys, const Request& request, size_t row) {
  SegmentStore& segments = storage_->segments();
  const stream::SlotId slot = segments.allocate(tags_[row]);
  std::byte* record = segments.record(slot);
  keys.store(*storage_, record, row);
  if (shape_.has_namespace()) {
    shape_.set_name_space(record, request.keys.namespaces[row]);
  }
  index_.insert(tags_[row], slot);
  return slot;
}

std::byte* KeyedTableImpl::writable(stream::SlotId slot) {
  storage_->thaw_if_finished();
  storage_->segments().touch(slot);
  std::byte* record = storage_->segments().record(slot);
  if (shape_.has_ttl()) {
    shape_.set_last_write(record, now_ms_);
  }
  return record;
}

bool KeyedTableImpl::is_expired(const std::byte* record) const {
  return shape_.last_write(record) + *spec_.ttl_ms <= now_ms_;
}

void KeyedTableImpl::reset_expired(stream::SlotId slot) {
  SegmentStore& segments = storage_->segments();
  segments.touch(slot);
  std::byte* record = segments.record(slot);
  storage_->free_fields(record, shape_.values());
  std::memset(record, 0, shape_.value_layout().size());
}

void KeyedTableImpl::erase_one(stream::SlotId slot) {
  SegmentStore& segments = storage_->segments();
  check(segments.is_live(slot), "an erased slot is not live");
  index_.erase(segments.head(slot).tag, slot);
  if (shape_.owns_memory()) {
    segments.touch(slot);
    std::byte* record = segments.record(slot);
    storage_->free_fields(record, shape_.keys());
    storage_->free_fields(record, shape_.values());
  }
  segments.release(slot);
}

void KeyedTableImpl::erase(std::span<const stream::SlotId> slots) {
  storage_->thaw_if_finished();
  if (slots.empty()) {
    return;
  }
  // The heads are fetched first, as they tell where in the index to look.
  constexpr size_t kAhead = 8;
  const SegmentStore& segments = storage_->segments();
  const auto later = [slots](size_t i) { return slots[std::min(i, slots.size() - 1)]; };
  for (size_t i = 0; i < slots.size(); ++i) {
    segments.prefetch_head(later(i + 2 * kAhead));
    index_.prefetch(segments.head(later(i + kAhead)).tag);
    erase_one(slots[i]);
  }
}

void KeyedTableImpl::expire_some(size_t slots) {
  SegmentStore& segments = storage_->segments();
  for (size_t i = 0; i < slots && segments.used() > 0; ++i) {
    if (expire_cursor_ >= segments.used()) {
      expire_cursor_ = 0;
    }
    const stream::SlotId slot = expire_cursor_++;
    if (segments.is_live(slot) && is_expired(segments.record(slot))) {
      erase_one(slot);
    }
  }
}

int64_t KeyedTableImpl::namespace_of(stream::SlotId slot) const {
  return shape_.name_space(storage_->segments().record(slot));
}

void KeyedTableImpl::collect_slots(stream::SlotId begin,
                                   stream::SlotId end,
                                   std::vector<stream::SlotId>& slots) const {
  const SegmentStore& segments = storage_->segments();
  for (stream::SlotId slot = begin; slot < end; ++slot) {
    if (segments.is_live(slot) && !(shape_.has_ttl() && is_expired(segments.record(slot)))) {
      slots.push_back(slot);
    }
  }
}

int64_t KeyedTableImpl::byte_size() const {
  return storage_->charged_bytes() + event_timers_.byte_size() + processing_timers_.byte_size();
}

void KeyedTableImpl::store_field(std::byte* record,
                                 size_t field,
                                 const Column& column,
                                 int32_t row) {
  const FieldShape& shape = shape_.values()[field];
  check(shape.storage != FieldStorage::kObject, "an object field is stored like a plain one");
  std::byte* place = record + shape.offset;
  const bool null = column.is_null(row);
  shape_.value_layout().set_null(record, field, null);
  if (shape.storage == FieldStorage::kPlain) {
    if (null) {
      std::memset(place, 0, shape.width);
    } else {
      const size_t at = column.is_constant() ? 0 : static_cast<size_t>(row) * shape.width;
      std::memcpy(place, column.values<std::byte>().data() + at, shape.width);
    }
    return;
  }
  if (null) {
    storage_->assign_text(place, {});
  } else if (shape.storage == FieldStorage::kText) {
    storage_->assign_text(place, column.string_at(row));
  } else {
    std::string encoded;
    encode_value(column, row, encoded);
    storage_->assign_text(place, encoded);
  }
}

void KeyedTableImpl::assign_string(std::byte* place, std::string_view text) {
  storage_->assign_text(place, text);
}

stream::StateObject& KeyedTableImpl::writable_object(std::byte* place,
                                                     const stream::StateObjectKind& kind) {
  return storage_->writable_object(place, kind);
}

const stream::StateObject* KeyedTableImpl::object(const std::byte* place) const {
  const ObjectBox* box = box_at(place);
  return box == nullptr ? nullptr : box->object.get();
}

void KeyedTableImpl::object_resized(int64_t delta_bytes) {
  storage_->object_resized(delta_bytes);
}

std::unique_ptr<TableSnapshot> KeyedTableImpl::begin_snapshot() {
  TableSnapshot::Content content;
  content.storage = storage_;
  content.frozen = storage_->freeze();
  content.event_timers = event_timers_.freeze();
  content.processing_timers = processing_timers_.freeze();
  content.now_ms = now_ms_;
  return std::make_unique<TableSnapshot>(spec_, opaque_, std::move(content));
}

}  // namespace thalweg::state
