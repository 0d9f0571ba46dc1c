// How a table is read: keys and fields into columns, slots in the order of their keys.

#include "thalweg/common/check.h"
#include "thalweg/state/field_read.h"
#include "thalweg/state/keyed_table_impl.h"
#include "thalweg/state/ranked_sort.h"

namespace thalweg::state {

namespace {

/// Where two slots have one key.
bool name_space_before(const SegmentStore& segments,
                       const TableShape& shape,
                       stream::SlotId left,
                       stream::SlotId right) {
  return shape.has_namespace() &&
         shape.name_space(segments.record(left)) < shape.name_space(segments.record(right));
}

/// Records are far apart: they are fetched ahead.
template <typename RankOf>
std::vector<RankedSlot> ranked(const SegmentStore& segments,
                               std::span<const stream::SlotId> slots,
                               const RankOf& rank_of) {
  constexpr size_t kAhead = 16;
  std::vector<RankedSlot> items;
  items.reserve(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    __builtin_prefetch(segments.record(slots[std::min(i + kAhead, slots.size() - 1)]));
    items.push_back({rank_of(segments.record(slots[i])), slots[i]});
  }
  return items;
}

template <typename T>
void sort_by_number(const SegmentStore& segments,
                    const TableShape& shape,
                    std::span<stream::SlotId> slots) {
  const size_t offset = shape.keys()[0].offset;
  std::vector<RankedSlot> items = ranked(segments, slots, [offset](const std::byte* record) {
    T key;
    std::memcpy(&key, record + offset, sizeof(T));
    TextRank rank;
    rank.head = static_cast<uint64_t>(int64_t{key}) ^ (uint64_t{1} << 63U);
    return rank;
  });
  sort_ranked(items, slots, [&](stream::SlotId left, stream::SlotId right) {
    return name_space_before(segments, shape, left, right);
  });
}

void sort_by_text(const SegmentStore& segments,
                  const TableShape& shape,
                  std::span<stream::SlotId> slots) {
  const auto text_of = [offset = shape.keys()[0].offset](const std::byte* record) {
    StringView text;
    std::memcpy(&text, record + offset, sizeof(text));
    return text;
  };
  std::vector<RankedSlot> items =
      ranked(segments, slots, [&](const std::byte* record) { return TextRank(text_of(record)); });
  sort_ranked(items, slots, [&](stream::SlotId left, stream::SlotId right) {
    const StringView left_text = text_of(segments.record(left));
    const StringView right_text = text_of(segments.record(right));
    return left_text == right_text ? name_space_before(segments, shape, left, right)
                                   : left_text < right_text;
  });
}

int compare_records(const TableShape& shape, const std::byte* left, const std::byte* right) {
  for (size_t key = 0; key < shape.keys().size(); ++key) {
    const bool left_null = shape.key_is_null(left, key);
    const bool right_null = shape.key_is_null(right, key);
    if (left_null != right_null) {
      return left_null ? -1 : 1;
    }
    if (left_null) {
      continue;
    }
    const int order = compare_stored(left, right, shape.keys()[key]);
    if (order != 0) {
      return order;
    }
  }
  if (!shape.has_namespace() || shape.name_space(left) == shape.name_space(right)) {
    return 0;
  }
  return shape.name_space(left) < shape.name_space(right) ? -1 : 1;
}

}  // namespace

void KeyedTableImpl::sort_by_key(std::span<stream::SlotId> slots) const {
  const SegmentStore& segments = storage_->segments();
  if (slots.size() < 2) {
    return;
  }
  if (shape_.keys().size() == 1) {
    const PhysicalKind physical = shape_.keys()[0].physical;
    const bool has_null = shape_.keys()[0].nullable &&
                          std::any_of(slots.begin(), slots.end(), [&](stream::SlotId slot) {
                            return shape_.key_is_null(segments.record(slot), 0);
                          });
    if (physical == PhysicalKind::kInt64 && !has_null) {
      return sort_by_number<int64_t>(segments, shape_, slots);
    }
    if (physical == PhysicalKind::kInt32 && !has_null) {
      return sort_by_number<int32_t>(segments, shape_, slots);
    }
    if (shape_.keys()[0].storage == FieldStorage::kText && !has_null) {
      return sort_by_text(segments, shape_, slots);
    }
  }
  std::sort(slots.begin(), slots.end(), [&](stream::SlotId left, stream::SlotId right) {
    return compare_records(shape_, segments.record(left), segments.record(right)) < 0;
  });
}

void KeyedTableImpl::append_keys(std::span<const stream::SlotId> slots,
                                 std::span<ColumnBuilder> builders) const {
  check(builders.size() == shape_.keys().size(), "one builder for each key column");
  const SegmentStore& segments = storage_->segments();
  for (size_t key = 0; key < builders.size(); ++key) {
    for (const stream::SlotId slot : slots) {
      const std::byte* record = segments.record(slot);
      if (shape_.key_is_null(record, key)) {
        builders[key].append_null();
      } else {
        append_stored(record, shape_.keys()[key], builders[key], opaque_);
      }
    }
  }
}

void KeyedTableImpl::append_field(std::span<const stream::SlotId> slots,
                                  size_t field,
                                  ColumnBuilder& builder) const {
  const SegmentStore& segments = storage_->segments();
  for (const stream::SlotId slot : slots) {
    const std::byte* record = segments.record(slot);
    if (shape_.value_layout().is_null(record, field)) {
      builder.append_null();
    } else {
      append_stored(record, shape_.values()[field], builder, opaque_);
    }
  }
}

}  // namespace thalweg::state
