#pragma once

#include "thalweg/stream/format.h"

namespace thalweg::formats {

/// The fields that a decoder gives, for formats that find values by name.
inline Schema projected_schema(const stream::FormatContext& context) {
  if (!context.projection) {
    return context.schema;
  }
  Schema schema;
  for (const int32_t index : *context.projection) {
    schema.push_back(context.schema[static_cast<size_t>(index)]);
  }
  return schema;
}

}  // namespace thalweg::formats
