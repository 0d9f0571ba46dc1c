#include "python_objects.h"

#include <mutex>
#include <string>

#include <nanobind/stl/string.h>

#include "key_codec.h"
#include "thalweg/types/column.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

/// Objects that wait for a thread with the GIL; beyond this number a thread takes it.
constexpr size_t kMaxGivenUp = 100'000;

class PythonObjects final : public OpaqueOperations {
 public:
  void retain(void* handle) const override {
    const nb::gil_scoped_acquire gil;
    Py_XINCREF(static_cast<PyObject*>(handle));
  }

  void release(std::span<void* const> handles) const override {
    if (Py_IsInitialized() == 0) {
      return;
    }
    if (PyGILState_Check() == 1) {
      for (void* handle : handles) {
        Py_XDECREF(static_cast<PyObject*>(handle));
      }
      return;
    }
    size_t waiting = 0;
    {
      const std::lock_guard lock(mutex_);
      given_up_.insert(given_up_.end(), handles.begin(), handles.end());
      waiting = given_up_.size();
    }
    if (waiting > kMaxGivenUp) {
      const nb::gil_scoped_acquire gil;
      release_waiting();
    }
  }

  void release_waiting() const {
    std::vector<void*> handles;
    {
      const std::lock_guard lock(mutex_);
      if (given_up_.empty()) {
        return;
      }
      handles.swap(given_up_);
    }
    for (void* handle : handles) {
      Py_XDECREF(static_cast<PyObject*>(handle));
    }
  }

  std::string encode(void* handle) const override {
    const nb::gil_scoped_acquire gil;
    std::string bytes;
    encode_key(static_cast<PyObject*>(handle), bytes);
    return bytes;
  }

  void* decode(std::string_view bytes) const override {
    const nb::gil_scoped_acquire gil;
    return nb::module_::import_("pickle")
        .attr("loads")(nb::bytes(bytes.data(), bytes.size()))
        .release()
        .ptr();
  }

  std::string serialize(void* handle) const override {
    const nb::gil_scoped_acquire gil;
    const nb::object pickled =
        nb::module_::import_("pickle").attr("dumps")(nb::handle(static_cast<PyObject*>(handle)));
    return {PyBytes_AS_STRING(pickled.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(pickled.ptr()))};
  }

  std::string print(void* handle) const override {
    const nb::gil_scoped_acquire gil;
    return nb::cast<std::string>(nb::str(nb::handle(static_cast<PyObject*>(handle))));
  }

 private:
  mutable std::mutex mutex_;
  mutable std::vector<void*> given_up_;
};

const std::shared_ptr<const PythonObjects>& instance() {
  static const auto objects = std::make_shared<const PythonObjects>();
  return objects;
}

}  // namespace

std::shared_ptr<const OpaqueOperations> python_objects() {
  return instance();
}

void release_given_up() {
  instance()->release_waiting();
}

ColumnPtr object_column(const std::vector<PyObject*>& handles) {
  auto column = Column::make(DataType::opaque(), static_cast<int32_t>(handles.size()));
  std::copy(handles.begin(), handles.end(), column->mutable_values<void*>().begin());
  column->set_opaque_operations(python_objects());
  return column;
}

PythonThread::PythonThread() : state_(PyGILState_Ensure()), saved_(PyEval_SaveThread()) {}

PythonThread::~PythonThread() {
  if (Py_IsInitialized() != 0) {
    PyEval_RestoreThread(saved_);
    PyGILState_Release(state_);
  }
}

}  // namespace thalweg::binding
