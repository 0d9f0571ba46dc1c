#include "value_reader.h"

#include "python_values.h"
#include "row_object.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

nb::list names_of_fields(const DataType& type) {
  nb::list names;
  for (const Field& field : type.fields()) {
    names.append(nb::str(field.name.c_str(), field.name.size()));
  }
  return names;
}

PyObject* none() {
  Py_INCREF(Py_None);
  return Py_None;
}

/// Calls `make(row)` for each row that is not NULL; they are many, so the kind is looked at
/// outside.
template <typename Make>
void read_rows(const Column& column,
               int32_t begin,
               int32_t end,
               PyObject** values,
               size_t stride,
               const Make& make) {
  const bool may_have_nulls = column.may_have_nulls();
  for (int32_t row = begin; row < end; ++row) {
    PyObject* value = may_have_nulls && column.is_null(row) ? none() : make(row);
    values[static_cast<size_t>(row - begin) * stride] = value;
    if (value == nullptr) {
      for (int32_t made = begin; made < row; ++made) {
        Py_CLEAR(values[static_cast<size_t>(made - begin) * stride]);
      }
      throw nb::python_error();
    }
  }
}

}  // namespace

ValueReader::ValueReader(const DataType& type, nb::object zone)
    : type_(type), zone_(std::move(zone)) {
  for (size_t i = 0; i < (type.is_nested() ? type.child_count() : 0); ++i) {
    children_.emplace_back(type.child(i), zone_);
  }
  if (type.kind() == TypeKind::kMultiset) {
    children_.emplace_back(DataType::integer(), zone_);
  }
  if (type.kind() == TypeKind::kRow) {
    names_ = names_of_fields(type);
  }
}

ValueReader::~ValueReader() = default;
ValueReader::ValueReader(ValueReader&&) noexcept = default;

void ValueReader::read(
    const Column& column, int32_t begin, int32_t end, PyObject** values, size_t stride) const {
  if (column.is_constant() && end > begin) {
    PyObject* only = read_one(column, begin);
    values[0] = only;
    for (int32_t row = begin + 1; row < end; ++row) {
      Py_INCREF(only);
      values[static_cast<size_t>(row - begin) * stride] = only;
    }
    return;
  }
  switch (type_.kind()) {
    case TypeKind::kInt:
      return read_rows(column, begin, end, values, stride, [&](int32_t row) {
        return PyLong_FromLong(column.at<int32_t>(row));
      });
    case TypeKind::kBigInt:
      return read_rows(column, begin, end, values, stride, [&](int32_t row) {
        return PyLong_FromLongLong(column.at<int64_t>(row));
      });
    case TypeKind::kDouble:
      return read_rows(column, begin, end, values, stride, [&](int32_t row) {
        return PyFloat_FromDouble(column.at<double>(row));
      });
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      return read_rows(column, begin, end, values, stride, [&](int32_t row) {
        const std::string_view text = column.string_at(row);
        return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
      });
    default:
      return read_rows(
          column, begin, end, values, stride, [&](int32_t row) { return value(column, row); });
  }
}

PyObject* ValueReader::read_one(const Column& column, int32_t row) const {
  PyObject* made = column.is_null(row) ? none() : value(column, row);
  if (made == nullptr) {
    throw nb::python_error();
  }
  return made;
}

PyObject* ValueReader::value(const Column& column, int32_t row) const {
  switch (type_.kind()) {
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
    case TypeKind::kBitmap: {
      const std::string_view bytes = column.string_at(row);
      return PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size()));
    }
    case TypeKind::kTimestampLtz:
      return timestamp(column, row);
    case TypeKind::kArray:
      return list(column, row);
    case TypeKind::kMap:
    case TypeKind::kMultiset:
      return dict(column, row);
    case TypeKind::kRow:
      return this->row(column, row);
    default:
      return python_value(column, row, {.as_collected = false}).release().ptr();
  }
}

PyObject* ValueReader::timestamp(const Column& column, int32_t row) const {
  nb::object time = python_value(column, row, {.as_collected = false});
  if (zone_.is_none()) {
    return time.release().ptr();
  }
  const nb::object naive = time.attr("replace")(nb::arg("tzinfo") = nb::none());
  return zone_.attr("localize")(naive).release().ptr();
}

PyObject* ValueReader::list(const Column& column, int32_t row) const {
  const int32_t begin = column.list_begin(row);
  const int32_t end = column.list_end(row);
  nb::object made = nb::steal(PyList_New(end - begin));
  if (!made.is_valid()) {
    return nullptr;
  }
  if (end > begin) {
    children_[0].read(
        *column.child(0), begin, end, reinterpret_cast<PyListObject*>(made.ptr())->ob_item, 1);
  }
  return made.release().ptr();
}

PyObject* ValueReader::dict(const Column& column, int32_t row) const {
  nb::dict made;
  for (int32_t i = column.list_begin(row); i < column.list_end(row); ++i) {
    const nb::object key = nb::steal(children_[0].read_one(*column.child(0), i));
    made[key] = nb::steal(children_[1].read_one(*column.child(1), i));
  }
  return made.release().ptr();
}

PyObject* ValueReader::row(const Column& column, int32_t row) const {
  const int32_t stored = column.is_constant() ? 0 : row;
  nb::object values = nb::steal(PyList_New(static_cast<Py_ssize_t>(children_.size())));
  for (size_t i = 0; i < children_.size(); ++i) {
    PyList_SET_ITEM(
        values.ptr(), static_cast<Py_ssize_t>(i), children_[i].read_one(*column.child(i), stored));
  }
  return make_row(values.release().ptr(), names_.ptr());
}

}  // namespace thalweg::binding
