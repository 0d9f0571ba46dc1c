#pragma once

#include <memory>
#include <string>
#include <vector>

#include "thalweg/formats/avro/value_reader.h"
#include "thalweg/formats/avro/value_writer.h"
#include "thalweg/stream/format.h"

namespace thalweg::formats::avro {

/// A writer's schema with the way from it to a table's columns.
struct DecodePlan {
  /// Throws AvroFault when the schemas don't fit, kInvalidOption when the text is no schema.
  DecodePlan(const std::string& schema_json, const std::vector<Field>& columns, const Node* reader)
      : schema(AvroSchema::parse(schema_json)), record(schema.root(), columns, reader) {}

  AvroSchema schema;
  RecordReader record;
};

/// Reads one record; on an AvroFault, which it lets pass, the builders are as before.
void decode_record(const DecodePlan& plan,
                   std::string_view bytes,
                   std::span<ColumnBuilder> builders);

/// A schema with the way from a table's columns to it.
struct EncodePlan {
  EncodePlan(std::string json, const std::vector<Field>& columns);

  std::string schema_json;
  AvroSchema schema;
  RecordWriter record;
};

/// Appends each row as `header` and Avro's binary encoding.
void encode_rows(const EncodePlan& plan,
                 const Batch& batch,
                 std::string_view header,
                 std::string& bytes,
                 std::vector<size_t>& ends);

/// kBadRecord for what is wrong with one record.
Error bad_record(const std::string& what);

/// Avro's bare records can't be told apart in a file. Throws kNotSupported.
[[noreturn]] void refuse_files();

}  // namespace thalweg::formats::avro
