#include "thalweg/state/table_snapshot.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/common/ids.h"
#include "thalweg/state/byte_stream.h"
#include "thalweg/state/field_read.h"
#include "thalweg/stream/batched_state_object.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::state {

namespace {

constexpr size_t kFrameBytes = size_t{16} << 10U;

StringView text_at(const std::byte* place) {
  StringView view;
  std::memcpy(&view, place, sizeof(view));
  return view;
}

void put_object(const std::byte* place, ByteWriter& writer) {
  const ObjectBox* box = box_at(place);
  writer.put(static_cast<uint8_t>(box != nullptr));
  if (box != nullptr) {
    std::string bytes;
    box->object->serialize(bytes);
    writer.put_text(bytes);
  }
}

void put_field(const std::byte* record, const FieldShape& field, bool null, ByteWriter& writer) {
  const std::byte* place = record + field.offset;
  if (field.storage == FieldStorage::kObject) {
    put_object(place, writer);
    return;
  }
  if (field.nullable) {
    writer.put(static_cast<uint8_t>(null));
    if (null) {
      return;
    }
  }
  if (field.storage == FieldStorage::kPlain) {
    writer.put_raw(place, field.width);
  } else {
    writer.put_text(text_at(place).view());
  }
}

}  // namespace

std::string describe_schema(const stream::StateSpec& spec) {
  std::string text = "key (";
  const auto add = [&text](const std::string& name, const DataType& type, std::string_view object) {
    if (text.back() != '(') {
      text += ", ";
    }
    text += fmt::format("{} {}", quote_identifier(name), type.to_serializable_string());
    if (!object.empty()) {
      text += fmt::format(" AS {}", object);
    }
  };
  for (const Field& field : spec.key) {
    add(field.name, field.type, {});
  }
  text += spec.has_namespace ? ") namespace value (" : ") value (";
  for (const stream::StateField& field : spec.value) {
    add(field.name, field.type, field.object == nullptr ? std::string_view{} : field.object->name);
  }
  return text + (spec.ttl_ms ? ") ttl" : ")");
}

TableSnapshot::TableSnapshot(stream::StateSpec spec,
                             std::shared_ptr<const OpaqueOperations> opaque,
                             Content content)
    : spec_(std::move(spec)),
      opaque_(std::move(opaque)),
      content_(std::move(content)),
      groups_(kKeyGroups) {}

TableSnapshot::~TableSnapshot() {
  content_.event_timers->finish();
  content_.processing_timers->finish();
  content_.frozen->finish();
}

void TableSnapshot::write(StateFileWriter& writer) {
  event_timers_.entries = content_.event_timers->settled();
  content_.event_timers->finish();
  processing_timers_.entries = content_.processing_timers->settled();
  content_.processing_timers->finish();
  std::string head;
  ByteWriter head_writer(head);
  head_writer.put_text(spec_.name);
  head_writer.put_text(describe_schema(spec_));
  writer.write_frame(FrameKind::kTable, head);
  FrozenStore::Run run;
  for (size_t i = 0; i < content_.frozen->run_count(); ++i) {
    if (content_.frozen->is_cancelled()) {
      throw Error(ErrorCode::kCheckpointFailed, "A checkpoint was overtaken by the next one.");
    }
    content_.frozen->read(i, run);
    write_run(run, writer);
  }
  content_.frozen->finish();
  for (uint16_t number = 0; number < kKeyGroups; ++number) {
    if (groups_[number].count > 0) {
      write_group(number, groups_[number], writer);
    }
  }
}

std::vector<size_t> TableSnapshot::live_records(const FrozenStore::Run& run) const {
  const TableShape& shape = content_.storage->shape();
  std::vector<size_t> live;
  for (size_t i = 0; i < run.heads.size(); ++i) {
    if ((run.heads[i].generation & 1U) == 0) {
      continue;
    }
    const std::byte* record = run.records.data() + i * shape.stride();
    if (shape.has_ttl() && shape.last_write(record) + *spec_.ttl_ms <= content_.now_ms) {
      continue;
    }
    live.push_back(i);
  }
  return live;
}

