#pragma once

#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "thalweg/types/column_builder.h"

namespace thalweg::binding {

/// Why a Python value does not fit a type.
struct ValueRefused {
  std::string reason;
};

/// Puts the Python objects that functions give into columns of one type, as strictly as PyFlink's
/// coders: no text for numbers, no number beyond its range. Used under the GIL.
class ValueWriter {
 public:
  explicit ValueWriter(const DataType& type);
  ~ValueWriter();
  ValueWriter(ValueWriter&&) noexcept;
  ValueWriter& operator=(ValueWriter&&) = delete;

  const DataType& type() const { return type_; }

  /// Throws ValueRefused where the value does not fit; the builder is as before then.
  void append(PyObject* value, ColumnBuilder& builder) const;
  /// The values of a row's fields, one for each builder: what a table function gives. `value` may
  /// be a Row, a tuple, a list, a dict, or, for one field, the field's value itself.
  void append_fields(PyObject* value, std::span<ColumnBuilder> builders) const;

 private:
  void append_value(PyObject* value, ColumnBuilder& builder) const;
  void append_integer(PyObject* value, ColumnBuilder& builder) const;
  void append_double(PyObject* value, ColumnBuilder& builder) const;
  void append_text(PyObject* value, ColumnBuilder& builder) const;
  void append_bytes(PyObject* value, ColumnBuilder& builder) const;
  void append_decimal(PyObject* value, ColumnBuilder& builder) const;
  void append_time(PyObject* value, ColumnBuilder& builder) const;
  void append_list(PyObject* value, ColumnBuilder& builder) const;
  void append_map(PyObject* value, ColumnBuilder& builder) const;
  void append_row(PyObject* value, ColumnBuilder& builder) const;
  /// The fields of a row in order, borrowed; `owner` keeps them.
  std::vector<PyObject*> fields_of(PyObject* value, nanobind::object& owner) const;
  [[noreturn]] void refuse(PyObject* value) const;

  DataType type_;
  std::vector<ValueWriter> children_;
  /// A tuple of the names of a ROW's fields.
  nanobind::object names_;
};

}  // namespace thalweg::binding
