#include "row_object.h"

#include <structmember.h>

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

struct RowObject {
  PyObject ob_base;
  PyObject* values;
  PyObject* names;
  PyObject* kind;
  /// Whether it was made with names, `Row(a=1)`.
  PyObject* from_dict;
};

RowObject& fields(PyObject* self) {
  return *reinterpret_cast<RowObject*>(self);
}

/// The classes, which live as long as the process.
struct RowClasses {
  PyTypeObject* base = nullptr;
  PyTypeObject* row = nullptr;
  PyObject* insert_kind = nullptr;
};

RowClasses& classes() {
  static RowClasses known;
  return known;
}

PyObject* allocate(PyTypeObject* type, PyObject* values, PyObject* names, PyObject* from_dict) {
  PyObject* made = values == nullptr ? nullptr : type->tp_alloc(type, 0);
  if (made == nullptr) {
    Py_XDECREF(values);
    Py_XDECREF(names);
    return nullptr;
  }
  RowObject& row = fields(made);
  row.values = values;
  row.names = names;
  row.kind = Py_XNewRef(classes().insert_kind);
  row.from_dict = Py_NewRef(from_dict);
  return made;
}

PyObject* row_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  if (kwargs == nullptr || PyDict_GET_SIZE(kwargs) == 0) {
    return allocate(type, PySequence_List(args), nullptr, Py_False);
  }
  if (PyTuple_GET_SIZE(args) > 0) {
    PyErr_SetString(PyExc_ValueError, "Can not use both args and kwargs to create Row");
    return nullptr;
  }
  PyObject* names = PyDict_Keys(kwargs);
  return names == nullptr ? nullptr : allocate(type, PyDict_Values(kwargs), names, Py_True);
}

int row_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(fields(self).values);
  Py_VISIT(fields(self).names);
  Py_VISIT(fields(self).kind);
  return 0;
}

int row_clear(PyObject* self) {
  Py_CLEAR(fields(self).values);
  Py_CLEAR(fields(self).names);
  Py_CLEAR(fields(self).kind);
  Py_CLEAR(fields(self).from_dict);
  return 0;
}

void row_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  row_clear(self);
  type->tp_free(self);
  Py_DECREF(type);
}

/// The place of a name, or -1 (no Python error is set).
Py_ssize_t place_of(PyObject* self, PyObject* name) {
  PyObject* names = fields(self).names;
  if (names == nullptr || !PyList_Check(names)) {
    return -1;
  }
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(names); ++i) {
    PyObject* known = PyList_GET_ITEM(names, i);
    if (known == name || PyObject_RichCompareBool(known, name, Py_EQ) == 1) {
      return i;
    }
  }
  PyErr_Clear();
  return -1;
}

/// Null (without a Python error) when there is no field of this name.
PyObject* field_named(PyObject* self, PyObject* name) {
  const Py_ssize_t place = place_of(self, name);
  if (place < 0 || place >= PyList_GET_SIZE(fields(self).values)) {
    return nullptr;
  }
  return Py_NewRef(PyList_GET_ITEM(fields(self).values, place));
}

PyObject* row_getattro(PyObject* self, PyObject* name) {
  // A field, unless the class has something of this name.
  PyObject* found = nullptr;
  if (fields(self).names != nullptr && _PyType_Lookup(Py_TYPE(self), name) == nullptr) {
    found = field_named(self, name);
    if (found != nullptr) {
      return found;
    }
  }
  found = PyObject_GenericGetAttr(self, name);
  if (found != nullptr || PyErr_ExceptionMatches(PyExc_AttributeError) == 0) {
    return found;
  }
  PyErr_Clear();
  found = field_named(self, name);
  if (found == nullptr && PyErr_Occurred() == nullptr) {
    PyErr_SetObject(PyExc_AttributeError, name);
  }
  return found;
}

PyObject* row_subscript(PyObject* self, PyObject* key) {
  PyObject* values = fields(self).values;
  if (PyLong_CheckExact(key)) {
    const Py_ssize_t size = PyList_GET_SIZE(values);
    const Py_ssize_t index = PyLong_AsSsize_t(key);
    if (index >= 0 && index < size) {
      return Py_NewRef(PyList_GET_ITEM(values, index));
    }
    PyErr_Clear();
  }
  if (PyLong_Check(key) || PySlice_Check(key)) {
    return PyObject_GetItem(values, key);
  }
  PyObject* found = field_named(self, key);
  if (found == nullptr && PyErr_Occurred() == nullptr) {
    PyErr_SetObject(PyExc_KeyError, key);
  }
  return found;
}

