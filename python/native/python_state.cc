#include "python_state.h"

#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "key_codec.h"
#include "python_objects.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

/// A function of the pickling module, looked up once. With the GIL, and no lock besides: the import
/// may let other threads run.
nb::handle pickling(std::atomic<PyObject*>& cached, const char* name) {
  PyObject* function = cached.load();
  if (function == nullptr) {
    nb::object found = nb::module_::import_("thalweg.datastream.runtime.pickling").attr(name);
    function = found.release().ptr();
    cached.store(function);
  }
  return function;
}

std::string dumps(PyObject* object) {
  static constinit std::atomic<PyObject*> function = nullptr;
  try {
    const nb::object bytes = pickling(function, "dumps")(nb::handle(object));
    return {PyBytes_AS_STRING(bytes.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
  } catch (const nb::python_error& error) {
    throw Error(ErrorCode::kCheckpointFailed,
                fmt::format("State that Python can't pickle: {}", error.what()))
        .hint("Keep values in state that pickle: data, not open files, locks or lambdas.");
  }
}

PyObject* loads(std::string_view bytes) {
  static constinit std::atomic<PyObject*> function = nullptr;
  return pickling(function, "loads")(nb::bytes(bytes.data(), bytes.size())).release().ptr();
}

void append_times(const PythonState::Times& times, std::string& bytes) {
  const auto count = static_cast<uint32_t>(times.size());
  bytes.append(reinterpret_cast<const char*>(&count), sizeof(count));
  bytes.append(reinterpret_cast<const char*>(times.data()), times.size() * sizeof(int64_t));
}

PythonState::Times take_times(std::string_view& bytes) {
  uint32_t count = 0;
  std::memcpy(&count, bytes.data(), sizeof(count));
  bytes.remove_prefix(sizeof(count));
  PythonState::Times times(count);
  std::memcpy(times.data(), bytes.data(), count * sizeof(int64_t));
  bytes.remove_prefix(count * sizeof(int64_t));
  return times;
}

}  // namespace

PythonState::~PythonState() {
  const std::array<void*, 2> handles{dict_, key_};
  if (dict_ != nullptr || key_ != nullptr) {
    python_objects()->release(handles);
  }
}

std::string PythonState::pickled() const {
  if (failure_) {
    throw *failure_;
  }
  if (dict_ == nullptr) {
    return pickled_;
  }
  is_being_pickled_ = true;
  try {
    std::string bytes = dumps(dict_);
    is_being_pickled_ = false;
    return bytes;
  } catch (const Error&) {
    is_being_pickled_ = false;
    throw;
  }
}

std::unique_ptr<stream::StateObject> PythonState::clone() const {
  const nb::gil_scoped_acquire gil;
  auto copy = std::make_unique<PythonState>();
  copy->event_times_ = event_times_;
  copy->processing_times_ = processing_times_;
  if (dict_ == nullptr) {
    copy->pickled_ = pickled_;
    return copy;
  }
  try {
    std::string bytes = dumps(dict_);
    if (is_being_pickled_) {
      // The snapshot's thread is in the midst of this dict.
      copy->pickled_ = std::move(bytes);
      return copy;
    }
    pickled_ = std::move(bytes);
  } catch (const Error& error) {
    // The snapshot fails, not the job.
    failure_ = error;
  }
  copy->dict_ = std::exchange(dict_, nullptr);
  copy->key_ = std::exchange(key_, nullptr);
  return copy;
}

void PythonState::serialize(std::string& bytes) const {
  const nb::gil_scoped_acquire gil;
  const std::string dict = pickled();
  append_times(event_times_, bytes);
  append_times(processing_times_, bytes);
  bytes += dict;
}

std::shared_ptr<void> PythonState::hold() const {
  return std::make_shared<nb::gil_scoped_acquire>();
}

Value PythonState::inspect() const {
  const nb::gil_scoped_acquire gil;
  return dict_ == nullptr ? Value(std::string("{...}"))
                          : Value(nb::cast<std::string>(nb::repr(nb::handle(dict_))));
}

std::unique_ptr<stream::StateObject> PythonState::restore(std::string_view bytes) {
  auto state = std::make_unique<PythonState>();
  state->event_times_ = take_times(bytes);
  state->processing_times_ = take_times(bytes);
  state->pickled_ = std::string(bytes);
  return state;
}

PyObject* PythonState::dict() {
  if (dict_ == nullptr) {
    dict_ = pickled_.empty() ? PyDict_New() : loads(std::exchange(pickled_, std::string()));
  }
  return dict_;
}

PyObject* PythonState::key(std::string_view encoded) {
  if (key_ == nullptr) {
    key_ = decode_key(encoded).release().ptr();
  }
  return key_;
}

bool PythonState::is_empty() const {
  return event_times_.empty() && processing_times_.empty() && dict_ != nullptr &&
         PyDict_GET_SIZE(dict_) == 0;
}

const std::shared_ptr<const stream::StateObjectKind>& python_state_kind() {
  static const auto kind = std::make_shared<const stream::StateObjectKind>(stream::StateObjectKind{
      .name = "python",
      .create = [] { return std::make_unique<PythonState>(); },
      .restore = [](std::string_view bytes) { return PythonState::restore(bytes); },
  });
  return kind;
}

}  // namespace thalweg::binding
