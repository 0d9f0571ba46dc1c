#include "thalweg/state/restored_state.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/state/byte_stream.h"
#include "thalweg/state/table_snapshot.h"
#include "thalweg/state/value_codec.h"

namespace thalweg::state {

namespace {

/// Calls `use(frame)` for each frame of one operator and kind.
template <typename Use>
void for_each_frame(const std::vector<std::shared_ptr<const StateFile>>& files,
                    OperatorId id,
                    FrameKind kind,
                    Use&& use) {
  for (const auto& file : files) {
    for (const StateFile::Frame& frame : file->frames()) {
      if (frame.operator_id == id && frame.kind == kind) {
        use(frame);
      }
    }
  }
}

void append_plain(ByteReader& reader, size_t width, ColumnBuilder& builder) {
  switch (width) {
    case 1:
      return builder.append(reader.get<uint8_t>());
    case 2:
      return builder.append(reader.get<uint16_t>());
    case 4:
      return builder.append(reader.get<uint32_t>());
    case 8:
      return builder.append(reader.get<uint64_t>());
    default:
      return builder.append(reader.get<Int128>());
  }
}

/// Reads the entries of one frame into a table.
class EntryReader {
 public:
  EntryReader(KeyedTableImpl& table, std::string_view body) : table_(table), frame_(body) {
    frame_.get_text();
    frame_.get<uint16_t>();
    count_ = frame_.get<uint32_t>();
  }

  void read() {
    read_keys();
    read_namespaces();
    slots_.resize(count_);
    records_.resize(count_);
    stream::KeyBatch keys;
    keys.columns = columns_;
    keys.namespaces = namespaces_;
    table_.find_or_insert(keys, slots_, records_, {});
    ByteReader values(frame_.get_text());
    for (size_t i = 0; i < count_; ++i) {
      read_value(values, table_.storage().segments().record(slots_[i]));
      read_timers(values, slots_[i], table_.event_timers());
      read_timers(values, slots_[i], table_.processing_timers());
    }
  }

 private:
  void read_keys() {
    const TableShape& shape = table_.storage().shape();
    std::vector<ColumnBuilder> builders = make_builders(table_.spec().key);
    ByteReader reader(frame_.get_text());
    for (size_t i = 0; i < count_; ++i) {
      for (size_t key = 0; key < builders.size(); ++key) {
        const FieldShape& field = shape.keys()[key];
        if (field.nullable && reader.get<uint8_t>() != 0) {
          builders[key].append_null();
        } else if (field.storage == FieldStorage::kPlain) {
          append_plain(reader, field.width, builders[key]);
        } else if (field.storage == FieldStorage::kText) {
          builders[key].append_string(reader.get_text());
        } else {
          decode_value(reader.get_text(), builders[key], table_.opaque());
        }
      }
    }
    for (ColumnBuilder& builder : builders) {
      columns_.push_back(builder.finish());
    }
  }

  void read_namespaces() {
    ByteReader reader(frame_.get_text());
    if (table_.spec().has_namespace) {
      namespaces_.resize(count_);
      for (int64_t& name_space : namespaces_) {
        name_space = reader.get<int64_t>();
      }
    }
  }

  void read_value(ByteReader& reader, std::byte* record) {
    const TableShape& shape = table_.storage().shape();
    for (size_t i = 0; i < shape.values().size(); ++i) {
      const FieldShape& field = shape.values()[i];
      std::byte* place = record + field.offset;
      if (field.storage == FieldStorage::kObject) {
        if (reader.get<uint8_t>() != 0) {
          const stream::StateObjectKind& kind = *table_.spec().value[i].object;
          table_.storage().put_object(place, kind.restore(reader.get_text()));
        }
      } else if (field.nullable && reader.get<uint8_t>() != 0) {
        shape.value_layout().set_null(record, i, true);
      } else if (field.storage == FieldStorage::kPlain) {
        std::memcpy(place, reader.take(field.width), field.width);
      } else {
        table_.storage().assign_text(place, reader.get_text());
      }
    }
    if (shape.has_ttl()) {
      shape.set_last_write(record, reader.get<int64_t>());
    }
  }

  static void read_timers(ByteReader& reader, stream::SlotId slot, TimerBuckets& timers) {
    const uint64_t count = reader.get_varint();
    for (uint64_t i = 0; i < count; ++i) {
      timers.add(reader.get<int64_t>(), slot);
    }
  }

  KeyedTableImpl& table_;
  ByteReader frame_;
  uint32_t count_ = 0;
  std::vector<ColumnPtr> columns_;
  std::vector<int64_t> namespaces_;
  std::vector<stream::SlotId> slots_;
  std::vector<std::byte*> records_;
};

void add_name(std::vector<std::string>& names, std::string_view name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    names.emplace_back(name);
  }
}

}  // namespace

bool RestoredState::has_table(const stream::StateSpec& spec) const {
  bool found = false;
  for_each_frame(files_, id_, FrameKind::kTable, [&](const StateFile::Frame& frame) {
    ByteReader reader(frame.body);
    if (reader.get_text() != spec.name) {
      return;
    }
    found = true;
    const std::string_view stored = reader.get_text();
    if (stored != describe_schema(spec)) {
      throw Error(ErrorCode::kRestoreFailed,
                  fmt::format("State '{}' was saved as {} but the job declares {}",
                              spec.name,
                              stored,
                              describe_schema(spec)))
          .hint("resume with the statements that the checkpoint was taken with, or start fresh");
    }
  });
  return found;
}

void RestoredState::fill(KeyedTableImpl& table, KeyGroupRange range) const {
  for_each_frame(files_, id_, FrameKind::kEntries, [&](const StateFile::Frame& frame) {
    ByteReader reader(frame.body);
    if (reader.get_text() == table.spec().name && range.contains({reader.get<uint16_t>()})) {
      EntryReader(table, frame.body).read();
    }
  });
}

std::vector<std::string> RestoredState::list(const std::string& name) const {
  std::vector<std::string> items;
  for_each_frame(files_, id_, FrameKind::kList, [&](const StateFile::Frame& frame) {
    ByteReader reader(frame.body);
    if (reader.get_text() != name) {
      return;
    }
    const uint64_t count = reader.get_varint();
    for (uint64_t i = 0; i < count; ++i) {
      items.emplace_back(reader.get_text());
    }
  });
  return items;
}

std::vector<std::string> RestoredState::table_names() const {
  std::vector<std::string> names;
  for_each_frame(files_, id_, FrameKind::kTable, [&](const StateFile::Frame& frame) {
    add_name(names, ByteReader(frame.body).get_text());
  });
  return names;
}

std::vector<std::string> RestoredState::list_names() const {
  std::vector<std::string> names;
  for_each_frame(files_, id_, FrameKind::kList, [&](const StateFile::Frame& frame) {
    add_name(names, ByteReader(frame.body).get_text());
  });
  return names;
}

std::vector<OperatorId> operators_in(const StateFile& file) {
  std::vector<OperatorId> ids;
  for (const StateFile::Frame& frame : file.frames()) {
    if (std::find(ids.begin(), ids.end(), frame.operator_id) == ids.end()) {
      ids.push_back(frame.operator_id);
    }
  }
  return ids;
}

}  // namespace thalweg::state
