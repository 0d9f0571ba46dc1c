#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace thalweg::connectors::kafka {

using Header = std::pair<std::string_view, std::optional<std::string_view>>;

/// One record on its way to a topic; its bytes belong to whoever calls.
struct OutgoingRecord {
  /// An index into the writer's topics.
  size_t topic = 0;
  int32_t partition = 0;
  std::optional<std::string_view> key;
  std::optional<std::string_view> value;
  /// Milliseconds; absent: the producer's clock.
  std::optional<int64_t> timestamp_ms;
  std::vector<Header> headers;
};

/// Where a writer's records go: out at once, or into the epoch that the next checkpoint commits.
class RecordTarget {
 public:
  virtual ~RecordTarget() = default;
  virtual void send(const OutgoingRecord& record) = 0;
};

}  // namespace thalweg::connectors::kafka