std::vector<uint64_t> TableSnapshot::hash_keys(const FrozenStore::Run& run,
                                               std::span<const size_t> live) {
  const TableShape& shape = content_.storage->shape();
  std::vector<ColumnPtr> columns;
  for (size_t key = 0; key < shape.keys().size(); ++key) {
    ColumnBuilder builder(spec_.key[key].type);
    for (const size_t index : live) {
      const std::byte* record = run.records.data() + index * shape.stride();
      if (shape.key_is_null(record, key)) {
        builder.append_null();
      } else {
        append_stored(record, shape.keys()[key], builder, opaque_);
      }
    }
    columns.push_back(builder.finish());
  }
  std::vector<uint64_t> hashes(live.size());
  hash_rows(columns, hashes);
  return hashes;
}

std::shared_ptr<void> TableSnapshot::hold_objects(const FrozenStore::Run& run,
                                                  std::span<const size_t> live) const {
  const TableShape& shape = content_.storage->shape();
  for (const size_t index : live) {
    const std::byte* record = run.records.data() + index * shape.stride();
    for (const FieldShape& field : shape.values()) {
      if (field.storage != FieldStorage::kObject || box_at(record + field.offset) == nullptr) {
        continue;
      }
      const auto* batched = dynamic_cast<const stream::BatchedStateObject*>(
          box_at(record + field.offset)->object.get());
      if (batched != nullptr) {
        return batched->hold();
      }
    }
  }
  return nullptr;
}

void TableSnapshot::write_run(const FrozenStore::Run& run, StateFileWriter& writer) {
  const std::vector<size_t> live = live_records(run);
  const std::vector<uint64_t> hashes = hash_keys(run, live);
  const std::shared_ptr<void> hold = hold_objects(run, live);
  for (size_t i = 0; i < live.size(); ++i) {
    const uint16_t number = key_group_of(hashes[i]).value;
    Group& group = groups_[number];
    write_entry(run, live[i], group);
    if (group.keys.size() + group.values.size() >= kFrameBytes) {
      write_group(number, group, writer);
    }
  }
}

void TableSnapshot::write_entry(const FrozenStore::Run& run, size_t index, Group& group) {
  const TableShape& shape = content_.storage->shape();
  const std::byte* record = run.records.data() + index * shape.stride();
  ++group.count;
  ByteWriter keys(group.keys);
  for (size_t key = 0; key < shape.keys().size(); ++key) {
    put_field(record, shape.keys()[key], shape.key_is_null(record, key), keys);
  }
  if (shape.has_namespace()) {
    ByteWriter(group.namespaces).put(shape.name_space(record));
  }
  ByteWriter values(group.values);
  for (size_t field = 0; field < shape.values().size(); ++field) {
    put_field(record, shape.values()[field], shape.value_layout().is_null(record, field), values);
  }
  if (shape.has_ttl()) {
    values.put(shape.last_write(record));
  }
  const stream::SlotId slot = run.first + static_cast<stream::SlotId>(index);
  write_timers(event_timers_, slot, run.heads[index].generation, group);
  write_timers(processing_timers_, slot, run.heads[index].generation, group);
}

void TableSnapshot::write_timers(TimerCursor& cursor,
                                 stream::SlotId slot,
                                 uint32_t generation,
                                 Group& group) {
  // Runs come in the order of slots, so the cursor only goes forward.
  const std::vector<FrozenTimers::Entry>& entries = cursor.entries;
  while (cursor.next < entries.size() && entries[cursor.next].slot < slot) {
    ++cursor.next;
  }
  std::vector<int64_t> times;
  for (; cursor.next < entries.size() && entries[cursor.next].slot == slot; ++cursor.next) {
    if (entries[cursor.next].generation == generation) {
      times.push_back(entries[cursor.next].time_ms);
    }
  }
  ByteWriter writer(group.values);
  writer.put_varint(times.size());
  for (const int64_t time : times) {
    writer.put(time);
  }
}

void TableSnapshot::write_group(uint16_t number, Group& group, StateFileWriter& writer) {
  std::string body;
  ByteWriter body_writer(body);
  body_writer.put_text(spec_.name);
  body_writer.put(number);
  body_writer.put(group.count);
  body_writer.put_text(group.keys);
  body_writer.put_text(group.namespaces);
  body_writer.put_text(group.values);
  writer.write_frame(FrameKind::kEntries, body);
  group.count = 0;
  group.keys.clear();
  group.namespaces.clear();
  group.values.clear();
}

}  // namespace thalweg::state
