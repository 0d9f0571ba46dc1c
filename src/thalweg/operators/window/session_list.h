#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/stream/state.h"

namespace thalweg::operators {

/// An open session: wall-clock bounds, and the id under which its record is kept: the start of one
/// of its rows' windows, so no other open session of the key has it.
struct Session {
  int64_t start = 0;
  int64_t end = 0;
  int64_t id = 0;
};

/// The open sessions of a key, by start; they neither overlap nor touch. Owned by the key's record.
class SessionList final : public stream::StateObject {
 public:
  static const std::shared_ptr<const stream::StateObjectKind>& kind();

  /// The sessions [first, last) that overlap or touch [start, end].
  struct Range {
    size_t first = 0;
    size_t last = 0;
  };

  Range touching(int64_t start, int64_t end) const;

  std::vector<Session>& sessions() { return sessions_; }

  const std::vector<Session>& sessions() const { return sessions_; }

  void remove(int64_t id);

  std::unique_ptr<stream::StateObject> clone() const override;
  void serialize(std::string& bytes) const override;
  int64_t byte_size() const override;
  Value inspect() const override;

 private:
  std::vector<Session> sessions_;
};

}  // namespace thalweg::operators
