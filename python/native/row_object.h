#pragma once

#include <nanobind/nanobind.h>

namespace thalweg::binding {

/// Adds `RowBase`, what Python's `Row` is made of: a list of values and perhaps one of names, with
/// everything that programs do for each row (make one, index, iterate, get a field by name) done
/// here; and `set_row_class(Row, kind of an insertion)`, which tells what `make_row` makes.
void bind_rows(nanobind::module_& module);

/// A `Row` that takes over `values`, a list; `names`, a list of strings, may be null. A new
/// reference.
PyObject* make_row(PyObject* values, PyObject* names);

/// True for a Row or an object of a class derived from it.
bool is_row(PyObject* object);

/// The list of a Row's values, borrowed.
PyObject* row_values(PyObject* row);

/// The list of a Row's names, borrowed; null when it has none.
PyObject* row_names(PyObject* row);

}  // namespace thalweg::binding
