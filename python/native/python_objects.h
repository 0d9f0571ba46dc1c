#pragma once

#include <memory>
#include <vector>

#include <nanobind/nanobind.h>

#include "thalweg/types/column.h"

namespace thalweg::binding {

/// What the engine does with Python objects in opaque columns. One for the process. Objects that a
/// thread without the GIL gives up are released by the next thread that holds it.
std::shared_ptr<const OpaqueOperations> python_objects();

/// Releases what other threads gave up; call it with the GIL.
void release_given_up();

/// An opaque column that takes over the references of `handles`.
ColumnPtr object_column(const std::vector<PyObject*>& handles);

/// Keeps the interpreter's state of this thread between batches: without it each call would make a
/// new one, and thread-local data of Python would be lost. Made and destroyed on the same thread,
/// without the GIL.
class PythonThread {
 public:
  PythonThread();
  ~PythonThread();
  PythonThread(const PythonThread&) = delete;
  PythonThread& operator=(const PythonThread&) = delete;

 private:
  PyGILState_STATE state_;
  PyThreadState* saved_;
};

}  // namespace thalweg::binding
