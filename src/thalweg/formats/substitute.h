#pragma once

#include <string>

#include "thalweg/types/data_type.h"

namespace thalweg::formats {

/// What to do with a value of a type that no format has, as a hint; empty for other types.
inline std::string substitute_for(const DataType& type) {
  if (type.kind() == TypeKind::kVariant) {
    return "Write its text, JSON_STRING(v), and read it with PARSE_JSON.";
  }
  if (type.kind() == TypeKind::kBitmap) {
    return "Write its bytes, BITMAP_TO_BYTES(b), and read them with BITMAP_FROM_BYTES.";
  }
  return type.is_structured() ? "CAST it to a ROW." : "";
}

}  // namespace thalweg::formats
