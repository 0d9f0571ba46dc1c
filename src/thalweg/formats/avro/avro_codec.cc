#include "thalweg/formats/avro/avro_codec.h"

#include "thalweg/common/error.h"

namespace thalweg::formats::avro {
namespace {

const AvroSchema& checked_record(const AvroSchema& schema) {
  if (schema.root().kind != NodeKind::kRecord) {
    throw Error(ErrorCode::kInvalidOption,
                "Avro schema does not fit the table: it is a " + describe(schema.root()) +
                    ", not a record");
  }
  return schema;
}

}  // namespace

void decode_record(const DecodePlan& plan,
                   std::string_view bytes,
                   std::span<ColumnBuilder> builders) {
  const int32_t rows = builders.empty() ? 0 : builders[0].size();
  AvroInput in(bytes);
  try {
    plan.record.read(in, [&](size_t column) -> ColumnBuilder& { return builders[column]; });
  } catch (const AvroFault&) {
    for (ColumnBuilder& builder : builders) {
      builder.truncate(rows);
    }
    throw;
  }
}

EncodePlan::EncodePlan(std::string json, const std::vector<Field>& columns)
    : schema_json(std::move(json)),
      schema(AvroSchema::parse(schema_json)),
      record(checked_record(schema).root(), columns, "") {}

void encode_rows(const EncodePlan& plan,
                 const Batch& batch,
                 std::string_view header,
                 std::string& bytes,
                 std::vector<size_t>& ends) {
  for (int32_t row = 0; row < batch.row_count(); ++row) {
    bytes += header;
    plan.record.write(
        [&](size_t column) -> const Column& { return batch.column(column); }, row, bytes);
    ends.push_back(bytes.size());
  }
}

Error bad_record(const std::string& what) {
  return {ErrorCode::kBadRecord, "Failed to deserialize Avro record: " + what};
}

void refuse_files() {
  throw Error(ErrorCode::kNotSupported,
              "Files of the formats 'avro' and 'avro-confluent' are not supported: their records "
              "have no ends of their own")
      .hint("use 'json' or 'csv' for files; Avro is for Kafka");
}

}  // namespace thalweg::formats::avro
