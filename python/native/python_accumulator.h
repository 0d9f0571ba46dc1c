#pragma once

#include <nanobind/nanobind.h>

#include "thalweg/stream/state.h"

namespace thalweg::binding {

/// A Python object in keyed state: an accumulator of a user's aggregate. It is pickled in snapshots
/// only, and copied (deeply) when it changes while a snapshot still reads it. Methods take the GIL
/// themselves; `object` is used under it.
class PythonAccumulator final : public stream::StateObject {
 public:
  static const std::shared_ptr<const stream::StateObjectKind>& kind();

  PythonAccumulator() = default;

  explicit PythonAccumulator(PyObject* owned) : object_(owned) {}

  ~PythonAccumulator() override;
  PythonAccumulator(const PythonAccumulator&) = delete;
  PythonAccumulator& operator=(const PythonAccumulator&) = delete;

  /// Borrowed; null before `set`.
  PyObject* object() const { return object_; }

  /// Takes over a reference.
  void set(PyObject* owned);

  std::unique_ptr<stream::StateObject> clone() const override;
  void serialize(std::string& bytes) const override;
  int64_t byte_size() const override;
  Value inspect() const override;

 private:
  PyObject* object_ = nullptr;
};

}  // namespace thalweg::binding
