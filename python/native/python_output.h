#pragma once

#include <optional>
#include <vector>

#include <nanobind/nanobind.h>

#include "stream_shape.h"
#include "thalweg/types/batch.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::binding {

/// Gathers what a Python host emits into batches. Used with the GIL.
class PythonOutput {
 public:
  explicit PythonOutput(StreamShape shape);
  ~PythonOutput();
  PythonOutput(const PythonOutput&) = delete;
  PythonOutput& operator=(const PythonOutput&) = delete;

  /// Appends a sequence of records. `time_of(i)` is the time of record i; `extra` is a number for
  /// all, a list of numbers or keys, or None; for tables the kinds of the rows.
  template <typename TimeOf>
  void append(nanobind::handle records, const TimeOf& time_of, nanobind::handle extra) {
    const nanobind::object list = as_sequence(records);
    const auto count = static_cast<size_t>(PySequence_Fast_GET_SIZE(list.ptr()));
    for (size_t i = 0; i < count; ++i) {
      times_.push_back(time_of(i));
    }
    append_records(list, count);
    append_extra(extra, count);
  }

  size_t size() const { return times_.size(); }

  /// What was gathered since the last time.
  Batch take();

 private:
  static nanobind::object as_sequence(nanobind::handle records);
  void append_records(nanobind::handle list, size_t count);
  void append_row(nanobind::handle row);
  void append_extra(nanobind::handle extra, size_t count);
  void append_kinds(nanobind::handle kinds, size_t count);
  void append_numbers(nanobind::handle numbers, size_t count);
  void append_keys(nanobind::handle keys, size_t count);
  /// A record that failed on its way here leaves the ones before it whole.
  void drop_incomplete();
  ColumnPtr take_times();
  ColumnPtr take_extra();

  StreamShape shape_;
  std::vector<PyObject*> records_;
  std::vector<int64_t> times_;
  std::vector<int32_t> numbers_;
  std::optional<ColumnBuilder> keys_;
  std::vector<ColumnBuilder> builders_;
  std::vector<RowKind> kinds_;
  std::string encoded_;
};

}  // namespace thalweg::binding
