#include "python_values.h"

#include <array>
#include <charconv>

#include <datetime.h>

#include "thalweg/types/text.h"
#include "variant_values.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

constexpr int64_t kMsOfDay = 86'400'000;

nb::object steal(PyObject* object) {
  if (object == nullptr) {
    throw nb::python_error();
  }
  return nb::steal(object);
}

void import_datetime() {
  if (PyDateTimeAPI == nullptr) {
    PyDateTime_IMPORT;
  }
}

struct CivilDate {
  int32_t year = 0;
  int32_t month = 0;
  int32_t day = 0;
};

/// The proleptic Gregorian date of a day since 1970-01-01 (Hinnant's days algorithm).
CivilDate civil_date(int64_t days) {
  days += 719'468;
  const int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const int64_t day_of_era = days - era * 146'097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const int64_t day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  const int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  const int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  return {static_cast<int32_t>(year), static_cast<int32_t>(month), static_cast<int32_t>(day)};
}

nb::object date_object(int64_t days) {
  import_datetime();
  const CivilDate date = civil_date(days);
  return steal(PyDate_FromDate(date.year, date.month, date.day));
}

nb::object time_object(int32_t ms_of_day) {
  import_datetime();
  const int32_t seconds = ms_of_day / 1000;
  return steal(
      PyTime_FromTime(seconds / 3600, seconds / 60 % 60, seconds % 60, ms_of_day % 1000 * 1000));
}

nb::object datetime_object(int64_t micros, bool is_utc) {
  import_datetime();
  constexpr int64_t kMicrosOfDay = kMsOfDay * 1000;
  int64_t days = micros / kMicrosOfDay;
  int64_t rest = micros % kMicrosOfDay;
  if (rest < 0) {
    rest += kMicrosOfDay;
    --days;
  }
  const CivilDate date = civil_date(days);
  const int64_t seconds = rest / 1'000'000;
  return steal(PyDateTimeAPI->DateTime_FromDateAndTime(date.year,
                                                       date.month,
                                                       date.day,
                                                       static_cast<int>(seconds / 3600),
                                                       static_cast<int>(seconds / 60 % 60),
                                                       static_cast<int>(seconds % 60),
                                                       static_cast<int>(rest % 1'000'000),
                                                       is_utc ? PyDateTime_TimeZone_UTC : Py_None,
                                                       PyDateTimeAPI->DateTimeType));
}

nb::object timestamp_object(const Column& column, int32_t row, const ValueOptions& options) {
  int64_t micros = 0;
  if (column.type().precision() <= 3) {
    micros = column.at<int64_t>(row) * 1000;
  } else {
    const Int128 nanos = column.at<Int128>(row);
    const Int128 floor = nanos >= 0 || nanos % 1000 == 0 ? 0 : 1;
    micros = static_cast<int64_t>(nanos / 1000 - floor);
  }
  if (options.as_collected) {
    const int64_t below = micros % 1000;
    micros -= below < 0 ? below + 1000 : below;
  }
  return datetime_object(micros, column.type().kind() == TypeKind::kTimestampLtz);
}

nb::object timedelta_object(int64_t ms) {
  import_datetime();
  int64_t days = ms / kMsOfDay;
  int64_t rest = ms % kMsOfDay;
  if (rest < 0) {
    rest += kMsOfDay;
    --days;
  }
  return steal(PyDelta_FromDSU(
      static_cast<int>(days), static_cast<int>(rest / 1000), static_cast<int>(rest % 1000 * 1000)));
}

nb::object decimal_object(const Column& column, int32_t row) {
  std::string digits;
  text::append_decimal(digits, column.at<Int128>(row), column.type().scale());
  return nb::module_::import_("decimal").attr("Decimal")(digits.c_str());
}

nb::object text_object(std::string_view text) {
  return steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

nb::object bytes_object(std::string_view bytes) {
  return steal(PyByteArray_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size())));
}

nb::object list_object(const Column& column, int32_t row, const ValueOptions& options) {
  nb::list result;
  for (int32_t i = column.list_begin(row); i < column.list_end(row); ++i) {
    result.append(python_value(*column.child(0), i, options));
  }
  return result;
}

