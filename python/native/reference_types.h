#pragma once

#include <nanobind/nanobind.h>

namespace thalweg::binding {

/// (name, spelling with parameters, range, stored as, bytes, text of a sample value) of each SQL
/// type.
nanobind::list reference_types();

/// (source, target, "implicit" | "total" | "checked") of each cast that exists.
nanobind::list reference_casts();

}  // namespace thalweg::binding
