#include "thalweg/formats/csv/csv_decoder.h"
#include "thalweg/formats/csv/csv_encoder.h"
#include "thalweg/formats/csv/csv_options.h"
#include "thalweg/stream/format.h"

namespace thalweg::formats {

namespace {

/// 'format' = 'csv': delimited fields, a line a record.
class CsvFormat final : public stream::FormatFactory {
 public:
  std::string name() const override { return "csv"; }

  std::vector<stream::OptionSpec> option_specs() const override { return csv_option_specs(); }

  std::unique_ptr<stream::Decoder> create_decoder(
      const stream::FormatContext& context) const override {
    check_csv_schema(context.schema);
    return make_csv_decoder(context, read_csv_options(context.options));
  }

  std::unique_ptr<stream::Encoder> create_encoder(
      const stream::FormatContext& context) const override {
    check_csv_schema(context.schema);
    return make_csv_encoder(read_csv_options(context.options));
  }
};

}  // namespace

std::unique_ptr<stream::FormatFactory> make_csv_format() {
  return std::make_unique<CsvFormat>();
}

}  // namespace thalweg::formats
