// How a table is read: keys and fields into columns, slots in the order of their keys.

#include "thalweg/common/check.h"
#include "thalweg/state/field_read.h"
#include "thalweg/state/keyed_table_impl.h"
#include "thalweg/types/text_rank.h"

namespace thalweg::state {

namespace {

template <typename T>
void sort_by_number(const SegmentStore& segments,
                    const TableShape& shape,
                    std::span<stream::SlotId> slots) {
  struct Item {
    T key;
    int64_t name_space;
    stream::SlotId slot;
  };

  std::vector<Item> items;
  items.reserve(slots.size());
  const size_t offset = shape.keys()[0].offset;
  for (const stream::SlotId slot : slots) {
    const std::byte* record = segments.record(slot);
    Item item{};
    std::memcpy(&item.key, record + offset, sizeof(T));
    item.name_space = shape.has_namespace() ? shape.name_space(record) : 0;
    item.slot = slot;
    items.push_back(item);
  }
  std::sort(items.begin(), items.end(), [](const Item& left, const Item& right) {
    return left.key != right.key ? left.key < right.key : left.name_space < right.name_space;
  });
  for (size_t i = 0; i < slots.size(); ++i) {
    slots[i] = items[i].slot;
  }
}

void sort_by_text(const SegmentStore& segments,
                  const TableShape& shape,
                  std::span<stream::SlotId> slots) {
  struct Item {
    TextRank rank;
    stream::SlotId slot;
  };

  const size_t offset = shape.keys()[0].offset;
  const auto text_of = [&](stream::SlotId slot) {
    StringView text;
    std::memcpy(&text, segments.record(slot) + offset, sizeof(text));
    return text;
  };
  const auto name_space_of = [&](stream::SlotId slot) {
    return shape.has_namespace() ? shape.name_space(segments.record(slot)) : 0;
  };
  std::vector<Item> items;
  items.reserve(slots.size());
  for (const stream::SlotId slot : slots) {
    items.push_back({TextRank(text_of(slot)), slot});
  }
  std::sort(items.begin(), items.end(), [&](const Item& left, const Item& right) {
    if (left.rank != right.rank) {
      return left.rank < right.rank;
    }
    const StringView left_text = text_of(left.slot);
    const StringView right_text = text_of(right.slot);
    return left_text == right_text ? name_space_of(left.slot) < name_space_of(right.slot)
                                   : left_text < right_text;
  });
  for (size_t i = 0; i < slots.size(); ++i) {
    slots[i] = items[i].slot;
  }
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
