#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/formats/raw/raw_codec.h"
#include "thalweg/stream/format.h"

namespace thalweg::formats {

namespace {

std::vector<stream::OptionSpec> raw_option_specs() {
  return {
      {.key = "charset",
       .default_value = "UTF-8",
       .description = "The character set of a text column."},
      {.key = "endianness",
       .type = stream::OptionType::kEnum,
       .default_value = "big-endian",
       .description = "The order of the bytes of numbers.",
       .values = {"big-endian", "little-endian"}},
  };
}

RawOptions read_raw_options(const stream::OptionMap& values) {
  const stream::Options options("raw", raw_option_specs(), values);
  return {options.get_string("charset"), options.get_string("endianness") == "little-endian"};
}

/// The type of the one column there may be.
const DataType& single_type(const Schema& schema) {
  if (schema.size() != 1) {
    std::vector<std::string> columns;
    for (const Field& field : schema) {
      columns.push_back(quote_identifier(field.name) + " " + field.type.to_string());
    }
    throw Error(ErrorCode::kUnsupportedFormatType,
                fmt::format("The 'raw' format only supports single physical column. However the "
                            "defined schema contains multiple physical columns: [{}]",
                            fmt::join(columns, ", ")));
  }
  const DataType& type = schema[0].type;
  const bool fits = type.is_character() || type.is_binary() || type.is_integer() ||
                    type.is_approximate() || type.kind() == TypeKind::kBoolean;
  if (!fits) {
    throw Error(
        ErrorCode::kUnsupportedFormatType,
        fmt::format("The 'raw' format doesn't supports '{}' as column type.", type.to_string()));
  }
  return type;
}

/// 'format' = 'raw': the whole record is the one column's value.
class RawFormat final : public stream::FormatFactory {
 public:
  std::string name() const override { return "raw"; }

  std::vector<stream::OptionSpec> option_specs() const override { return raw_option_specs(); }

  std::unique_ptr<stream::Decoder> create_decoder(
      const stream::FormatContext& context) const override {
    return make_raw_decoder(single_type(context.schema), read_raw_options(context.options));
  }

  std::unique_ptr<stream::Encoder> create_encoder(
      const stream::FormatContext& context) const override {
    return make_raw_encoder(single_type(context.schema), read_raw_options(context.options));
  }
};

}  // namespace

std::unique_ptr<stream::FormatFactory> make_raw_format() {
  return std::make_unique<RawFormat>();
}

}  // namespace thalweg::formats
