#include "row_object.h"

#include <structmember.h>

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

/// Where the slots of Python's class lie in its objects. Found once; the class lives as long as the
/// process.
struct RowClass {
  PyTypeObject* type;
  Py_ssize_t values;
  Py_ssize_t names;
};

Py_ssize_t slot_offset(const nb::object& type, const char* name) {
  const nb::object descriptor = type.attr("__dict__")[name];
  if (Py_TYPE(descriptor.ptr()) != &PyMemberDescr_Type) {
    throw nb::type_error("Row has lost its slots");
  }
  return reinterpret_cast<PyMemberDescrObject*>(descriptor.ptr())->d_member->offset;
}

const RowClass& row_class() {
  static const RowClass found = [] {
    nb::object type = nb::module_::import_("thalweg.common.types").attr("Row");
    RowClass result{};
    result.values = slot_offset(type, "_values");
    result.names = slot_offset(type, "_fields");
    result.type = reinterpret_cast<PyTypeObject*>(type.release().ptr());
    return result;
  }();
  return found;
}

PyObject*& slot(PyObject* row, Py_ssize_t offset) {
  return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(row) + offset);
}

}  // namespace

PyObject* make_row(PyObject* values, PyObject* names) {
  const RowClass& row = row_class();
  PyObject* made = row.type->tp_alloc(row.type, 0);
  if (made == nullptr) {
    Py_DECREF(values);
    throw nb::python_error();
  }
  slot(made, row.values) = values;
  if (names != nullptr) {
    Py_INCREF(names);
    slot(made, row.names) = names;
  }
  return made;
}

bool is_row(PyObject* object) {
  return PyObject_TypeCheck(object, row_class().type) != 0;
}

PyObject* row_values(PyObject* row) {
  return slot(row, row_class().values);
}

PyObject* row_names(PyObject* row) {
  return slot(row, row_class().names);
}

}  // namespace thalweg::binding
