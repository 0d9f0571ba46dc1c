#include "engine_values.h"

#include <datetime.h>
#include <nanobind/stl/string.h>

#include "thalweg/common/error.h"
#include "thalweg/types/bitmap_format.h"
#include "thalweg/types/text.h"
#include "variant_values.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

[[noreturn]] void refuse(nb::handle value, const DataType& type, std::string_view column) {
  throw Error(ErrorCode::kPythonValue,
              fmt::format("Column {} of type {} does not take the value {} of {}",
                          column,
                          type.to_string(),
                          nb::cast<std::string>(nb::repr(value)),
                          nb::cast<std::string>(nb::str(value.type()))));
}

int64_t days_from_civil(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
         719'468;
}

int64_t days_of(nb::handle date) {
  return days_from_civil(PyDateTime_GET_YEAR(date.ptr()),
                         PyDateTime_GET_MONTH(date.ptr()),
                         PyDateTime_GET_DAY(date.ptr()));
}

/// Microseconds since the epoch of the wall clock that a datetime shows.
int64_t wall_micros(nb::handle time) {
  PyObject* object = time.ptr();
  const int64_t seconds = PyDateTime_DATE_GET_HOUR(object) * 3600 +
                          PyDateTime_DATE_GET_MINUTE(object) * 60 +
                          PyDateTime_DATE_GET_SECOND(object);
  return (days_of(time) * 86'400 + seconds) * 1'000'000 + PyDateTime_DATE_GET_MICROSECOND(object);
}

Value timestamp_value(nb::handle value, const DataType& type, std::string_view column) {
  if (!PyDateTime_Check(value.ptr())) {
    refuse(value, type, column);
  }
  int64_t micros = wall_micros(value);
  const nb::object offset = value.attr("utcoffset")();
  if (!offset.is_none()) {
    const int64_t seconds = PyDateTime_DELTA_GET_DAYS(offset.ptr()) * int64_t{86'400} +
                            PyDateTime_DELTA_GET_SECONDS(offset.ptr());
    micros -= seconds * 1'000'000;
  }
  if (type.precision() <= 3) {
    return Value(micros >= 0 || micros % 1000 == 0 ? micros / 1000 : micros / 1000 - 1);
  }
  return Value(Int128{micros} * 1000);
}

Value time_value(nb::handle value, const DataType& type, std::string_view column) {
  PyObject* object = value.ptr();
  if (!PyTime_Check(object)) {
    refuse(value, type, column);
  }
  const int64_t seconds = PyDateTime_TIME_GET_HOUR(object) * 3600 +
                          PyDateTime_TIME_GET_MINUTE(object) * 60 +
                          PyDateTime_TIME_GET_SECOND(object);
  return Value(seconds * 1000 + PyDateTime_TIME_GET_MICROSECOND(object) / 1000);
}

Value interval_value(nb::handle value, const DataType& type, std::string_view column) {
  PyObject* object = value.ptr();
  if (!PyDelta_Check(object)) {
    refuse(value, type, column);
  }
  const int64_t seconds =
      PyDateTime_DELTA_GET_DAYS(object) * int64_t{86'400} + PyDateTime_DELTA_GET_SECONDS(object);
  return Value(seconds * 1000 + PyDateTime_DELTA_GET_MICROSECONDS(object) / 1000);
}

Value decimal_value(nb::handle value, const DataType& type, std::string_view column) {
  const auto digits = nb::cast<std::string>(nb::str(value));
  // Python may write an exponent; format(value, "f") does not.
  const auto plain =
      digits.find_first_of("Ee") == std::string::npos
          ? digits
          : nb::cast<std::string>(nb::module_::import_("builtins").attr("format")(value, "f"));
  const auto unscaled = text::parse_decimal(plain, type.precision(), type.scale());
  if (!unscaled) {
    refuse(value, type, column);
  }
  return Value(*unscaled);
}

Value text_value(nb::handle value, const DataType& type, std::string_view column) {
  if (PyUnicode_Check(value.ptr())) {
    Py_ssize_t size = 0;
    const char* data = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
    if (data == nullptr) {
      throw nb::python_error();
    }
    return Value(std::string(data, static_cast<size_t>(size)));
  }
  if (PyBytes_Check(value.ptr())) {
    return Value(std::string(PyBytes_AS_STRING(value.ptr()),
                             static_cast<size_t>(PyBytes_GET_SIZE(value.ptr()))));
  }
  if (PyByteArray_Check(value.ptr())) {
    return Value(std::string(PyByteArray_AS_STRING(value.ptr()),
                             static_cast<size_t>(PyByteArray_GET_SIZE(value.ptr()))));
  }
  refuse(value, type, column);
}

/// Bytes of a bitmap, brought to the form that values have.
Value bitmap_value(nb::handle value, const DataType& type, std::string_view column) {
  if (PyUnicode_Check(value.ptr())) {
    refuse(value, type, column);
  }
  const Value bytes = text_value(value, type, column);
  auto bitmap = bitmap::from_untrusted(std::get<std::string>(bytes.data));
  if (!bitmap) {
    refuse(value, type, column);
  }
  return Value(std::move(*bitmap));
}

Value nested_value(nb::handle value, const DataType& type, std::string_view column) {
  ValueList values;
  if (type.kind() == TypeKind::kMap) {
    if (!PyDict_Check(value.ptr())) {
      refuse(value, type, column);
    }
    for (const auto& [key, item] : nb::cast<nb::dict>(value)) {
      values.push_back(engine_value(key, type.child(0), column));
      values.push_back(engine_value(item, type.child(1), column));
    }
    return Value(std::move(values));
  }
  size_t index = 0;
  for (const nb::handle element : value) {
    const bool is_row = type.kind() == TypeKind::kRow;
    if (is_row && index >= type.child_count()) {
      refuse(value, type, column);
    }
    values.push_back(engine_value(element, type.child(is_row ? index : 0), column));
    ++index;
  }
  return Value(std::move(values));
}

Value number_value(nb::handle value, const DataType& type, std::string_view column) {
  if (type.is_approximate()) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1.0 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      refuse(value, type, column);
    }
    return Value(number);
  }
  const int64_t number = PyLong_AsLongLong(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse(value, type, column);
  }
  return Value(number);
}

}  // namespace

Value engine_value(nb::handle value, const DataType& type, std::string_view column) {
  if (PyDateTimeAPI == nullptr) {
    PyDateTime_IMPORT;
  }
  if (value.is_none()) {
    return {};
  }
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return Value(PyObject_IsTrue(value.ptr()) == 1);
    case TypeKind::kDecimal:
      return decimal_value(value, type, column);
    case TypeKind::kChar:
    case TypeKind::kVarChar:
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
      return text_value(value, type, column);
    case TypeKind::kBitmap:
      return bitmap_value(value, type, column);
    case TypeKind::kVariant: {
      auto variant = engine_variant(value);
      if (!variant) {
        refuse(value, type, column);
      }
      return Value(std::move(*variant));
    }
    case TypeKind::kDate:
      if (!PyDate_Check(value.ptr())) {
        refuse(value, type, column);
      }
      return Value(days_of(value));
    case TypeKind::kTime:
      return time_value(value, type, column);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return timestamp_value(value, type, column);
    case TypeKind::kIntervalDayTime:
      return interval_value(value, type, column);
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kRow:
      return nested_value(value, type, column);
    default:
      return number_value(value, type, column);
  }
}

}  // namespace thalweg::binding
