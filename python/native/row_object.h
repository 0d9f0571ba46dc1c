#pragma once

#include <nanobind/nanobind.h>

namespace thalweg::binding {

/// A `Row` that takes over `values`, a list; `names`, a list of strings, may be null. A new
/// reference. Fills the object's slots directly: calling the class would cost more than most
/// functions that the row goes to.
PyObject* make_row(PyObject* values, PyObject* names);

/// True for a Row or an object of a class derived from it.
bool is_row(PyObject* object);

/// The list of a Row's values, borrowed.
PyObject* row_values(PyObject* row);

/// The list of a Row's names, borrowed; null when it has none.
PyObject* row_names(PyObject* row);

}  // namespace thalweg::binding
