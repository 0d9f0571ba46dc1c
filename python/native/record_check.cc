#include "record_check.h"

#include <cstdint>

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

bool fits_integer(PyObject* value, int bits) {
  if (!PyLong_CheckExact(value)) {
    return false;
  }
  int overflow = 0;
  const int64_t number = PyLong_AsLongLongAndOverflow(value, &overflow);
  const int unused = 64 - bits;
  return overflow == 0 && (number << unused >> unused) == number;
}

bool fits_letter(PyObject* value, char letter) {
  switch (letter) {
    case 'b':
      return fits_integer(value, 8);
    case 'h':
      return fits_integer(value, 16);
    case 'i':
      return fits_integer(value, 32);
    case 'l':
      return fits_integer(value, 64);
    case 'd':
      return PyFloat_CheckExact(value) != 0;
    case 's':
      return PyUnicode_CheckExact(value) != 0;
    case 'z':
      return PyBool_Check(value) != 0;
    default:
      return letter == 'o';
  }
}

/// The length of the shape that starts at the front of `shape`.
size_t length_of(std::string_view shape) {
  size_t depth = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    depth += shape[i] == '(' ? 1 : 0;
    depth -= shape[i] == ')' ? 1 : 0;
    if (depth == 0) {
      return i + 1;
    }
  }
  return shape.size();
}

bool fits(PyObject* value, std::string_view shape) {
  if (value == Py_None) {
    return true;
  }
  if (shape.front() != '(') {
    return fits_letter(value, shape.front());
  }
  if (!PyTuple_CheckExact(value)) {
    return false;
  }
  std::string_view fields = shape.substr(1, shape.size() - 2);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value); ++i) {
    if (fields.empty()) {
      return false;
    }
    const size_t length = length_of(fields);
    if (!fits(PyTuple_GET_ITEM(value, i), fields.substr(0, length))) {
      return false;
    }
    fields.remove_prefix(length);
  }
  return fields.empty();
}

}  // namespace

bool has_shape(const nb::list& records, std::string_view shape) {
  const Py_ssize_t count = PyList_GET_SIZE(records.ptr());
  for (Py_ssize_t i = 0; i < count; ++i) {
    if (!fits(PyList_GET_ITEM(records.ptr(), i), shape)) {
      return false;
    }
  }
  return true;
}

}  // namespace thalweg::binding
