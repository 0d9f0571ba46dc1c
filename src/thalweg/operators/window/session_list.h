#pragma once

#include <algorithm>
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

/// True when both overlap or touch: they are one session then.
inline bool touch(const Session& left, const Session& right) {
  return left.start <= right.end && left.end >= right.start;
}

inline void extend(Session& session, const Session& by) {
  session.start = std::min(session.start, by.start);
  session.end = std::max(session.end, by.end);
}

/// Open sessions of a key, by start; they neither overlap nor touch. Owned by the key's record.
class SessionList final : public stream::StateObject {
 public:
  static const std::shared_ptr<const stream::StateObjectKind>& kind();

  /// Sessions [first, last).
  struct Range {
    size_t first = 0;
    size_t last = 0;

    size_t size() const { return last - first; }

    bool is_empty() const { return first == last; }
  };

  Range touching(const Session& window) const;
  void insert(const Session& session);

  std::vector<Session>& sessions() { return sessions_; }

  void remove(int64_t id);

  std::unique_ptr<stream::StateObject> clone() const override;
  void serialize(std::string& bytes) const override;
  int64_t byte_size() const override;
  Value inspect() const override;

 private:
  std::vector<Session> sessions_;
};

}  // namespace thalweg::operators
