#pragma once

#include <cstdint>
#include <optional>

#include "thalweg/connectors/kafka/cluster.h"
#include "thalweg/stream/source.h"

namespace thalweg::connectors::kafka {

/// Read from the first record that there is.
inline constexpr int64_t kEarliestOffset = -2;

/// One partition being read. As a stream::Split its id is "topic-partition" and its position
/// "offset" or "offset..stop".
struct KafkaSplit {
  TopicPartition partition;
  /// The next record to read, or kEarliestOffset.
  int64_t offset = kEarliestOffset;
  /// The first record not to read any more.
  std::optional<int64_t> stop = std::nullopt;

  bool is_finished() const { return stop && offset >= *stop; }

  stream::Split to_split() const;
  /// Throws kRestoreFailed for a split that is not one of Kafka's.
  static KafkaSplit from_split(const stream::Split& split);
};

}  // namespace thalweg::connectors::kafka