/// MAP, and MULTISET as the number of times that each element occurs.
nb::object map_object(const Column& column, int32_t row, const ValueOptions& options) {
  nb::dict result;
  for (int32_t i = column.list_begin(row); i < column.list_end(row); ++i) {
    result[python_value(*column.child(0), i, options)] = python_value(*column.child(1), i, options);
  }
  return result;
}

nb::object row_object(const Column& column, int32_t row, const ValueOptions& options) {
  const int32_t stored = column.is_constant() ? 0 : row;
  nb::object result = steal(PyTuple_New(static_cast<Py_ssize_t>(column.child_count())));
  for (size_t i = 0; i < column.child_count(); ++i) {
    nb::object value = python_value(*column.child(i), stored, options);
    PyTuple_SET_ITEM(result.ptr(), static_cast<Py_ssize_t>(i), value.release().ptr());
  }
  return result;
}

/// The double whose shortest text is the float's.
double written_double(float value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  double result = 0;
  std::from_chars(text.data(), end, result);
  return result;
}

nb::object number_object(const Column& column, int32_t row, const ValueOptions& options) {
  switch (column.type().kind()) {
    case TypeKind::kTinyInt:
      return steal(PyLong_FromLong(column.at<int8_t>(row)));
    case TypeKind::kSmallInt:
      return steal(PyLong_FromLong(column.at<int16_t>(row)));
    case TypeKind::kInt:
    case TypeKind::kIntervalYearMonth:
      return steal(PyLong_FromLong(column.at<int32_t>(row)));
    case TypeKind::kBigInt:
      return steal(PyLong_FromLongLong(column.at<int64_t>(row)));
    case TypeKind::kFloat:
      return steal(PyFloat_FromDouble(options.as_collected
                                          ? written_double(column.at<float>(row))
                                          : static_cast<double>(column.at<float>(row))));
    default:
      return steal(PyFloat_FromDouble(column.at<double>(row)));
  }
}

}  // namespace

nb::object python_value(const Column& column, int32_t row, const ValueOptions& options) {
  if (column.is_null(row)) {
    return nb::none();
  }
  switch (column.type().kind()) {
    case TypeKind::kNull:
      return nb::none();
    case TypeKind::kBoolean:
      return nb::bool_(column.at<uint8_t>(row) != 0);
    case TypeKind::kDecimal:
      return decimal_object(column, row);
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      return text_object(column.string_at(row));
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
      return bytes_object(column.string_at(row));
    case TypeKind::kBitmap: {
      const std::string_view bytes = column.string_at(row);
      return nb::bytes(bytes.data(), bytes.size());
    }
    case TypeKind::kVariant:
      return python_variant(column.string_at(row));
    case TypeKind::kDate:
      return date_object(column.at<int32_t>(row));
    case TypeKind::kTime:
      return time_object(column.at<int32_t>(row));
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return timestamp_object(column, row, options);
    case TypeKind::kIntervalDayTime:
      return timedelta_object(column.at<int64_t>(row));
    case TypeKind::kArray:
      return list_object(column, row, options);
    case TypeKind::kMap:
    case TypeKind::kMultiset:
      return map_object(column, row, options);
    case TypeKind::kRow:
      return row_object(column, row, options);
    case TypeKind::kOpaque:
      return nb::borrow(static_cast<PyObject*>(column.at<void*>(row)));
    default:
      return number_object(column, row, options);
  }
}

nb::tuple python_row(const Batch& batch, int32_t row, const ValueOptions& options) {
  const size_t count = batch.columns().size();
  nb::object values = steal(PyTuple_New(static_cast<Py_ssize_t>(count)));
  for (size_t i = 0; i < count; ++i) {
    nb::object value = python_value(batch.column(i), row, options);
    PyTuple_SET_ITEM(values.ptr(), static_cast<Py_ssize_t>(i), value.release().ptr());
  }
  return nb::make_tuple(static_cast<int>(batch.kind(row)), values);
}

}  // namespace thalweg::binding
