#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/connectors/kafka/metadata.h"
#include "thalweg/connectors/kafka/outgoing_record.h"
#include "thalweg/stream/format.h"
#include "thalweg/types/batch.h"

namespace thalweg::connectors::kafka {

/// How a sink's rows become records.
struct SinkLayout {
  /// Columns of the rows, in the order in which the formats take them.
  std::vector<size_t> key_columns;
  std::vector<size_t> value_columns;
  /// Columns of written metadata.
  std::optional<size_t> topic_column = std::nullopt;
  std::optional<size_t> timestamp_column = std::nullopt;
  std::optional<size_t> headers_column = std::nullopt;
  /// The key's or value's only column is NULL: the record has none (format raw).
  bool null_key = false;
  bool null_value = false;
  /// A deleted row is a record without a value.
  bool upsert = false;
};

/// Rows to the parts of records. One for each writer; what it returns is valid until the next
/// batch.
class RecordEncoder {
 public:
  /// `key` is null when the table has no key format.
  RecordEncoder(SinkLayout layout,
                std::unique_ptr<stream::Encoder> key,
                std::unique_ptr<stream::Encoder> value);

  void encode(const Batch& batch);

  /// False when the row sends nothing (-U of an upsert stream).
  bool is_sent(int32_t row) const;
  /// Key, value, timestamp and headers of one row of the batch.
  void fill(int32_t row, OutgoingRecord& record) const;
  /// What the `topic` metadata column says, where the table has one.
  std::optional<std::string_view> topic(int32_t row) const;

 private:
  struct Encoded {
    std::string bytes;
    std::vector<size_t> ends;

    void encode(stream::Encoder& encoder, const Batch& batch, const std::vector<size_t>& columns);
    std::string_view record(int32_t row) const;
  };

  void fill_headers(int32_t row, OutgoingRecord& record) const;

  SinkLayout layout_;
  std::unique_ptr<stream::Encoder> key_encoder_;
  std::unique_ptr<stream::Encoder> value_encoder_;
  Batch batch_;
  Encoded keys_;
  Encoded values_;
};

}  // namespace thalweg::connectors::kafka
