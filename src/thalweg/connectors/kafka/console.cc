#include <algorithm>

#include "thalweg/connectors/kafka/admin.h"
#include "thalweg/connectors/kafka/partition_queue.h"
#include "thalweg/connectors/kafka/partitioner.h"
#include "thalweg/connectors/kafka/producer.h"

namespace thalweg::connectors::kafka {
namespace {

std::optional<std::string> owned(const void* data, size_t size) {
  return data == nullptr ? std::nullopt
                         : std::optional(std::string(static_cast<const char*>(data), size));
}

RawRecord to_raw_record(const rd_kafka_message_t& message, const TopicPartition& partition) {
  RawRecord record{.partition = partition, .offset = message.offset};
  rd_kafka_timestamp_type_t type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
  record.timestamp_ms = rd_kafka_message_timestamp(&message, &type);
  record.key = owned(message.key, message.key_len);
  record.value = owned(message.payload, message.len);
  rd_kafka_headers_t* headers = nullptr;
  if (rd_kafka_message_headers(&message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR) {
    const char* name = nullptr;
    const void* value = nullptr;
    size_t size = 0;
    for (size_t i = 0;
         rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR;
         ++i) {
      record.headers.emplace_back(name, owned(value, size));
    }
  }
  return record;
}

std::vector<KafkaSplit> splits_of(const ClientProperties& properties,
                                  const ConsumeRequest& request) {
  Cluster cluster(properties);
  std::vector<TopicPartition> partitions;
  const int32_t count = cluster.partition_count(request.topic);
  for (int32_t partition = 0; partition < count; ++partition) {
    if (!request.partition || *request.partition == partition) {
      partitions.push_back({request.topic, partition});
    }
  }
  if (partitions.empty()) {
    throw Error(ErrorCode::kTopicNotFound,
                fmt::format("Kafka topic '{}' has no partition {}, it has {}",
                            request.topic,
                            *request.partition,
                            count));
  }
  const std::vector<int64_t> ends = cluster.latest_offsets(partitions);
  const std::vector<int64_t> starts =
      request.from_beginning ? cluster.earliest_offsets(partitions) : ends;
  std::vector<KafkaSplit> splits;
  for (size_t i = 0; i < partitions.size(); ++i) {
    KafkaSplit split{partitions[i], starts[i]};
    if (request.until_end) {
      split.stop = ends[i];
    }
    if (!split.is_finished()) {
      splits.push_back(std::move(split));
    }
  }
  return splits;
}

/// Hands over what is there; false when `on_record` wants no more.
bool drain(PartitionQueue& queue,
           const std::function<bool(const RawRecord&)>& on_record,
           bool& found) {
  constexpr size_t kAtOnce = 500;
  KafkaSplit& split = queue.split();
  const MessageBatch batch = queue.take(kAtOnce, 0);
  for (const rd_kafka_message_t* message : batch.messages()) {
    if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR &&
        message->err != RD_KAFKA_RESP_ERR__PARTITION_EOF) {
      continue;  // lost brokers come back
    }
    split.offset = std::max(split.offset, message->offset);
    if (split.is_finished()) {
      return true;
    }
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      found = true;
      split.offset = message->offset + 1;
      if (!on_record(to_raw_record(*message, split.partition))) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

void consume(const ClientProperties& properties,
             const ConsumeRequest& request,
             const std::function<bool(const RawRecord&)>& on_record,
             const std::function<bool()>& should_stop) {
  Arrivals arrivals;
  Client client(PropertyScope::kConsumer,
                properties,
                {{"auto.offset.reset", "earliest"},
                 {"enable.auto.commit", "false"},
                 {"enable.partition.eof", "true"},
                 {"fetch.wait.max.ms", "50"}});
  std::vector<std::unique_ptr<PartitionQueue>> queues;
  for (KafkaSplit& split : splits_of(properties, request)) {
    queues.push_back(std::make_unique<PartitionQueue>(client, std::move(split), arrivals));
  }
  while (!queues.empty() && !should_stop()) {
    bool found = false;
    for (const auto& queue : queues) {
      if (!drain(*queue, on_record, found)) {
        return;
      }
    }
    std::erase_if(queues, [](const auto& queue) { return queue->split().is_finished(); });
    client.serve();
    if (!found && !queues.empty()) {
      constexpr int64_t kStopCheckMs = 100;
      arrivals.wait(kStopCheckMs);
    }
  }
}

struct RecordSender::Parts {
  Parts(const ClientProperties& properties, const std::string& topic)
      : producer(properties, {}, nullptr),
        partitioner(PartitionerKind::kDefault, properties.ignore_keys, 0) {
    directory.index_of(topic, producer.client());
    producer.set_topics(directory.names());
  }

  TopicDirectory directory;
  Producer producer;
  Partitioner partitioner;
  OutgoingRecord record;
};

RecordSender::RecordSender(const ClientProperties& properties, std::string topic)
    : parts_(std::make_unique<Parts>(properties, topic)) {}

RecordSender::~RecordSender() = default;

void RecordSender::send(std::optional<std::string_view> key,
                        std::optional<std::string_view> value,
                        std::optional<int64_t> timestamp_ms) {
  OutgoingRecord& record = parts_->record;
  record.key = key;
  record.value = value;
  record.timestamp_ms = timestamp_ms;
  const size_t size = (key ? key->size() : 0) + (value ? value->size() : 0);
  record.partition = parts_->partitioner.choose(
      key, size, parts_->directory.partition_count(0, parts_->producer.client()));
  parts_->producer.send(record);
}

void RecordSender::flush() {
  parts_->producer.flush();
}

int32_t RecordSender::flush(int32_t timeout_ms) {
  return parts_->producer.flush(timeout_ms);
}

}  // namespace thalweg::connectors::kafka
