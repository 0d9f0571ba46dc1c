#pragma once

#include <memory>

#include "thalweg/stream/state.h"

namespace thalweg::stream {

/// An object of state that takes something dear to be read, such as the lock of an interpreter: a
/// snapshot takes it once for many records.
class BatchedStateObject : public StateObject {
 public:
  /// What makes `serialize` cheap, for all objects of the kind, as long as it lives. Made and
  /// destroyed on one thread.
  virtual std::shared_ptr<void> hold() const = 0;
};

}  // namespace thalweg::stream
