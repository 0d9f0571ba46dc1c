#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "thalweg/connectors/kafka/cluster.h"

namespace thalweg::connectors::kafka {

struct NewTopic {
  std::string name;
  int32_t partition_count = 1;
  int32_t replication_factor = 1;
  /// Topic configuration by Kafka's names ("retention.ms").
  std::map<std::string, std::string> configuration = {};
};

struct PartitionDescription {
  int32_t partition = 0;
  int32_t leader = -1;
  std::vector<int32_t> replicas;
  std::vector<int32_t> in_sync_replicas;
  int64_t first_offset = 0;
  /// Where the next record will go.
  int64_t end_offset = 0;
};

/// Topic management for the command line. Used on one thread; each call waits for the cluster's
/// answer.
class Admin {
 public:
  explicit Admin(const ClientProperties& properties) : cluster_(properties) {}

  /// Throws kAlreadyExists when it is there.
  void create_topic(const NewTopic& topic);
  /// Throws kTopicNotFound with the nearest name.
  void delete_topic(const std::string& name);

  std::vector<TopicInfo> list_topics() { return cluster_.topics(); }

  std::vector<PartitionDescription> describe_topic(const std::string& name);

 private:
  Cluster cluster_;
};

/// A record as it lies in its topic.
struct RawRecord {
  TopicPartition partition;
  int64_t offset = 0;
  int64_t timestamp_ms = -1;
  std::optional<std::string> key;
  std::optional<std::string> value;
  std::vector<std::pair<std::string, std::optional<std::string>>> headers;
};

struct ConsumeRequest {
  std::string topic;
  /// All partitions when absent.
  std::optional<int32_t> partition = std::nullopt;
  bool from_beginning = false;
  /// End once everything that was there at the start has been read, instead of waiting for more.
  bool until_end = false;
};

/// Hands records to `on_record` until that returns false, `should_stop` (asked every tenth of a
/// second) returns true, or the end with `until_end`.
void consume(const ClientProperties& properties,
             const ConsumeRequest& request,
             const std::function<bool(const RawRecord&)>& on_record,
             const std::function<bool()>& should_stop);

/// Sends records of one topic, with keys going where Kafka's Java client sends them.
class RecordSender {
 public:
  RecordSender(const ClientProperties& properties, std::string topic);
  ~RecordSender();
  RecordSender(const RecordSender&) = delete;
  RecordSender& operator=(const RecordSender&) = delete;

  void send(std::optional<std::string_view> key,
            std::optional<std::string_view> value,
            std::optional<int64_t> timestamp_ms = std::nullopt);
  /// Waits until every record is acknowledged.
  void flush();
  /// As `flush`, for at most `timeout_ms`; how many records are not acknowledged then.
  int32_t flush(int32_t timeout_ms);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace thalweg::connectors::kafka
