#pragma once

#include <string>
#include <vector>

#include "thalweg/formats/format_registry.h"
#include "thalweg/types/batch.h"
#include "thalweg/types/column_builder.h"
#include "thalweg/types/text.h"

/// Runs a format over texts and shows rows as the print connector does.
namespace thalweg::formats::testing {

struct Decoded {
  std::vector<std::string> rows;
  int64_t skipped = 0;
  std::string failure;
};

inline std::vector<std::string> show(const Batch& batch) {
  std::vector<std::string> rows;
  for (int32_t row = 0; row < batch.row_count(); ++row) {
    std::string text;
    for (size_t i = 0; i < batch.columns().size(); ++i) {
      text += i == 0 ? "" : ", ";
      text::append_value(text, batch.column(i), row, text::Style::kPrint, TimeZone::utc());
    }
    rows.push_back(text);
  }
  return rows;
}

inline Decoded decode(const std::string& format,
                      const stream::FormatContext& context,
                      const std::vector<std::string>& records) {
  const FormatRegistry registry;
  const auto decoder = registry.format(format).create_decoder(context);
  Schema schema = context.schema;
  if (context.projection) {
    schema.clear();
    for (const int32_t index : *context.projection) {
      schema.push_back(context.schema[static_cast<size_t>(index)]);
    }
  }
  std::vector<ColumnBuilder> builders = make_builders(schema);
  const std::vector<std::string_view> views(records.begin(), records.end());
  const stream::DecodeResult result = decoder->decode(views, builders, nullptr, nullptr);
  return {show(finish_batch(builders)),
          result.skipped,
          result.failure ? result.failure->message() : ""};
}

inline std::vector<std::string> encode(const std::string& format,
                                       const stream::FormatContext& context,
                                       const Batch& batch) {
  const FormatRegistry registry;
  const auto encoder = registry.format(format).create_encoder(context);
  std::string bytes;
  std::vector<size_t> ends;
  encoder->encode(batch, bytes, ends);
  std::vector<std::string> records;
  size_t begin = 0;
  for (const size_t end : ends) {
    records.push_back(bytes.substr(begin, end - begin));
    begin = end;
  }
  return records;
}

/// One row of values.
inline Batch one_row(const Schema& schema, const std::vector<Value>& values) {
  std::vector<ColumnBuilder> builders = make_builders(schema);
  for (size_t i = 0; i < values.size(); ++i) {
    builders[i].append_value(values[i]);
  }
  return finish_batch(builders);
}

}  // namespace thalweg::formats::testing
