#include "thalweg/operators/window/watermark_state.h"

#include <algorithm>
#include <cstring>

#include "thalweg/common/check.h"

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
  // As in Flink's WindowAggOperator: after the end of time a restored job starts over.
  return lowest == kMaxEventTime ? kMinEventTime : lowest;
}

void keep_watermark(stream::OperatorListState& state, EventTime watermark) {
  std::string item(sizeof(int64_t), '\0');
  std::memcpy(item.data(), &watermark.ms, sizeof(int64_t));
  state.update({std::move(item)});
}

}  // namespace thalweg::operators
