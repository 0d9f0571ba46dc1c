#pragma once

#include <nanobind/nanobind.h>

#include "thalweg/types/batch.h"

namespace thalweg::binding {

/// Whether Arrow's C data interface can carry a column of this type from here: flat types.
bool is_arrow_type(const DataType& type);

/// The columns of a batch by Arrow's C data interface: ("arrow_schema", "arrow_array") capsules.
/// Numbers are not copied; booleans, texts, decimals and times finer than milliseconds are.
nanobind::tuple arrow_capsules(const Batch& batch, const Schema& schema);

/// The same for one column.
nanobind::tuple arrow_capsules(const ColumnPtr& column);

}  // namespace thalweg::binding
