#include "thalweg/runtime/checkpoint_manifest.h"

#include "thalweg/common/error.h"
#include "thalweg/state/byte_stream.h"
#include "thalweg/state/crc32c.h"

namespace thalweg::runtime {

namespace {

using state::ByteReader;
using state::ByteWriter;

constexpr std::string_view kMagic = "TWMANIF1";

void put_task(const TaskRecord& task, ByteWriter& writer) {
  writer.put(task.task.vertex);
  writer.put(task.task.subtask);
  writer.put(task.parallelism);
  writer.put(static_cast<uint8_t>(task.finished));
  writer.put_varint(task.operators.size());
  for (const OperatorId id : task.operators) {
    writer.put(id.value);
  }
  writer.put_text(task.state_file);
  writer.put_varint(task.splits.size());
  for (const stream::Split& split : task.splits) {
    writer.put_text(split.id);
    writer.put_text(split.position);
  }
  writer.put_varint(task.committables.size());
  for (const Committables& committables : task.committables) {
    writer.put(committables.checkpoint.value);
    writer.put_varint(committables.items.size());
    for (const std::string& item : committables.items) {
      writer.put_text(item);
    }
  }
}

TaskRecord get_task(ByteReader& reader) {
  TaskRecord task;
  task.task.vertex = reader.get<uint32_t>();
  task.task.subtask = reader.get<int32_t>();
  task.parallelism = reader.get<int32_t>();
  task.finished = reader.get<uint8_t>() != 0;
  for (uint64_t left = reader.get_varint(); left > 0; --left) {
    task.operators.push_back({reader.get<uint32_t>()});
  }
  task.state_file = reader.get_text();
  for (uint64_t left = reader.get_varint(); left > 0; --left) {
    stream::Split split;
    split.id = reader.get_text();
    split.position = reader.get_text();
    task.splits.push_back(std::move(split));
  }
  for (uint64_t left = reader.get_varint(); left > 0; --left) {
    Committables committables;
    committables.checkpoint = {reader.get<uint64_t>()};
    for (uint64_t items = reader.get_varint(); items > 0; --items) {
      committables.items.emplace_back(reader.get_text());
    }
    task.committables.push_back(std::move(committables));
  }
  return task;
}

void put_operator(const OperatorRecord& one, ByteWriter& writer) {
  writer.put(one.id.value);
  writer.put_text(one.name);
  writer.put_varint(one.tables.size());
  for (const TableRecord& table : one.tables) {
    writer.put_text(table.name);
    writer.put_text(table.schema);
  }
}

OperatorRecord get_operator(ByteReader& reader) {
  OperatorRecord one;
  one.id = {reader.get<uint32_t>()};
  one.name = reader.get_text();
  for (uint64_t left = reader.get_varint(); left > 0; --left) {
    TableRecord table;
    table.name = reader.get_text();
    table.schema = reader.get_text();
    one.tables.push_back(std::move(table));
  }
  return one;
}

}  // namespace

std::string encode_manifest(const CheckpointManifest& manifest) {
  std::string bytes(kMagic);
  ByteWriter writer(bytes);
  writer.put(manifest.job.high);
  writer.put(manifest.job.low);
  writer.put_text(manifest.job_name);
  writer.put(manifest.checkpoint.value);
  writer.put(static_cast<uint8_t>(manifest.is_savepoint));
  writer.put(manifest.taken_at_ms);
  writer.put_text(manifest.plan);
  writer.put_varint(manifest.operators.size());
  for (const OperatorRecord& one : manifest.operators) {
    put_operator(one, writer);
  }
  writer.put_varint(manifest.tasks.size());
  for (const TaskRecord& task : manifest.tasks) {
    put_task(task, writer);
  }
  writer.put_varint(manifest.known_splits.size());
  for (const auto& [id, splits] : manifest.known_splits) {
    writer.put(id.value);
    writer.put_varint(splits.size());
    for (const std::string& split : splits) {
      writer.put_text(split);
    }
  }
  writer.put(state::crc32c(bytes));
  return bytes;
}

CheckpointManifest decode_manifest(std::string_view bytes) {
  constexpr size_t kChecksumSize = sizeof(uint32_t);
  if (bytes.size() < kMagic.size() + kChecksumSize || !bytes.starts_with(kMagic)) {
    throw Error(ErrorCode::kRestoreFailed, "The manifest is not one of this version.");
  }
  const std::string_view body = bytes.substr(0, bytes.size() - kChecksumSize);
  if (ByteReader(bytes.substr(body.size())).get<uint32_t>() != state::crc32c(body)) {
    throw Error(ErrorCode::kRestoreFailed, "The manifest is damaged: its checksum does not fit.");
  }
  ByteReader reader(body.substr(kMagic.size()));
  CheckpointManifest manifest;
  manifest.job.high = reader.get<uint64_t>();
  manifest.job.low = reader.get<uint64_t>();
  manifest.job_name = reader.get_text();
  manifest.checkpoint = {reader.get<uint64_t>()};
  manifest.is_savepoint = reader.get<uint8_t>() != 0;
  manifest.taken_at_ms = reader.get<int64_t>();
  manifest.plan = reader.get_text();
  for (uint64_t left = reader.get_varint(); left > 0; --left) {
    manifest.operators.push_back(get_operator(reader));
  }
  for (uint64_t left = reader.get_varint(); left > 0; --left) {
    manifest.tasks.push_back(get_task(reader));
  }
  for (uint64_t left = reader.get_varint(); left > 0; --left) {
    std::set<std::string>& splits = manifest.known_splits[{reader.get<uint32_t>()}];
    for (uint64_t count = reader.get_varint(); count > 0; --count) {
      splits.emplace(reader.get_text());
    }
  }
  return manifest;
}

}  // namespace thalweg::runtime
