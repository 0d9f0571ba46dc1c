#include "thalweg/formats/json/json_decoder.h"
#include "thalweg/formats/json/json_encoder.h"
#include "thalweg/formats/json/json_options.h"
#include "thalweg/formats/projected_schema.h"
#include "thalweg/stream/format.h"

namespace thalweg::formats {

namespace {

/// 'format' = 'json': one object a record.
class JsonFormat final : public stream::FormatFactory {
 public:
  std::string name() const override { return "json"; }

  std::vector<stream::OptionSpec> option_specs() const override { return json_option_specs(); }

  bool finds_fields_by_name() const override { return true; }

  std::unique_ptr<stream::Decoder> create_decoder(
      const stream::FormatContext& context) const override {
    const Schema schema = projected_schema(context);
    for (const Field& field : schema) {
      check_json_type(field.type);
    }
    return make_json_decoder(schema, read_json_options(context.options));
  }

  std::unique_ptr<stream::Encoder> create_encoder(
      const stream::FormatContext& context) const override {
    for (const Field& field : context.schema) {
      check_json_type(field.type);
    }
    return make_json_encoder(context.schema, read_json_options(context.options));
  }
};

}  // namespace

std::unique_ptr<stream::FormatFactory> make_json_format() {
  return std::make_unique<JsonFormat>();
}

}  // namespace thalweg::formats
