#include "value_writer.h"

#include <limits>

#include <datetime.h>
#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "row_object.h"
#include "thalweg/types/bitmap_format.h"
#include "thalweg/types/text.h"
#include "variant_values.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

constexpr size_t kShownCharacters = 80;

std::string shown(PyObject* value) {
  auto text = nb::cast<std::string>(nb::repr(nb::handle(value)));
  if (text.size() > kShownCharacters) {
    text = text.substr(0, kShownCharacters) + "...";
  }
  return fmt::format(
      "{} of type {}", text, nb::cast<std::string>(nb::handle(value).type().attr("__name__")));
}

bool is_number(PyObject* value) {
  const PyNumberMethods* methods = Py_TYPE(value)->tp_as_number;
  return methods != nullptr && (methods->nb_int != nullptr || methods->nb_index != nullptr);
}

int64_t days_of(PyObject* date) {
  int64_t year = PyDateTime_GET_YEAR(date);
  const int64_t month = PyDateTime_GET_MONTH(date);
  year -= month <= 2 ? 1 : 0;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year =
      (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + PyDateTime_GET_DAY(date) - 1;
  const int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

int64_t wall_micros(PyObject* time) {
  const int64_t seconds = PyDateTime_DATE_GET_HOUR(time) * 3600 +
                          PyDateTime_DATE_GET_MINUTE(time) * 60 + PyDateTime_DATE_GET_SECOND(time);
  return (days_of(time) * 86'400 + seconds) * 1'000'000 + PyDateTime_DATE_GET_MICROSECOND(time);
}

int64_t floor_div(int64_t value, int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

const nb::object& decimal_class() {
  static const nb::object* found = new nb::object(nb::module_::import_("decimal").attr("Decimal"));
  return *found;
}

/// Digits without an exponent, rounded to `scale` half to even, as PyFlink's coder does.
std::string decimal_digits(nb::handle value, const DataType& type) {
  const nb::object rounding = nb::module_::import_("thalweg.table.function_runtime");
  return nb::cast<std::string>(
      rounding.attr("decimal_digits")(value, type.precision(), type.scale()));
}

}  // namespace

ValueWriter::ValueWriter(const DataType& type) : type_(type) {
  if (PyDateTimeAPI == nullptr) {
    PyDateTime_IMPORT;
  }
  for (size_t i = 0; i < (type.is_nested() ? type.child_count() : 0); ++i) {
    children_.emplace_back(type.child(i));
  }
  if (type.kind() == TypeKind::kMultiset) {
    children_.emplace_back(DataType::integer().not_null());
  }
  if (type.kind() == TypeKind::kRow) {
    nb::list names;
    for (const Field& field : type.fields()) {
      names.append(nb::str(field.name.c_str(), field.name.size()));
    }
    names_ = std::move(names);
  }
}

ValueWriter::~ValueWriter() = default;
ValueWriter::ValueWriter(ValueWriter&&) noexcept = default;

void ValueWriter::refuse(PyObject* value) const {
  PyErr_Clear();
  throw ValueRefused{fmt::format("{} does not take {}", type_.to_string(), shown(value))};
}

void ValueWriter::append(PyObject* value, ColumnBuilder& builder) const {
  const int32_t size = builder.size();
  try {
    append_value(value, builder);
  } catch (const ValueRefused&) {
    builder.truncate(size);
    throw;
  }
}

void ValueWriter::append_value(PyObject* value, ColumnBuilder& builder) const {
  if (value == Py_None) {
    if (!type_.is_nullable()) {
      throw ValueRefused{fmt::format("{} does not take None", type_.to_string())};
    }
    builder.append_null();
    return;
  }
  switch (type_.kind()) {
    case TypeKind::kNull:
      refuse(value);
    case TypeKind::kBoolean: {
      const int truth = PyBool_Check(value) || is_number(value) ? PyObject_IsTrue(value) : -1;
      if (truth < 0) {
        refuse(value);
      }
      builder.append(static_cast<uint8_t>(truth));
      return;
    }
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      return append_double(value, builder);
    case TypeKind::kDecimal:
      return append_decimal(value, builder);
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      return append_text(value, builder);
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
    case TypeKind::kBitmap:
      return append_bytes(value, builder);
    case TypeKind::kVariant: {
      const auto variant = engine_variant(value);
      if (!variant) {
        refuse(value);
      }
      builder.append_string(*variant);
      return;
    }
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
    case TypeKind::kIntervalDayTime:
      return append_time(value, builder);
    case TypeKind::kArray:
      return append_list(value, builder);
    case TypeKind::kMap:
    case TypeKind::kMultiset:
      return append_map(value, builder);
    case TypeKind::kRow:
      return append_row(value, builder);
    default:
      return append_integer(value, builder);
  }
}

void ValueWriter::append_integer(PyObject* value, ColumnBuilder& builder) const {
  int overflow = 0;
  long long number = 0;
  if (PyLong_Check(value)) {
    number = PyLong_AsLongLongAndOverflow(value, &overflow);
  } else {
    // Other numbers (floats, numpy's, Decimal) are cut to integers, as by PyFlink's coders.
    const nb::object integer = nb::steal(is_number(value) ? PyNumber_Long(value) : nullptr);
    if (!integer.is_valid()) {
      refuse(value);
    }
    number = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  }
  const auto append = [&](auto limits) {
    using Number = decltype(limits);
    if (overflow != 0 || number < std::numeric_limits<Number>::min() ||
        number > std::numeric_limits<Number>::max()) {
      refuse(value);
    }
    builder.append(static_cast<Number>(number));
  };
  switch (type_.physical()) {
    case PhysicalKind::kInt8:
      return append(int8_t{});
    case PhysicalKind::kInt16:
      return append(int16_t{});
    case PhysicalKind::kInt32:
      return append(int32_t{});
    default:
      return append(int64_t{});
  }
}

void ValueWriter::append_double(PyObject* value, ColumnBuilder& builder) const {
  double number = 0;
  if (PyFloat_CheckExact(value)) {
    number = PyFloat_AS_DOUBLE(value);
  } else {
    number = PyUnicode_Check(value) ? -1.0 : PyFloat_AsDouble(value);
    if (PyUnicode_Check(value) || (number == -1.0 && PyErr_Occurred() != nullptr)) {
      refuse(value);
    }
  }
  if (type_.kind() == TypeKind::kFloat) {
    builder.append(static_cast<float>(number));
  } else {
    builder.append(number);
  }
}

void ValueWriter::append_text(PyObject* value, ColumnBuilder& builder) const {
  if (!PyUnicode_Check(value)) {
    refuse(value);
  }
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(value, &size);
  if (text == nullptr) {
    refuse(value);
  }
  builder.append_string({text, static_cast<size_t>(size)});
}

void ValueWriter::append_bytes(PyObject* value, ColumnBuilder& builder) const {
  Py_buffer view;
  if (PyUnicode_Check(value) || PyObject_GetBuffer(value, &view, PyBUF_SIMPLE) != 0) {
    refuse(value);
  }
  const std::string_view bytes(static_cast<const char*>(view.buf), static_cast<size_t>(view.len));
  bool fits = true;
  if (type_.kind() == TypeKind::kBitmap) {
    const auto bitmap = bitmap::from_untrusted(bytes);
    fits = bitmap.has_value();
    builder.append_string(bitmap.value_or(std::string()));
  } else {
    builder.append_string(bytes);
  }
  PyBuffer_Release(&view);
  if (!fits) {
    refuse(value);
  }
}

void ValueWriter::append_decimal(PyObject* value, ColumnBuilder& builder) const {
  const bool is_integer = PyLong_Check(value) && !PyBool_Check(value);
  if (!is_integer && !nb::isinstance(nb::handle(value), decimal_class())) {
    refuse(value);
  }
  std::string digits;
  try {
    digits = decimal_digits(value, type_);
  } catch (nb::python_error&) {
    refuse(value);
  }
  const auto unscaled = text::parse_decimal(digits, type_.precision(), type_.scale());
  if (!unscaled) {
    refuse(value);
  }
  builder.append(*unscaled);
}

void ValueWriter::append_time(PyObject* value, ColumnBuilder& builder) const {
  switch (type_.kind()) {
    case TypeKind::kDate:
      if (!PyDate_Check(value)) {
        refuse(value);
      }
      builder.append(static_cast<int32_t>(days_of(value)));
      return;
    case TypeKind::kTime: {
      if (!PyTime_Check(value)) {
        refuse(value);
      }
      const int32_t seconds = PyDateTime_TIME_GET_HOUR(value) * 3600 +
                              PyDateTime_TIME_GET_MINUTE(value) * 60 +
                              PyDateTime_TIME_GET_SECOND(value);
      builder.append(seconds * 1000 + PyDateTime_TIME_GET_MICROSECOND(value) / 1000);
      return;
    }
    case TypeKind::kIntervalDayTime: {
      if (!PyDelta_Check(value)) {
        refuse(value);
      }
      const int64_t seconds =
          PyDateTime_DELTA_GET_DAYS(value) * int64_t{86'400} + PyDateTime_DELTA_GET_SECONDS(value);
      builder.append(seconds * 1000 + PyDateTime_DELTA_GET_MICROSECONDS(value) / 1000);
      return;
    }
    default:
      break;
  }
  if (!PyDateTime_Check(value)) {
    refuse(value);
  }
  // The wall clock, whatever the zone: PyFlink's coder for TIMESTAMP_LTZ marks UTC's with the
  // session's zone and takes the mark off again.
  const int64_t micros = wall_micros(value);
  if (type_.precision() <= 3) {
    builder.append(floor_div(micros, 1000));
  } else {
    builder.append(Int128{micros} * 1000);
  }
}

void ValueWriter::append_list(PyObject* value, ColumnBuilder& builder) const {
  if (PyUnicode_Check(value) || PyBytes_Check(value) || PyDict_Check(value)) {
    refuse(value);
  }
  const nb::object items = nb::steal(PySequence_Fast(value, "a list is needed"));
  if (!items.is_valid()) {
    refuse(value);
  }
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.ptr());
  for (Py_ssize_t i = 0; i < count; ++i) {
    children_[0].append_value(PySequence_Fast_GET_ITEM(items.ptr(), i), builder.child(0));
  }
  builder.append_list();
}

void ValueWriter::append_map(PyObject* value, ColumnBuilder& builder) const {
  if (!PyDict_Check(value)) {
    refuse(value);
  }
  PyObject* key = nullptr;
  PyObject* item = nullptr;
  Py_ssize_t position = 0;
  while (PyDict_Next(value, &position, &key, &item) != 0) {
    children_[0].append_value(key, builder.child(0));
    children_[1].append_value(item, builder.child(1));
  }
  builder.append_list();
}

std::vector<PyObject*> ValueWriter::fields_of(PyObject* value, nb::object& owner) const {
  std::vector<PyObject*> fields;
  PyObject* by_name = nullptr;
  if (is_row(value)) {
    PyObject* names = row_names(value);
    const bool in_order = names == nullptr || names == names_.ptr() ||
                          PyObject_RichCompareBool(names, names_.ptr(), Py_EQ) == 1;
    if (!in_order && PySequence_Size(names) == static_cast<Py_ssize_t>(children_.size())) {
      owner = nb::handle(value).attr("as_dict")();
      by_name = owner.ptr();
    } else {
      value = row_values(value);
    }
  } else if (PyDict_Check(value)) {
    by_name = value;
  }
  if (by_name != nullptr) {
    for (const nb::handle name : names_) {
      PyObject* field = PyDict_GetItemWithError(by_name, name.ptr());
      if (field == nullptr) {
        PyErr_Clear();
        throw ValueRefused{fmt::format(
            "{} needs the field {}", type_.to_string(), nb::cast<std::string>(nb::str(name)))};
      }
      fields.push_back(field);
    }
    return fields;
  }
  if (!PyTuple_Check(value) && !PyList_Check(value)) {
    refuse(value);
  }
  PyObject** items = PySequence_Fast_ITEMS(value);
  fields.assign(items, items + PySequence_Fast_GET_SIZE(value));
  if (fields.size() != children_.size()) {
    throw ValueRefused{fmt::format("{} has {} fields, but {} values were given: {}",
                                   type_.to_string(),
                                   children_.size(),
                                   fields.size(),
                                   shown(value))};
  }
  return fields;
}

void ValueWriter::append_row(PyObject* value, ColumnBuilder& builder) const {
  nb::object owner;
  const std::vector<PyObject*> fields = fields_of(value, owner);
  for (size_t i = 0; i < fields.size(); ++i) {
    children_[i].append_value(fields[i], builder.child(i));
  }
  builder.append_struct();
}

void ValueWriter::append_fields(PyObject* value, std::span<ColumnBuilder> builders) const {
  const bool is_bare = children_.size() == 1 && !is_row(value) && !PyTuple_Check(value);
  nb::object owner;
  const std::vector<PyObject*> fields =
      is_bare ? std::vector<PyObject*>{value} : fields_of(value, owner);
  size_t done = 0;
  try {
    for (; done < fields.size(); ++done) {
      children_[done].append(fields[done], builders[done]);
    }
  } catch (const ValueRefused&) {
    for (size_t i = 0; i < done; ++i) {
      builders[i].truncate(builders[i].size() - 1);
    }
    throw;
  }
}

}  // namespace thalweg::binding
