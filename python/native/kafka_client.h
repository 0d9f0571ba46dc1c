#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <librdkafka/rdkafka.h>

namespace thalweg::binding {

struct KafkaMessage {
  int32_t partition = 0;
  int64_t offset = 0;
  int64_t timestamp_ms = 0;
  std::optional<std::string_view> key;
  std::optional<std::string_view> value;
};

struct PartitionInfo {
  int32_t partition = 0;
  int32_t leader = 0;
  int64_t first_offset = 0;
  int64_t next_offset = 0;
};

/// What the command-line tools do with a Kafka broker: topics, produce, consume. Owns one producer
/// and makes a consumer when needed. One thread. Waits are short, so that the caller can hear
/// signals in between.
class KafkaClient {
 public:
  /// `properties` are librdkafka's.
  explicit KafkaClient(std::map<std::string, std::string> properties);

  void create_topic(const std::string& name,
                    int32_t partitions,
                    const std::map<std::string, std::string>& config);
  void delete_topic(const std::string& name);
  /// Name and number of partitions, by name.
  std::vector<std::pair<std::string, int32_t>> topics();
  std::vector<PartitionInfo> describe_topic(const std::string& name);

  /// Waits while the queue is full. Throws when an earlier message could not be delivered.
  void produce(const std::string& topic,
               std::optional<std::string_view> key,
               std::optional<std::string_view> value);
  /// Messages that are still not delivered after `timeout_ms`.
  int32_t flush(int32_t timeout_ms);

  void subscribe(const std::string& topic, bool from_beginning);
  /// One message, valid until the next call; nullopt when none came.
  std::optional<KafkaMessage> poll(int32_t timeout_ms);

 private:
  struct Destroy {
    void operator()(rd_kafka_t* client) const { rd_kafka_destroy(client); }

    void operator()(rd_kafka_message_t* message) const { rd_kafka_message_destroy(message); }
  };

  using Client = std::unique_ptr<rd_kafka_t, Destroy>;

  Client make(rd_kafka_type_t type, const std::map<std::string, std::string>& more);
  void run_admin(
      const std::function<void(rd_kafka_t*, rd_kafka_AdminOptions_t*, rd_kafka_queue_t*)>& request,
      rd_kafka_admin_op_t operation,
      const std::string& topic);
  int32_t partition_count(const std::string& name);

  std::map<std::string, std::string> properties_;
  std::string servers_;
  Client producer_;
  Client consumer_;
  std::unique_ptr<rd_kafka_message_t, Destroy> message_;
  std::string delivery_error_;
};

}  // namespace thalweg::binding
