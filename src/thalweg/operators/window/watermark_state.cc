#include "thalweg/operators/window/watermark_state.h"

#include <algorithm>
#include <cstring>

#include "thalweg/common/check.h"
#include "thalweg/common/ids.h"

namespace thalweg::operators {

EventTime restored_watermark(const stream::OperatorListState& state) {
  if (state.restored().empty()) {
    return kMinEventTime;
  }
  EventTime lowest = kMaxEventTime;
  for (const std::string& item : state.restored()) {
    check(item.size() == sizeof(int64_t), "a kept watermark has 8 bytes");
    EventTime watermark;
    std::memcpy(&watermark.ms, item.data(), sizeof(int64_t));
    lowest = std::min(lowest, watermark);
  }
  return lowest;
}

void keep_watermark(stream::OperatorListState& state, EventTime watermark) {
  std::string item(sizeof(int64_t), '\0');
  std::memcpy(item.data(), &watermark.ms, sizeof(int64_t));
  // A list is dealt out among the subtasks of a restored job: one item for each there can be.
  state.update(std::vector<std::string>(kKeyGroups, item));
}

}  // namespace thalweg::operators
