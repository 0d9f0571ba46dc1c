#pragma once

#include <span>
#include <string>
#include <string_view>

#include "thalweg/types/column.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::operators {

/// Rows as bytes, for collections inside state: equal values give equal bytes (-0.0 as 0.0, one
/// NaN). Fixed for ever: it is part of snapshots. Each value is a null byte, then its bytes; text
/// and lists with a 32-bit size before them.
void encode_value(const Column& column, int32_t row, std::string& bytes);

/// All columns of a row, one after the other.
void encode_row(std::span<const ColumnPtr> columns, int32_t row, std::string& bytes);

/// Appends the value at the head of `bytes` and removes it there.
void decode_value(std::string_view& bytes, ColumnBuilder& builder);

/// One value for each builder.
void decode_row(std::string_view bytes, std::span<ColumnBuilder> builders);

}  // namespace thalweg::operators
