#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "thalweg/operators/sort/sort_key.h"
#include "thalweg/types/batch.h"

namespace thalweg::operators {

/// Negative, zero or positive: how two rows stand by the sort keys.
int compare_rows(std::span<const SortKey> keys,
                 std::span<const ColumnPtr> left,
                 int32_t left_row,
                 std::span<const ColumnPtr> right,
                 int32_t right_row);

/// The rows of the columns in order; equal rows as they came.
std::vector<int32_t> sorted_rows(std::span<const SortKey> keys,
                                 std::span<const ColumnPtr> columns,
                                 int32_t rows);

}  // namespace thalweg::operators
