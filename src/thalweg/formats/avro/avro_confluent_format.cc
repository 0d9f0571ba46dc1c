#include "thalweg/formats/avro/avro_confluent_format.h"

#include <unordered_map>

#include "thalweg/common/error.h"
#include "thalweg/formats/avro/avro_codec.h"
#include "thalweg/formats/projected_schema.h"

namespace thalweg::formats {
namespace {

constexpr size_t kHeaderSize = 5;  // a zero byte and the schema's id

std::vector<stream::OptionSpec> confluent_option_specs() {
  return {
      {.key = "url",
       .required = true,
       .description = "Address of the schema registry, several separated by commas.",
       .fallback_keys = {"schema-registry.url"}},
      {.key = "subject",
       .description = "Subject under which a sink registers its schema; `<topic>-value` or "
                      "`<topic>-key` unless given.",
       .fallback_keys = {"schema-registry.subject"}},
      {.key = "schema",
       .description = "The Avro schema to write or expect; derived from the table unless given."},
      {.key = "basic-auth.credentials-source",
       .description = "`USER_INFO` (the option below) or `URL` (in the address)."},
      {.key = "basic-auth.user-info", .description = "`user:password`."},
      {.key = "bearer-auth.credentials-source", .description = "`STATIC_TOKEN`."},
      {.key = "bearer-auth.token", .description = "The token."},
      {.key = "ssl.keystore.location", .description = "Key store with the client's certificate."},
      {.key = "ssl.keystore.password", .description = "Its password."},
      {.key = "ssl.truststore.location",
       .description = "Trust store with the authorities to accept."},
      {.key = "ssl.truststore.password", .description = "Its password."},
  };
}

stream::Options checked_options(const stream::FormatContext& context) {
  stream::Options options("avro-confluent", confluent_option_specs(), context.options);
  options.validate({"properties."});
  return options;
}

/// Looks up each writer's schema once. A registry that fails is no fault of the record: it fails
/// the job under its own code.
class ConfluentDecoder final : public stream::Decoder {
 public:
  ConfluentDecoder(std::shared_ptr<stream::SchemaRegistry> registry,
                   Schema columns,
                   const std::optional<std::string>& reader)
      : registry_(std::move(registry)), columns_(std::move(columns)) {
    if (reader) {
      reader_.emplace(avro::AvroSchema::parse(*reader));
    }
  }

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
          const avro::DecodePlan& plan = plan_for(record);
          avro::decode_record(plan, record.substr(kHeaderSize), builders);
        }
      } catch (const avro::AvroFault& fault) {
        result.failure = avro::bad_record(fault.what);
      } catch (const Error& error) {
        result.failure = error;
      }
      if (result.failure) {
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
  const avro::DecodePlan& plan_for(std::string_view record) {
    if (record.size() < kHeaderSize || record[0] != '\0') {
      throw avro::AvroFault{
          "it does not begin with a zero byte and a schema id, so it was not written for a schema "
          "registry"};
    }
    int32_t id = 0;
    for (size_t i = 1; i < kHeaderSize; ++i) {
      id = static_cast<int32_t>(static_cast<uint32_t>(id) << 8U |
                                static_cast<unsigned char>(record[i]));
    }
    if (last_plan_ == nullptr || id != last_id_) {
      auto found = plans_.find(id);
      if (found == plans_.end()) {
        const avro::Node* reader = reader_ ? &reader_->root() : nullptr;
        found = plans_
                    .emplace(id,
                             std::make_unique<avro::DecodePlan>(
                                 registry_->schema_by_id(id), columns_, reader))
                    .first;
      }
      last_plan_ = found->second.get();
      last_id_ = id;
    }
    return *last_plan_;
  }

  std::shared_ptr<stream::SchemaRegistry> registry_;
  Schema columns_;
  std::optional<avro::AvroSchema> reader_;
  std::unordered_map<int32_t, std::unique_ptr<avro::DecodePlan>> plans_;
  const avro::DecodePlan* last_plan_ = nullptr;
  int32_t last_id_ = 0;
};

/// Registers its schema with the first row.
class ConfluentEncoder final : public stream::Encoder {
 public:
  ConfluentEncoder(std::shared_ptr<stream::SchemaRegistry> registry,
                   std::string subject,
                   std::string schema_json,
                   const Schema& columns)
      : registry_(std::move(registry)),
        subject_(std::move(subject)),
        plan_(std::move(schema_json), columns) {}

  void encode(const Batch& batch, std::string& bytes, std::vector<size_t>& ends) override {
    if (header_.empty()) {
      const auto id =
          static_cast<uint32_t>(registry_->register_schema(subject_, plan_.schema_json));
      header_.push_back('\0');
      for (const uint32_t shift : {24U, 16U, 8U, 0U}) {
        header_.push_back(static_cast<char>(id >> shift));
      }
    }
    avro::encode_rows(plan_, batch, header_, bytes, ends);
  }

  std::string_view record_separator() const override { avro::refuse_files(); }

 private:
  std::shared_ptr<stream::SchemaRegistry> registry_;
  std::string subject_;
  avro::EncodePlan plan_;
  std::string header_;
};

class AvroConfluentFormat final : public stream::FormatFactory {
 public:
  explicit AvroConfluentFormat(SchemaRegistryOpener open_registry)
      : open_registry_(std::move(open_registry)) {}

  std::string name() const override { return "avro-confluent"; }

  std::vector<stream::OptionSpec> option_specs() const override { return confluent_option_specs(); }

  std::unique_ptr<stream::Decoder> create_decoder(
      const stream::FormatContext& context) const override {
    const stream::Options options = checked_options(context);
    avro::derive_schema(context.schema, {});  // refuses types that Avro has not
    return std::make_unique<ConfluentDecoder>(
        open_registry_(context), projected_schema(context), options.find_string("schema"));
  }

  std::unique_ptr<stream::Encoder> create_encoder(
      const stream::FormatContext& context) const override {
    const stream::Options options = checked_options(context);
    std::string subject = options.find_string("subject").value_or("");
    if (subject.empty() && !context.topic.empty()) {
      subject = context.topic + (context.is_key ? "-key" : "-value");
    }
    if (subject.empty()) {
      throw Error(ErrorCode::kMissingOption,
                  "Option 'avro-confluent.subject' is required for a sink without a topic");
    }
    const auto given = options.find_string("schema");
    return std::make_unique<ConfluentEncoder>(
        open_registry_(context),
        std::move(subject),
        given ? *given : avro::derive_schema(context.schema, {}),
        context.schema);
  }

 private:
  SchemaRegistryOpener open_registry_;
};

}  // namespace

std::unique_ptr<stream::FormatFactory> make_avro_confluent_format(
    SchemaRegistryOpener open_registry) {
  return std::make_unique<AvroConfluentFormat>(std::move(open_registry));
}

}  // namespace thalweg::formats
