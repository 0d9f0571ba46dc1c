#include "python_output.h"

#include <algorithm>

#include "engine_values.h"
#include "key_codec.h"
#include "python_objects.h"
#include "thalweg/common/error.h"

namespace nb = nanobind;

namespace thalweg::binding {

Schema StreamShape::schema() const {
  if (table) {
    return *table;
  }
  Schema schema = {{"record", DataType::opaque().not_null()},
                   {"timestamp", DataType::big_int().not_null()}};
  switch (extra) {
    case StreamExtra::kNone:
      break;
    case StreamExtra::kTag:
      schema.push_back({"tag", DataType::integer().not_null()});
      break;
    case StreamExtra::kKey:
      schema.push_back({"key", DataType::bytes().not_null()});
      break;
    case StreamExtra::kPartition:
      schema.push_back({"partition", DataType::integer().not_null()});
      break;
  }
  return schema;
}

PythonOutput::PythonOutput(StreamShape shape) : shape_(std::move(shape)) {
  if (shape_.table) {
    builders_ = make_builders(*shape_.table);
  }
  if (shape_.extra == StreamExtra::kKey) {
    keys_.emplace(DataType::bytes().not_null());
  }
}

PythonOutput::~PythonOutput() {
  if (!records_.empty()) {
    // Owned by a column, they go as those of columns do.
    object_column(records_);
  }
}

nb::object PythonOutput::as_sequence(nb::handle records) {
  PyObject* list = PySequence_Fast(records.ptr(), "records are emitted as a list");
  if (list == nullptr) {
    throw nb::python_error();
  }
  return nb::steal(list);
}

void PythonOutput::append_records(nb::handle list, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    PyObject* record = PySequence_Fast_GET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i));
    if (shape_.table) {
      append_row(record);
    } else {
      records_.push_back(Py_NewRef(record));
    }
  }
}

void PythonOutput::append_row(nb::handle row) {
  const nb::object values = as_sequence(row);
  const auto given = static_cast<size_t>(PySequence_Fast_GET_SIZE(values.ptr()));
  size_t next = 0;
  for (size_t i = 0; i < builders_.size(); ++i) {
    if (static_cast<int32_t>(i) == shape_.row_time) {
      const int64_t time = times_[static_cast<size_t>(builders_[i].size())];
      if (time == kNoTimestamp) {
        throw Error(ErrorCode::kValidation,
                    "Rowtime timestamp is not defined: the records of the stream have no "
                    "timestamps")
            .hint("Call assign_timestamps_and_watermarks with a timestamp assigner first.");
      }
      builders_[i].append(time);
      continue;
    }
    if (next >= given) {
      throw Error(
          ErrorCode::kPythonValue,
          fmt::format("A row of {} values was given for {} columns", given, builders_.size()));
    }
    const Field& field = (*shape_.table)[i];
    builders_[i].append_value(
        engine_value(PySequence_Fast_GET_ITEM(values.ptr(), static_cast<Py_ssize_t>(next++)),
                     field.type,
                     field.name));
  }
}

void PythonOutput::append_extra(nb::handle extra, size_t count) {
  if (shape_.table) {
    append_kinds(extra, count);
    return;
  }
  switch (shape_.extra) {
    case StreamExtra::kNone:
      return;
    case StreamExtra::kTag:
    case StreamExtra::kPartition:
      append_numbers(extra, count);
      return;
    case StreamExtra::kKey:
      append_keys(extra, count);
      return;
  }
}

void PythonOutput::append_kinds(nb::handle kinds, size_t count) {
  if (kinds.is_none()) {
    kinds_.resize(kinds_.size() + count, RowKind::kInsert);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    kinds_.push_back(static_cast<RowKind>(nb::cast<int>(kinds[i])));
  }
}

void PythonOutput::append_numbers(nb::handle numbers, size_t count) {
  if (numbers.is_none()) {
    numbers_.resize(numbers_.size() + count, 0);
  } else if (PyLong_Check(numbers.ptr())) {
    numbers_.resize(numbers_.size() + count, nb::cast<int32_t>(numbers));
  } else {
    for (size_t i = 0; i < count; ++i) {
      numbers_.push_back(nb::cast<int32_t>(numbers[i]));
    }
  }
}

void PythonOutput::append_keys(nb::handle keys, size_t count) {
  const nb::object list = as_sequence(keys);
  for (size_t i = 0; i < count; ++i) {
    encoded_.clear();
    encode_key(PySequence_Fast_GET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i)), encoded_);
    keys_->append_string(encoded_);
  }
}

ColumnPtr PythonOutput::take_times() {
  const auto rows = static_cast<int32_t>(times_.size());
  const DataType type = DataType::big_int().not_null();
  const int64_t first = times_.front();
  const bool is_constant =
      std::all_of(times_.begin(), times_.end(), [first](int64_t time) { return time == first; });
  auto column = is_constant ? Column::make_constant(type, rows) : Column::make(type, rows);
  if (is_constant) {
    column->mutable_values<int64_t>()[0] = first;
  } else {
    std::copy(times_.begin(), times_.end(), column->mutable_values<int64_t>().begin());
  }
  return column;
}

ColumnPtr PythonOutput::take_extra() {
  if (keys_) {
    return keys_->finish();
  }
  auto column = Column::make(DataType::integer().not_null(), static_cast<int32_t>(numbers_.size()));
  std::copy(numbers_.begin(), numbers_.end(), column->mutable_values<int32_t>().begin());
  numbers_.clear();
  return column;
}

void PythonOutput::drop_incomplete() {
  size_t whole = times_.size();
  if (shape_.table) {
    for (const ColumnBuilder& builder : builders_) {
      whole = std::min(whole, static_cast<size_t>(builder.size()));
    }
    for (ColumnBuilder& builder : builders_) {
      builder.truncate(static_cast<int32_t>(whole));
    }
    kinds_.resize(whole, RowKind::kInsert);
  } else {
    whole = std::min(whole, records_.size());
    if (keys_) {
      whole = std::min(whole, static_cast<size_t>(keys_->size()));
    } else if (shape_.extra != StreamExtra::kNone) {
      whole = std::min(whole, numbers_.size());
      numbers_.resize(whole);
    }
    for (size_t i = whole; i < records_.size(); ++i) {
      Py_DECREF(records_[i]);
    }
    records_.resize(whole);
  }
  times_.resize(whole);
}

Batch PythonOutput::take() {
  drop_incomplete();
  if (times_.empty()) {
    return {};
  }
  if (shape_.table) {
    Batch batch = finish_batch(builders_);
    batch.set_kinds(std::exchange(kinds_, {}));
    times_.clear();
    return batch;
  }
  std::vector<ColumnPtr> columns = {object_column(records_), take_times()};
  if (shape_.extra != StreamExtra::kNone) {
    columns.push_back(take_extra());
  }
  const auto rows = static_cast<int32_t>(records_.size());
  records_.clear();
  times_.clear();
  return {rows, std::move(columns)};
}

}  // namespace thalweg::binding
