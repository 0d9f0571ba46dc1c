#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <librdkafka/rdkafka.h>

#include "thalweg/connectors/kafka/metadata.h"
#include "thalweg/stream/format.h"
#include "thalweg/types/batch.h"

namespace thalweg::connectors::kafka {

/// The fields that one format reads, and where each goes in the source's rows.
struct FormatFields {
  static constexpr size_t kUnused = SIZE_MAX;

  Schema schema;
  /// For each field of `schema`, a column of the source's rows or kUnused.
  std::vector<size_t> outputs;
};

/// How key, value and metadata make up the rows of a source. Metadata follow the other columns.
struct SourceLayout {
  FormatFields key;
  FormatFields value;
  std::vector<MetadataKind> metadata;
  /// Columns before the metadata.
  size_t physical_count = 0;
  /// Rows are an upsert stream: a record without a value deletes its key.
  bool upsert = false;
};

struct DecodedRecords {
  Batch batch;
  /// Messages taken; the one after them failed when `failure` is set.
  size_t taken = 0;
  int64_t skipped = 0;
  std::optional<Error> failure = std::nullopt;
};

/// Messages of one partition to rows: each row of the key joined with each row of the value, and
/// the metadata. One for each reader.
class RecordDecoder {
 public:
  /// `key` is null when the table has no key format. `carries_changes`: the value's format gives
  /// row kinds.
  RecordDecoder(SourceLayout layout,
                std::unique_ptr<stream::Decoder> key,
                std::unique_ptr<stream::Decoder> value,
                bool carries_changes);

  DecodedRecords decode(const TopicPartition& partition,
                        std::span<const rd_kafka_message_t* const> messages);

 private:
  /// Which row of the key, which of the value and which message each row of the result comes from;
  /// -1 gives NULL.
  struct RowSources {
    std::vector<int32_t> keys;
    std::vector<int32_t> values;
    std::vector<int32_t> messages;
  };

  void decode_keys(std::span<const rd_kafka_message_t* const> messages, DecodedRecords& result);
  void decode_values(std::span<const rd_kafka_message_t* const> messages, DecodedRecords& result);
  bool rows_match_messages(size_t count) const;
  RowSources join_rows(size_t count);
  Batch assemble_aligned(const TopicPartition& partition,
                         std::span<const rd_kafka_message_t* const> messages);
  Batch assemble_joined(const TopicPartition& partition,
                        std::span<const rd_kafka_message_t* const> messages);
  void place(const FormatFields& fields,
             std::vector<ColumnPtr>&& columns,
             std::vector<ColumnPtr>& rows) const;

  SourceLayout layout_;
  std::unique_ptr<stream::Decoder> key_decoder_;
  std::unique_ptr<stream::Decoder> value_decoder_;
  bool carries_changes_;

  // Of the present call; kept for their storage.
  std::vector<ColumnBuilder> key_builders_;
  std::vector<ColumnBuilder> value_builders_;
  std::vector<std::string_view> records_;
  std::vector<int32_t> key_rows_;
  std::vector<int32_t> value_rows_;
  std::vector<RowKind> kinds_;
  std::vector<bool> tombstones_;
  bool has_tombstones_ = false;
};

}  // namespace thalweg::connectors::kafka
