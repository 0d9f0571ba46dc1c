#pragma once

#include <string_view>
#include <vector>

#include "thalweg/common/check.h"
#include "thalweg/formats/format_registry.h"
#include "thalweg/types/batch.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::fuzz {

/// Frames `bytes` into records as a file reader does, and decodes them strictly and leniently.
inline void decode_any(const char* format, const Schema& schema, std::string_view bytes) {
  static const formats::FormatRegistry registry;
  for (const char* lenient : {"false", "true"}) {
    const auto decoder = registry.format(format).create_decoder(
        {.schema = schema, .options = {{"ignore-parse-errors", lenient}}});
    std::vector<std::string_view> records;
    std::string_view rest = bytes;
    while (!rest.empty()) {
      const size_t end = std::min(decoder->record_end(rest), rest.size());
      check(end > 0, "an empty record");
      records.push_back(rest.substr(0, end));
      rest.remove_prefix(end);
    }
    std::vector<ColumnBuilder> builders = make_builders(schema);
    decoder->decode(records, builders, nullptr, nullptr);
    for (const ColumnBuilder& builder : builders) {
      check(builder.size() == builders[0].size(), "columns of different lengths");
    }
    finish_batch(builders);
  }
}

}  // namespace thalweg::fuzz
