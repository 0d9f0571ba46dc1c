#pragma once

#include <cstddef>

#include "thalweg/state/table_shape.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::state {

/// Appends the field of one record to a builder of its type; the field is not NULL.
void append_stored(const std::byte* record,
                   const FieldShape& field,
                   ColumnBuilder& builder,
                   const std::shared_ptr<const OpaqueOperations>& opaque);

/// Orders two fields that are not NULL as compare_values does; encoded ones by their bytes.
int compare_stored(const std::byte* left, const std::byte* right, const FieldShape& field);

}  // namespace thalweg::state
