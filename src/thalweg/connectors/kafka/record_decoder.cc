#include "thalweg/connectors/kafka/record_decoder.h"

#include <algorithm>
#include <numeric>

#include "thalweg/types/column_operations.h"

namespace thalweg::connectors::kafka {
namespace {

std::string_view bytes_of(const void* data, size_t size) {
  return {static_cast<const char*>(data), size};
}

/// The first `size` rows of every column.
std::vector<ColumnPtr> finish(std::vector<ColumnBuilder>& builders, int32_t size) {
  std::vector<ColumnPtr> columns;
  columns.reserve(builders.size());
  for (ColumnBuilder& builder : builders) {
    ColumnPtr column = builder.finish();
    columns.push_back(column->size() == size ? std::move(column) : slice_column(column, 0, size));
  }
  return columns;
}

int32_t sum(const std::vector<int32_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0);
}

}  // namespace

RecordDecoder::RecordDecoder(SourceLayout layout,
                             std::unique_ptr<stream::Decoder> key,
                             std::unique_ptr<stream::Decoder> value,
                             bool carries_changes)
    : layout_(std::move(layout)),
      key_decoder_(std::move(key)),
      value_decoder_(std::move(value)),
      carries_changes_(carries_changes),
      key_builders_(make_builders(layout_.key.schema)),
      value_builders_(make_builders(layout_.value.schema)) {}

DecodedRecords RecordDecoder::decode(const TopicPartition& partition,
                                     std::span<const rd_kafka_message_t* const> messages) {
  DecodedRecords result;
  result.taken = messages.size();
  if (key_decoder_ != nullptr) {
    decode_keys(messages, result);
  }
  decode_values(messages.first(result.taken), result);
  const auto taken = messages.first(result.taken);
  result.batch = rows_match_messages(taken.size()) ? assemble_aligned(partition, taken)
                                                   : assemble_joined(partition, taken);
  return result;
}

void RecordDecoder::decode_keys(std::span<const rd_kafka_message_t* const> messages,
                                DecodedRecords& result) {
  records_.clear();
  key_rows_.clear();
  for (const rd_kafka_message_t* message : messages) {
    records_.push_back(bytes_of(message->key, message->key_len));
  }
  stream::DecodeResult decoded = key_decoder_->decode(records_, key_builders_, &key_rows_, nullptr);
  if (decoded.failure) {
    result.taken = static_cast<size_t>(decoded.records);
    result.failure = std::move(decoded.failure);
  }
  result.skipped += decoded.skipped;
  key_rows_.resize(result.taken);
}

void RecordDecoder::decode_values(std::span<const rd_kafka_message_t* const> messages,
                                  DecodedRecords& result) {
  records_.clear();
  value_rows_.clear();
  kinds_.clear();
  tombstones_.assign(layout_.upsert ? messages.size() : 0, false);
  has_tombstones_ = false;
  for (size_t i = 0; i < messages.size(); ++i) {
    if (layout_.upsert && messages[i]->payload == nullptr) {
      tombstones_[i] = has_tombstones_ = true;
      continue;
    }
    records_.push_back(bytes_of(messages[i]->payload, messages[i]->len));
  }
  stream::DecodeResult decoded = value_decoder_->decode(
      records_, value_builders_, &value_rows_, carries_changes_ ? &kinds_ : nullptr);
  result.skipped += decoded.skipped;
  if (!decoded.failure) {
    return;
  }
  // The failed record's number counts no tombstones; the message's number does.
  size_t taken = 0;
  for (int64_t left = decoded.records; left > 0 || (has_tombstones_ && tombstones_[taken]);
       ++taken) {
    left -= has_tombstones_ && tombstones_[taken] ? 0 : 1;
  }
  result.taken = taken;
  result.failure = std::move(decoded.failure);
  value_rows_.resize(static_cast<size_t>(decoded.records));
}

