#include "thalweg/common/error.h"
#include "thalweg/formats/avro/avro_codec.h"
#include "thalweg/formats/avro/avro_confluent_format.h"
#include "thalweg/formats/projected_schema.h"

namespace thalweg::formats {
namespace {

std::vector<stream::OptionSpec> avro_option_specs() {
  return {
      {.key = "encoding",
       .type = stream::OptionType::kEnum,
       .default_value = "binary",
       .description = "The encoding of records.",
       .values = {"binary", "json"}},
      {.key = "codec",
       .description = "The compression of Avro files; has no effect on records of a topic."},
      {.key = "timestamp_mapping.legacy",
       .type = stream::OptionType::kBoolean,
       .default_value = "true",
       .description = "Write TIMESTAMP as timestamp-millis, as older Flinks do; `false` writes "
                      "local-timestamp-* for "
                      "TIMESTAMP and timestamp-* for TIMESTAMP_LTZ."},
  };
}

class PlainDecoder final : public stream::Decoder {
 public:
  PlainDecoder(const std::string& schema_json, const Schema& columns)
      : plan_(schema_json, columns, nullptr) {}

  size_t record_end(std::string_view /*bytes*/) const override { avro::refuse_files(); }

  stream::DecodeResult decode(std::span<const std::string_view> records,
                              std::span<ColumnBuilder> builders,
                              std::vector<int32_t>* rows_per_record,
                              std::vector<RowKind>* kinds) override {
    static_cast<void>(kinds);
    stream::DecodeResult result;
    for (const std::string_view record : records) {
      const bool is_row = record.data() != nullptr;
      try {
        if (is_row) {
          avro::decode_record(plan_, record, builders);
        }
      } catch (const avro::AvroFault& fault) {
        result.failure = avro::bad_record(fault.what);
        return result;
      }
      if (rows_per_record != nullptr) {
        rows_per_record->push_back(is_row ? 1 : 0);
      }
      ++result.records;
    }
    return result;
  }

 private:
  avro::DecodePlan plan_;
};

class PlainEncoder final : public stream::Encoder {
 public:
  PlainEncoder(std::string schema_json, const Schema& columns)
      : plan_(std::move(schema_json), columns) {}

  void encode(const Batch& batch, std::string& bytes, std::vector<size_t>& ends) override {
    avro::encode_rows(plan_, batch, {}, bytes, ends);
  }

  std::string_view record_separator() const override { avro::refuse_files(); }

 private:
  avro::EncodePlan plan_;
};

class AvroFormat final : public stream::FormatFactory {
 public:
  std::string name() const override { return "avro"; }

  std::vector<stream::OptionSpec> option_specs() const override { return avro_option_specs(); }

  std::unique_ptr<stream::Decoder> create_decoder(
      const stream::FormatContext& context) const override {
    return std::make_unique<PlainDecoder>(schema_of(context), projected_schema(context));
  }

  std::unique_ptr<stream::Encoder> create_encoder(
      const stream::FormatContext& context) const override {
    return std::make_unique<PlainEncoder>(schema_of(context), context.schema);
  }

 private:
  static std::string schema_of(const stream::FormatContext& context) {
    const stream::Options options("avro", avro_option_specs(), context.options);
    options.validate();
    if (options.get_string("encoding") != "binary") {
      throw Error(ErrorCode::kNotSupported, "Option 'avro.encoding' = 'json' is not supported")
          .hint("use 'binary'");
    }
    return avro::derive_schema(context.schema,
                               {.legacy = options.get_bool("timestamp_mapping.legacy")});
  }
};

}  // namespace

std::unique_ptr<stream::FormatFactory> make_avro_format() {
  return std::make_unique<AvroFormat>();
}

}  // namespace thalweg::formats
