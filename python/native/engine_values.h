#pragma once

#include <nanobind/nanobind.h>

#include "thalweg/types/data_type.h"
#include "thalweg/types/value.h"

namespace thalweg::binding {

/// A Python value as the engine's, for a column of `type`. Throws kPythonValue naming the column,
/// value and type where it does not fit.
Value engine_value(nanobind::handle value, const DataType& type, std::string_view column);

}  // namespace thalweg::binding
