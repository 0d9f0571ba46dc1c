#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <librdkafka/rdkafka.h>

#include "thalweg/connectors/kafka/cluster.h"
#include "thalweg/stream/connector.h"
#include "thalweg/types/column.h"

namespace thalweg::connectors::kafka {

enum class MetadataKind : uint8_t {
  kTopic,
  kPartition,
  kHeaders,
  kLeaderEpoch,
  kOffset,
  kTimestamp,
  kTimestampType,
};

/// The metadata keys of kafka tables, with Flink's types. `writable_topic`: the sink chooses the
/// topic for each row.
std::vector<stream::MetadataKey> kafka_metadata_keys(bool writable_topic);

/// Throws kInvalidTable with the nearest name.
MetadataKind metadata_kind(const std::string& key);

/// A column with the metadata of each message; all are of one partition.
ColumnPtr metadata_column(MetadataKind kind,
                          const TopicPartition& partition,
                          std::span<const rd_kafka_message_t* const> messages);

}  // namespace thalweg::connectors::kafka
