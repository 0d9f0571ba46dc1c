#include "python_accumulator.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "thalweg/common/error.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

/// What an accumulator is charged with: its true size would take a walk through the object.
constexpr int64_t kChargedBytes = 256;

nb::module_ state_module() {
  return nb::module_::import_("thalweg.table.function_state");
}

std::unique_ptr<stream::StateObject> restore(std::string_view bytes) {
  const nb::gil_scoped_acquire gil;
  if (bytes.empty()) {
    return std::make_unique<PythonAccumulator>();
  }
  try {
    nb::object object = state_module().attr("loads")(nb::bytes(bytes.data(), bytes.size()));
    return std::make_unique<PythonAccumulator>(object.release().ptr());
  } catch (const nb::python_error& error) {
    throw Error(ErrorCode::kPythonFunctionFailed,
                fmt::format("An accumulator can't be restored: {}", error.what()));
  }
}

}  // namespace

const std::shared_ptr<const stream::StateObjectKind>& PythonAccumulator::kind() {
  static const auto kind = std::make_shared<const stream::StateObjectKind>(stream::StateObjectKind{
      "python-accumulator", [] { return std::make_unique<PythonAccumulator>(); }, &restore});
  return kind;
}

PythonAccumulator::~PythonAccumulator() {
  if (object_ != nullptr && Py_IsInitialized() != 0) {
    const nb::gil_scoped_acquire gil;
    Py_DECREF(object_);
  }
}

void PythonAccumulator::set(PyObject* owned) {
  Py_XSETREF(object_, owned);
}

std::unique_ptr<stream::StateObject> PythonAccumulator::clone() const {
  if (object_ == nullptr) {
    return std::make_unique<PythonAccumulator>();
  }
  const nb::gil_scoped_acquire gil;
  try {
    nb::object copy = state_module().attr("deepcopy")(nb::handle(object_));
    return std::make_unique<PythonAccumulator>(copy.release().ptr());
  } catch (const nb::python_error& error) {
    throw Error(ErrorCode::kPythonFunctionFailed,
                fmt::format("An accumulator can't be copied for a checkpoint: {}", error.what()));
  }
}

void PythonAccumulator::serialize(std::string& bytes) const {
  if (object_ == nullptr) {
    return;
  }
  const nb::gil_scoped_acquire gil;
  try {
    const auto pickled = nb::cast<nb::bytes>(state_module().attr("dumps")(nb::handle(object_)));
    bytes.append(pickled.c_str(), pickled.size());
  } catch (const nb::python_error& error) {
    throw Error(ErrorCode::kPythonFunctionFailed,
                fmt::format("An accumulator can't be pickled for a checkpoint: {}", error.what()));
  }
}

int64_t PythonAccumulator::byte_size() const {
  return kChargedBytes;
}

Value PythonAccumulator::inspect() const {
  if (object_ == nullptr) {
    return {};
  }
  const nb::gil_scoped_acquire gil;
  return Value(nb::cast<std::string>(nb::repr(nb::handle(object_))));
}

}  // namespace thalweg::binding
