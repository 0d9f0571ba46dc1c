#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/stream/changelog_mode.h"
#include "thalweg/stream/option.h"
#include "thalweg/types/batch.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::stream {

/// What became of some records: how many were read whole, and the one that failed.
struct DecodeResult {
  /// Records consumed, the failed one not counted.
  int64_t records = 0;
  /// Records (or lines) skipped because the options say so.
  int64_t skipped = 0;
  /// The record after `records` can't be read: rows before it are good and in the builders.
  std::optional<Error> failure = std::nullopt;
};

/// Bytes to rows. One for each reader; keeps buffers between calls. Does no I/O.
class Decoder {
 public:
  virtual ~Decoder() = default;

  /// Appends the rows of each record to `builders` (one for each field of the schema it was made
  /// for); a record gives one row, none (skipped, a tombstone) or several. `rows_per_record`, when
  /// given, gets the number for each. `kinds`, when given, gets each row's kind (formats that carry
  /// changes).
  virtual DecodeResult decode(std::span<const std::string_view> records,
                              std::span<ColumnBuilder> builders,
                              std::vector<int32_t>* rows_per_record,
                              std::vector<RowKind>* kinds) = 0;

  /// For files: the end of the record that starts at the front of `bytes` (its terminator
  /// included), or npos when it is not complete. Lines by default; CSV looks into quotes.
  virtual size_t record_end(std::string_view bytes) const;
};

/// Rows to bytes. One for each writer.
class Encoder {
 public:
  virtual ~Encoder() = default;
  /// Appends one encoded record for each row of `batch` (columns by the schema it was made for):
  /// the bytes to `bytes`, the end of each record to `ends`.
  virtual void encode(const Batch& batch, std::string& bytes, std::vector<size_t>& ends) = 0;

  /// Between two records of a file.
  virtual std::string_view record_separator() const { return "\n"; }
};

/// The registry of a Confluent-framed format, as its client offers it. Thread-safe.
class SchemaRegistry {
 public:
  virtual ~SchemaRegistry() = default;
  virtual int32_t register_schema(const std::string& subject, const std::string& schema_json) = 0;
  virtual std::string schema_by_id(int32_t id) = 0;
};

/// What a format is made for.
struct FormatContext {
  Schema schema;
  OptionMap options;  // without the format's prefix
  /// Session zone for TIMESTAMP_LTZ texts.
  std::string time_zone = "UTC";
  /// Kafka: the topic, and whether this is the key's format (subject names).
  std::string topic = {};
  bool is_key = false;
  /// For decoders: the fields of `schema` that are wanted, as ascending indices; there is a builder
  /// for each of these only. Formats that find values by position need the whole schema all the
  /// same.
  std::optional<std::vector<int32_t>> projection = std::nullopt;
  /// As TableContext::resolve_address, for formats that talk to a schema registry.
  std::function<std::string(const std::string& address)> resolve_address = {};
};

class FormatFactory {
 public:
  virtual ~FormatFactory() = default;
  virtual std::string name() const = 0;
  virtual std::vector<OptionSpec> option_specs() const = 0;

  virtual ChangelogMode changelog_mode() const { return ChangelogMode::insert_only(); }

  /// Values inside of ROWs are found by name: a decoder may be made for rows with some fields only.
  virtual bool finds_fields_by_name() const { return false; }

  /// Throws kUnsupportedFormatType and option errors.
  virtual std::unique_ptr<Decoder> create_decoder(const FormatContext& context) const = 0;
  virtual std::unique_ptr<Encoder> create_encoder(const FormatContext& context) const = 0;
};

}  // namespace thalweg::stream
