#pragma once

#include <memory>
#include <vector>

#include <nanobind/nanobind.h>

#include "thalweg/types/column.h"

namespace thalweg::binding {

/// Turns columns of one type into the Python objects that functions get, as PyFlink's coders make
/// them: times to the microsecond, TIMESTAMP_LTZ as UTC's wall clock marked with the session's
/// zone, BYTES as bytes, ROW as Row with names. Used under the GIL, by one task.
class ValueReader {
 public:
  /// `zone` is a tzinfo, with pytz's `localize` where it is not UTC.
  ValueReader(const DataType& type, nanobind::object zone);
  ~ValueReader();
  ValueReader(ValueReader&&) noexcept;
  ValueReader& operator=(ValueReader&&) = delete;

  /// New references of rows [begin, end) into values[0], values[stride], ... On an error all are
  /// released and a Python error is thrown.
  void read(
      const Column& column, int32_t begin, int32_t end, PyObject** values, size_t stride) const;

  /// A new reference.
  PyObject* read_one(const Column& column, int32_t row) const;

 private:
  PyObject* value(const Column& column, int32_t row) const;
  PyObject* list(const Column& column, int32_t row) const;
  PyObject* dict(const Column& column, int32_t row) const;
  PyObject* row(const Column& column, int32_t row) const;
  PyObject* timestamp(const Column& column, int32_t row) const;

  DataType type_;
  nanobind::object zone_;
  std::vector<ValueReader> children_;
  /// The names of a ROW's fields.
  nanobind::object names_;
};

}  // namespace thalweg::binding