bool RecordDecoder::rows_match_messages(size_t count) const {
  const auto one_each = [](const std::vector<int32_t>& rows, size_t size) {
    return rows.size() >= size && std::all_of(rows.begin(),
                                              rows.begin() + static_cast<std::ptrdiff_t>(size),
                                              [](int32_t n) { return n == 1; });
  };
  return !has_tombstones_ && one_each(value_rows_, count) &&
         (key_decoder_ == nullptr || one_each(key_rows_, count));
}

Batch RecordDecoder::assemble_aligned(const TopicPartition& partition,
                                      std::span<const rd_kafka_message_t* const> messages) {
  const auto size = static_cast<int32_t>(messages.size());
  std::vector<ColumnPtr> rows(layout_.physical_count);
  place(layout_.key, finish(key_builders_, size), rows);
  place(layout_.value, finish(value_builders_, size), rows);
  for (const MetadataKind kind : layout_.metadata) {
    rows.push_back(metadata_column(kind, partition, messages));
  }
  Batch batch(size, std::move(rows));
  if (carries_changes_) {
    batch.set_kinds(std::move(kinds_));
  } else if (layout_.upsert) {
    batch.set_kinds(std::vector<RowKind>(messages.size(), RowKind::kUpdateAfter));
  }
  return batch;
}

RecordDecoder::RowSources RecordDecoder::join_rows(size_t count) {
  RowSources sources;
  int32_t key_begin = 0;
  int32_t value_begin = 0;
  size_t record = 0;
  for (size_t message = 0; message < count; ++message) {
    const bool deletes = has_tombstones_ && tombstones_[message];
    const int32_t keys = key_decoder_ == nullptr ? 1 : key_rows_[message];
    const int32_t values = deletes ? 1 : value_rows_[record++];
    for (int32_t value = 0; value < values; ++value) {
      for (int32_t key = 0; key < keys; ++key) {
        sources.keys.push_back(key_begin + key);
        sources.values.push_back(deletes ? -1 : value_begin + value);
        sources.messages.push_back(static_cast<int32_t>(message));
      }
    }
    key_begin += keys;
    value_begin += deletes ? 0 : values;
  }
  return sources;
}

Batch RecordDecoder::assemble_joined(const TopicPartition& partition,
                                     std::span<const rd_kafka_message_t* const> messages) {
  const RowSources sources = join_rows(messages.size());
  std::vector<ColumnPtr> keys = finish(key_builders_, sum(key_rows_));
  std::vector<ColumnPtr> values = finish(value_builders_, sum(value_rows_));
  for (ColumnPtr& column : keys) {
    column = gather(column, sources.keys);
  }
  for (ColumnPtr& column : values) {
    column = gather(column, sources.values);
  }
  std::vector<ColumnPtr> rows(layout_.physical_count);
  // Under a tombstone only the key says anything.
  place(layout_.key, std::vector<ColumnPtr>(keys), rows);
  place(layout_.value, std::move(values), rows);
  if (layout_.upsert) {
    place(layout_.key, std::move(keys), rows);
  }
  for (const MetadataKind kind : layout_.metadata) {
    rows.push_back(gather(metadata_column(kind, partition, messages), sources.messages));
  }
  Batch batch(static_cast<int32_t>(sources.messages.size()), std::move(rows));
  if (carries_changes_ || layout_.upsert) {
    std::vector<RowKind> kinds;
    for (const int32_t value : sources.values) {
      kinds.push_back(value < 0          ? RowKind::kDelete
                      : carries_changes_ ? kinds_[static_cast<size_t>(value)]
                                         : RowKind::kUpdateAfter);
    }
    batch.set_kinds(std::move(kinds));
  }
  return batch;
}

void RecordDecoder::place(const FormatFields& fields,
                          std::vector<ColumnPtr>&& columns,
                          std::vector<ColumnPtr>& rows) const {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (fields.outputs[i] != FormatFields::kUnused) {
      rows[fields.outputs[i]] = std::move(columns[i]);
    }
  }
}

}  // namespace thalweg::connectors::kafka
