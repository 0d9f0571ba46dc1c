#pragma once

#include <nanobind/nanobind.h>

#include "thalweg/types/batch.h"
#include "thalweg/types/column.h"
#include "thalweg/types/value.h"

namespace thalweg::binding {

struct ValueOptions {
  /// As Flink's collect() gives values: times are cut to milliseconds, and a FLOAT is the double
  /// with the digits that it is written with (1.23, not 1.2300000190734863).
  bool as_collected = true;
};

/// One value of a column as a new Python object: what `Result.next_rows` of `_native.pyi`
/// describes.
nanobind::object python_value(const Column& column, int32_t row, const ValueOptions& options);

/// (row kind, values) of one row.
nanobind::tuple python_row(const Batch& batch, int32_t row, const ValueOptions& options);

}  // namespace thalweg::binding
