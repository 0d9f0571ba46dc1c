#pragma once

#include <nanobind/nanobind.h>

#include "thalweg/types/column.h"

namespace thalweg::binding {

/// A column of `type` from an Arrow array of Python's (whatever has `__arrow_c_array__`). The array
/// has the type that `thalweg.table.pandas_functions.arrow_type` gives for `type`; times may have
/// any unit, and are cut to the type's digits. Throws ValueRefused where it has another type, or
/// NULLs that `type` does not take.
ColumnPtr column_of_arrow(nanobind::handle array, const DataType& type);

}  // namespace thalweg::binding
