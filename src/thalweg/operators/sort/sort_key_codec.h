#pragma once

#include <span>
#include <string>

#include "thalweg/operators/sort/sort_key.h"
#include "thalweg/types/column.h"

namespace thalweg::operators {

/// Appends bytes that stand to each other as the rows do by the sort keys: they are compared
/// without their columns. ARRAY, MAP, ROW and Python objects can't be sort keys here.
void encode_sort_key(std::span<const SortKey> keys,
                     std::span<const ColumnPtr> columns,
                     int32_t row,
                     std::string& bytes);

}  // namespace thalweg::operators
