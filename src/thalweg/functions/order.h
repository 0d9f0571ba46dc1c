#pragma once

#include "thalweg/types/data_type.h"

namespace thalweg::functions {

/// Types whose values are smaller or larger than each other; Flink has an order for simple ones
/// only.
inline bool has_order(const DataType& type) {
  return !type.is_nested() && type.kind() != TypeKind::kBitmap &&
         type.kind() != TypeKind::kVariant && type.kind() != TypeKind::kOpaque;
}

}  // namespace thalweg::functions
