#include "function_call.h"

#include <algorithm>
#include <chrono>

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include "row_object.h"
#include "thalweg/common/time_zone.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

nb::module_ runtime_module() {
  return nb::module_::import_("thalweg.table.function_runtime");
}

/// A reference to the thread's Python state for as long as the thread lives.
class KeptThreadState {
 public:
  KeptThreadState() : state_(PyGILState_Ensure()), thread_(PyEval_SaveThread()) {}

  ~KeptThreadState() {
    if (Py_IsInitialized() != 0) {
      PyEval_RestoreThread(thread_);
      PyGILState_Release(state_);
    }
  }

  KeptThreadState(const KeptThreadState&) = delete;
  KeptThreadState& operator=(const KeptThreadState&) = delete;

 private:
  PyGILState_STATE state_;
  PyThreadState* thread_;
};

void keep_thread_state() {
  thread_local const KeptThreadState kept;
}

}  // namespace

PythonScope::PythonScope() {
  if (PyGILState_Check() == 0) {
    keep_thread_state();
  }
  state_ = PyGILState_Ensure();
}

SharedObject::~SharedObject() {
  if (Py_IsInitialized() != 0) {
    const nb::gil_scoped_acquire gil;
    Py_DECREF(object_);
  }
}

FunctionCall::~FunctionCall() {
  if (Py_IsInitialized() == 0) {
    return;
  }
  const nb::gil_scoped_acquire gil;
  readers_.clear();
  if (opened_ == nullptr) {
    return;
  }
  try {
    opened_->get().attr("close")();
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("closing a Python function");
  }
}

void FunctionCall::open(int32_t subtask, const std::string& time_zone) {
  if (opened_ != nullptr) {
    return;
  }
  try {
    const nb::module_ runtime = runtime_module();
    const nb::object zone = runtime.attr("zone_of")(time_zone);
    readers_.clear();
    for (const DataType& type : argument_types_) {
      readers_.emplace_back(type.with_time_attribute(TimeAttribute::kNone), zone);
    }
    if (function_.row_names) {
      nb::list names;
      for (const std::string& name : *function_.row_names) {
        names.append(nb::str(name.c_str(), name.size()));
      }
      row_names_ = std::make_unique<SharedObject>(std::move(names));
    }
    nb::object opened = runtime.attr("OpenedFunction")(
        function_.name, function_.kind, function_.instance->get(), subtask, nb::cast(*config_));
    opened_ = std::make_unique<SharedObject>(std::move(opened));
  } catch (const nb::python_error& error) {
    const nb::object text =
        runtime_module().attr("open_failure_text")(function_.name, nb::handle(error.value()));
    throw Error(ErrorCode::kPythonFunctionFailed, nb::cast<std::string>(text));
  }
}

std::string FunctionCall::session_zone() const {
  const auto zone = config_->find("table.local-time-zone");
  return zone == config_->end() || zone->second == "default" ? TimeZone::local().name()
                                                             : zone->second;
}

void FunctionCall::read(std::span<const ColumnPtr> arguments,
                        int32_t begin,
                        int32_t end,
                        PyObject** out,
                        size_t stride) const {
  if (!function_.row_names) {
    for (size_t i = 0; i < readers_.size(); ++i) {
      readers_[i].read(*arguments[i], begin, end, out + i, stride);
    }
    return;
  }
  for (int32_t row = begin; row < end; ++row) {
    const nb::object values = nb::steal(PyList_New(static_cast<Py_ssize_t>(readers_.size())));
    out[static_cast<size_t>(row - begin) * stride] = nb::object(values).release().ptr();
  }
  std::vector<PyObject*> column(static_cast<size_t>(end - begin));
  for (size_t i = 0; i < readers_.size(); ++i) {
    readers_[i].read(*arguments[i], begin, end, column.data(), 1);
    for (size_t row = 0; row < column.size(); ++row) {
      PyList_SET_ITEM(out[row * stride], static_cast<Py_ssize_t>(i), column[row]);
    }
  }
  for (size_t row = 0; row < column.size(); ++row) {
    PyObject*& place = out[row * stride];
    PyObject* values = place;
    place = nullptr;
    place = make_row(values, row_names_->get().ptr());
  }
}

nb::object FunctionCall::list_of(const Column& column, size_t index, int32_t rows) const {
  nb::object list = nb::steal(PyList_New(rows));
  if (rows > 0) {
    readers_[index].read(column, 0, rows, reinterpret_cast<PyListObject*>(list.ptr())->ob_item, 1);
  }
  return list;
}

Error FunctionCall::take_error(PyObject* const* arguments, size_t count) const {
  nb::python_error error;
  nb::list values;
  for (size_t i = 0; i < count; ++i) {
    values.append(nb::handle(arguments[i]));
  }
  const nb::object text =
      runtime_module().attr("failure_text")(function_.name, nb::handle(error.value()), values);
  return Error(ErrorCode::kPythonFunctionFailed, nb::cast<std::string>(text));
}

Error FunctionCall::refused(const std::string& reason) const {
  return Error(ErrorCode::kPythonValue,
               fmt::format("The Python function {} gave a value that is not of its type {}: {}",
                           function_.name,
                           function_.result_type,
                           reason));
}

void RowPace::measured(int32_t rows, int64_t elapsed_ns) {
  if (rows == 0) {
    return;
  }
  const int64_t fitting = kSliceNs * rows / std::max<int64_t>(elapsed_ns, 1);
  // Not too fast up: the first rows may have been the easy ones.
  const int64_t bound = std::min<int64_t>(int64_t{preferred_rows_} * 8, kMaxRows);
  preferred_rows_ = static_cast<int32_t>(std::clamp<int64_t>(fitting, 1, bound));
}

int64_t steady_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace thalweg::binding
