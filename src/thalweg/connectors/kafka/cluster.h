#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/connectors/kafka/client.h"

namespace thalweg::connectors::kafka {

struct TopicPartition {
  std::string topic;
  int32_t partition = 0;

  auto operator<=>(const TopicPartition&) const = default;
};

struct TopicInfo {
  std::string name;
  int32_t partition_count = 0;
};

/// Questions to a cluster, asked with a consumer (a producer's question would create a missing
/// topic). Each waits for the answer at most as long as the properties say. Throws
/// kBrokerUnreachable, kTopicNotFound, kKafkaFailed.
class Cluster {
 public:
  explicit Cluster(const ClientProperties& properties);

  /// All topics, internal ones included, by name.
  std::vector<TopicInfo> topics();

  /// Throws kTopicNotFound with the nearest name.
  int32_t partition_count(const std::string& topic);

  /// Offsets in the order of the partitions.
  std::vector<int64_t> earliest_offsets(const std::vector<TopicPartition>& partitions);
  std::vector<int64_t> latest_offsets(const std::vector<TopicPartition>& partitions);
  /// The first offset at or after a time; the end where there is none.
  std::vector<int64_t> offsets_for_time(const std::vector<TopicPartition>& partitions,
                                        int64_t timestamp_ms);
  /// What the properties' group committed; nullopt where nothing.
  std::vector<std::optional<int64_t>> committed_offsets(
      const std::vector<TopicPartition>& partitions);

  Client& client() { return client_; }

 private:
  std::vector<int64_t> list_offsets(const std::vector<TopicPartition>& partitions,
                                    int64_t timestamp_ms);

  int request_timeout() const { return static_cast<int>(client_.properties().request_timeout_ms); }

  Client client_;
};

/// The partitions of `topic` as a producer of it sees them: asking creates the topic where the
/// cluster allows that.
int32_t partition_count_for_producer(Client& producer, rd_kafka_topic_t* topic);

/// Internal to Kafka, as its Java client counts them.
bool is_internal_topic(const std::string& name);

}  // namespace thalweg::connectors::kafka
