#include "thalweg/operators/window/session_list.h"

#include <cstring>

#include "thalweg/common/check.h"

namespace thalweg::operators {

const std::shared_ptr<const stream::StateObjectKind>& SessionList::kind() {
  static const auto kKind = std::make_shared<const stream::StateObjectKind>(stream::StateObjectKind{
      "sessions",
      [] { return std::make_unique<SessionList>(); },
      [](std::string_view bytes) -> std::unique_ptr<stream::StateObject> {
        check(bytes.size() % sizeof(Session) == 0, "sessions are stored whole");
        auto list = std::make_unique<SessionList>();
        list->sessions_.resize(bytes.size() / sizeof(Session));
        if (!bytes.empty()) {
          std::memcpy(list->sessions_.data(), bytes.data(), bytes.size());
        }
        return list;
      }});
  return kKind;
}

SessionList::Range SessionList::touching(const Session& window) const {
  Range range;
  while (range.first < sessions_.size() && sessions_[range.first].end < window.start) {
    ++range.first;
  }
  range.last = range.first;
  while (range.last < sessions_.size() && sessions_[range.last].start <= window.end) {
    ++range.last;
  }
  return range;
}

void SessionList::insert(const Session& session) {
  const auto place = std::find_if(sessions_.begin(), sessions_.end(), [&](const Session& other) {
    return other.start > session.start;
  });
  sessions_.insert(place, session);
}

void SessionList::remove(int64_t id) {
  std::erase_if(sessions_, [id](const Session& session) { return session.id == id; });
}

std::unique_ptr<stream::StateObject> SessionList::clone() const {
  return std::make_unique<SessionList>(*this);
}

void SessionList::serialize(std::string& bytes) const {
  bytes.append(reinterpret_cast<const char*>(sessions_.data()), sessions_.size() * sizeof(Session));
}

int64_t SessionList::byte_size() const {
  return static_cast<int64_t>(sizeof(*this) + sessions_.capacity() * sizeof(Session));
}

Value SessionList::inspect() const {
  ValueList bounds;
  for (const Session& session : sessions_) {
    bounds.push_back(Value(ValueList{Value(session.start), Value(session.end)}));
  }
  return Value(std::move(bounds));
}

}  // namespace thalweg::operators