int row_store(PyObject* self, PyObject* key, PyObject* value) {
  PyObject* values = fields(self).values;
  if (!PyUnicode_Check(key)) {
    return value == nullptr ? PyObject_DelItem(values, key) : PyObject_SetItem(values, key, value);
  }
  const Py_ssize_t place = place_of(self, key);
  if (place < 0 || value == nullptr) {
    PyErr_SetObject(PyExc_AttributeError, key);
    return -1;
  }
  return PyList_SetItem(values, place, Py_NewRef(value));
}

int row_setattro(PyObject* self, PyObject* name, PyObject* value) {
  // The parts of a row begin with an underscore; every other name is a field's.
  const Py_ssize_t place = place_of(self, name);
  if (place < 0) {
    return PyObject_GenericSetAttr(self, name, value);
  }
  return row_store(self, name, value);
}

PyObject* row_iter(PyObject* self) {
  return PyObject_GetIter(fields(self).values);
}

Py_ssize_t row_length(PyObject* self) {
  return PyList_GET_SIZE(fields(self).values);
}

/// A row with names holds those, as in PyFlink.
int row_contains(PyObject* self, PyObject* item) {
  PyObject* names = fields(self).names;
  return PySequence_Contains(names != nullptr && PyList_Check(names) ? names : fields(self).values,
                             item);
}

int set_values(PyObject* self, PyObject* value, void* /*closure*/) {
  if (value == nullptr || !PyList_Check(value)) {
    PyErr_SetString(PyExc_TypeError, "the values of a Row are a list");
    return -1;
  }
  Py_XSETREF(fields(self).values, Py_NewRef(value));
  return 0;
}

PyObject* get_values(PyObject* self, void* /*closure*/) {
  return Py_NewRef(fields(self).values);
}

PyMemberDef members[] = {
    {"_fields", T_OBJECT_EX, offsetof(RowObject, names), 0, nullptr},
    {"_row_kind", T_OBJECT_EX, offsetof(RowObject, kind), 0, nullptr},
    {"_from_dict", T_OBJECT_EX, offsetof(RowObject, from_dict), 0, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

PyGetSetDef getters[] = {
    {"_values", &get_values, &set_values, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

template <typename Function>
void* slot(Function* function) {
  return reinterpret_cast<void*>(function);
}

PyTypeObject* make_base() {
  static PyType_Slot slots[] = {
      {Py_tp_new, slot(&row_new)},
      {Py_tp_dealloc, slot(&row_dealloc)},
      {Py_tp_traverse, slot(&row_traverse)},
      {Py_tp_clear, slot(&row_clear)},
      {Py_tp_getattro, slot(&row_getattro)},
      {Py_tp_setattro, slot(&row_setattro)},
      {Py_tp_iter, slot(&row_iter)},
      {Py_mp_subscript, slot(&row_subscript)},
      {Py_mp_ass_subscript, slot(&row_store)},
      {Py_mp_length, slot(&row_length)},
      {Py_sq_length, slot(&row_length)},
      {Py_sq_contains, slot(&row_contains)},
      {Py_tp_members, members},
      {Py_tp_getset, getters},
      {0, nullptr},
  };
  static PyType_Spec spec = {"thalweg._native.RowBase",
                             sizeof(RowObject),
                             0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                             slots};
  PyObject* made = PyType_FromSpec(&spec);
  if (made == nullptr) {
    throw nb::python_error();
  }
  return reinterpret_cast<PyTypeObject*>(made);
}

/// Python's class; its module is imported when nobody has done it yet.
PyTypeObject* row_class() {
  if (classes().row == nullptr) {
    nb::module_::import_("thalweg.common.types");
  }
  return classes().row;
}

}  // namespace

void bind_rows(nb::module_& module) {
  classes().base = make_base();
  module.attr("RowBase") = nb::borrow(reinterpret_cast<PyObject*>(classes().base));
  module.def("set_row_class", [](nb::handle row, nb::handle insert_kind) {
    classes().row = reinterpret_cast<PyTypeObject*>(Py_NewRef(row.ptr()));
    classes().insert_kind = Py_NewRef(insert_kind.ptr());
  });
}

PyObject* make_row(PyObject* values, PyObject* names) {
  PyObject* made = allocate(row_class(), values, Py_XNewRef(names), Py_False);
  if (made == nullptr) {
    throw nb::python_error();
  }
  return made;
}

bool is_row(PyObject* object) {
  return PyObject_TypeCheck(object, row_class()) != 0;
}

PyObject* row_values(PyObject* row) {
  return fields(row).values;
}

PyObject* row_names(PyObject* row) {
  return fields(row).names;
}

}  // namespace thalweg::binding
