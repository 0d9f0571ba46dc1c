#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "thalweg/types/column.h"

namespace thalweg {

/// The chosen rows in the given order; a row may be chosen more than once. -1 gives NULL.
ColumnPtr gather(const ColumnPtr& column, std::span<const int32_t> rows);

/// Rows [begin, end).
ColumnPtr slice_column(const ColumnPtr& column, int32_t begin, int32_t end);

/// The same values, one stored value for each row.
ColumnPtr flatten(const ColumnPtr& column);

/// All rows of all parts, one after the other. The parts have one type; at least one part.
ColumnPtr concat(std::span<const ColumnPtr> parts);

/// One 64-bit hash for each row over all columns; NULL hashes like a value of its own, equal values
/// of one type hash alike whatever the layout (constant or not). The same in every process: key
/// groups depend on it.
void hash_rows(std::span<const ColumnPtr> columns, std::span<uint64_t> hashes);

/// Orders two values of one type: NULL first, numbers by value, NaN last and equal to itself,
/// strings by unsigned bytes, lists and rows element by element.
int compare_values(const Column& left, int32_t left_row, const Column& right, int32_t right_row);

/// NULL equals NULL, NaN equals NaN; -0.0 equals 0.0.
bool equal_values(const Column& left, int32_t left_row, const Column& right, int32_t right_row);

/// A bit set for each row where the BOOLEAN column is TRUE (not NULL, not FALSE), as ascending row
/// numbers.
void selected_rows(const Column& condition, std::vector<int32_t>& rows);

}  // namespace thalweg
