#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "thalweg/common/error.h"
#include "thalweg/stream/batched_state_object.h"

namespace thalweg::binding {

/// What Python keeps for one key: a dict that belongs to the operator's host, the key as an object,
/// and the times of the key's timers. Pickled only for snapshots. Touched with the GIL.
class PythonState final : public stream::BatchedStateObject {
 public:
  /// Times by domain: event time, processing time.
  using Times = std::vector<int64_t>;

  PythonState() = default;
  ~PythonState() override;
  PythonState(const PythonState&) = delete;
  PythonState& operator=(const PythonState&) = delete;

  /// Takes over `other`'s live objects; what stays there is its pickled form.
  std::unique_ptr<StateObject> clone() const override;
  void serialize(std::string& bytes) const override;

  /// The GIL.
  std::shared_ptr<void> hold() const override;

  int64_t byte_size() const override { return kAssumedBytes; }

  Value inspect() const override;

  static std::unique_ptr<StateObject> restore(std::string_view bytes);

  /// The dict and the key, made on first use: `encoded` is the key's bytes.
  PyObject* dict();
  PyObject* key(std::string_view encoded);

  bool has_key() const { return key_ != nullptr; }

  Times& times(bool processing) { return processing ? processing_times_ : event_times_; }

  bool is_empty() const;

 private:
  /// A dict with an entry or two; Python does not tell the size of what it refers to.
  static constexpr int64_t kAssumedBytes = 400;

  std::string pickled() const;

  mutable PyObject* dict_ = nullptr;
  mutable PyObject* key_ = nullptr;
  /// Set when the live objects moved to a clone, or came from a checkpoint and were not used yet.
  mutable std::string pickled_;
  /// Why there is no pickled form.
  mutable std::optional<Error> failure_;
  mutable bool is_being_pickled_ = false;
  Times event_times_;
  Times processing_times_;
};

/// The kind of the object field of an operator's table.
const std::shared_ptr<const stream::StateObjectKind>& python_state_kind();

}  // namespace thalweg::binding
