#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "fork_guard.h"
#include "thalweg/expression/row_errors.h"
#include "thalweg/expression/scalar_function.h"
#include "value_reader.h"

namespace thalweg::binding {

/// Holds the GIL on a thread of the engine. The thread keeps its Python state from one time to the
/// next, so that what functions bind to their thread (decimal contexts, threading.local) lasts.
class PythonScope {
 public:
  PythonScope();

  ~PythonScope() { PyGILState_Release(state_); }

  PythonScope(const PythonScope&) = delete;
  PythonScope& operator=(const PythonScope&) = delete;

 private:
  PyGILState_STATE state_;
  ForkGuard guard_;
};

/// A Python object that engine threads hold: released under the GIL, and not at all once the
/// interpreter has gone.
class SharedObject {
 public:
  explicit SharedObject(nanobind::object object) : object_(object.release().ptr()) {}

  ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  nanobind::handle get() const { return object_; }

 private:
  PyObject* object_;
};

/// A Python function with its types, as `thalweg.table.udf` makes it. A value.
struct FunctionHandle {
  std::string name;
  /// "scalar", "async_scalar", "table", "aggregate" or "table_aggregate".
  std::string kind;
  std::shared_ptr<const SharedObject> instance;
  std::string result_type;
  std::optional<std::vector<std::string>> argument_types;
  bool deterministic = true;
  bool vectorized = false;
  /// How many arguments it can be called with; -1: any number. Where argument_types are absent.
  int32_t least_arguments = 0;
  int32_t most_arguments = -1;
  /// The function takes all arguments as one Row with these names (Table.map and its kin).
  std::optional<std::vector<std::string>> row_names = {};
};

/// What the session's configuration says to functions; taken when a query is bound.
using FunctionConfig = std::map<std::string, std::string>;

/// A Python function in one task: its own object, opened before the first row and closed at the
/// end. Everything but construction needs the GIL; one thread.
class FunctionCall {
 public:
  FunctionCall(FunctionHandle function,
               std::vector<DataType> argument_types,
               std::shared_ptr<const FunctionConfig> config)
      : function_(std::move(function)),
        argument_types_(std::move(argument_types)),
        config_(std::move(config)) {}

  ~FunctionCall();
  FunctionCall(const FunctionCall&) = delete;
  FunctionCall& operator=(const FunctionCall&) = delete;

  const FunctionHandle& function() const { return function_; }

  const std::vector<DataType>& argument_types() const { return argument_types_; }

  /// Makes and opens the object, once. Throws kPythonFunctionFailed where `open` raises.
  void open(int32_t subtask, const std::string& time_zone);

  /// The session's time zone, by its configuration.
  std::string session_zone() const;

  /// The opened `thalweg.table.function_runtime.OpenedFunction`.
  nanobind::handle opened() const { return opened_->get(); }

  /// A bound method or callable of it, which the caller keeps.
  nanobind::object method(const char* name) const { return opened_->get().attr(name); }

  /// What a row of `arguments` looks like for the function: its arguments in `out` (new
  /// references), which has room for `width()`; rows [begin, end) one after the other, `stride`
  /// apart.
  void read(std::span<const ColumnPtr> arguments,
            int32_t begin,
            int32_t end,
            PyObject** out,
            size_t stride) const;

  /// Rows [0, rows) of argument `index` as a list.
  nanobind::object list_of(const Column& column, size_t index, int32_t rows) const;

  /// How many arguments the function is called with.
  size_t width() const { return function_.row_names ? 1 : argument_types_.size(); }

  /// The error for the Python exception that is set, which is cleared: the user's own traceback,
  /// the function's name and the arguments.
  Error take_error(PyObject* const* arguments, size_t count) const;

  /// `body()`, with a Python exception that it throws as that error, for what is not the user's
  /// call itself (making arguments, opening).
  template <typename Body>
  auto guarded(const Body& body) const {
    try {
      return body();
    } catch (nanobind::python_error& error) {
      error.restore();
      throw take_error(nullptr, 0);
    }
  }

  /// The error for a value that does not fit the result's type.
  Error refused(const std::string& reason) const;

 private:
  FunctionHandle function_;
  std::vector<DataType> argument_types_;
  std::shared_ptr<const FunctionConfig> config_;
  std::unique_ptr<SharedObject> opened_;
  std::vector<ValueReader> readers_;
  std::unique_ptr<SharedObject> row_names_;
};

/// Objects in a buffer that are released together, under the GIL.
class ObjectBuffer {
 public:
  ObjectBuffer() = default;

  ~ObjectBuffer() { clear(); }

  ObjectBuffer(const ObjectBuffer&) = delete;
  ObjectBuffer& operator=(const ObjectBuffer&) = delete;

  /// Room for `count` objects, all null.
  PyObject** reset(size_t count) {
    clear();
    objects_.assign(count, nullptr);
    return objects_.data();
  }

  PyObject** data() { return objects_.data(); }

  void clear() {
    for (PyObject* object : objects_) {
      Py_XDECREF(object);
    }
    objects_.clear();
  }

 private:
  std::vector<PyObject*> objects_;
};

/// Measures a function's speed, so that slow ones get few rows at a time.
class RowPace {
 public:
  /// So long may rows wait for the next ones of their batch.
  static constexpr int64_t kSliceNs = 10'000'000;
  static constexpr int64_t kMaxRows = 1 << 20;

  int32_t preferred_rows() const { return preferred_rows_; }

  void measured(int32_t rows, int64_t elapsed_ns);

 private:
  /// Before anything is known: few rows, in case each takes a second.
  int32_t preferred_rows_ = 16;
};

/// Nanoseconds of a clock that only goes forward.
int64_t steady_ns();

}  // namespace thalweg::binding
