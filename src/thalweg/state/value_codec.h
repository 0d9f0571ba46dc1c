#pragma once

#include <string>
#include <string_view>

#include "thalweg/types/column.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::state {

/// Bytes for one value of any type: equal values give equal bytes, so keys may be compared by them.
/// Opaque objects are written as (canonical text, serialized bytes).
void encode_value(const Column& column, int32_t row, std::string& bytes);

/// Appends what `encode_value` wrote for a column of the builder's type. `opaque` makes the
/// objects; it may be null where there are none.
void decode_value(std::string_view bytes,
                  ColumnBuilder& builder,
                  const std::shared_ptr<const OpaqueOperations>& opaque);

/// The part of an encoded opaque object that tells it from others.
std::string_view canonical_part(std::string_view encoded_object);

}  // namespace thalweg::state
