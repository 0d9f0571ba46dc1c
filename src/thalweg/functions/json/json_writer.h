#pragma once

#include <string>

#include "thalweg/types/column.h"

namespace thalweg::functions {

/// Appends a value as JSON in Flink's manner: times in ISO form, bytes in base 64, rows and maps as
/// objects with sorted keys, decimals with their scale. NULL is null.
void append_json_of(std::string& out, const Column& column, int32_t row);

/// True for types that have a JSON form: not intervals, Python objects, or maps with other keys
/// than texts.
bool has_json_form(const DataType& type);

}  // namespace thalweg::functions
