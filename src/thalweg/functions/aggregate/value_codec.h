#pragma once

#include <string>
#include <string_view>

#include "thalweg/types/column_builder.h"

namespace thalweg::functions {

/// Appends a value as bytes; equal values of one type give equal bytes. Numbers are ordered by
/// their bytes, so a sorted container of encoded values is sorted by value.
void encode_value(std::string& bytes, const Column& column, int32_t row);

/// Appends the value at the front of `bytes` to `builder` and takes it off.
void decode_value(std::string_view& bytes, ColumnBuilder& builder);

}  // namespace thalweg::functions
