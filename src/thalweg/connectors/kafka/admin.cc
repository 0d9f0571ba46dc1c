#include "thalweg/connectors/kafka/admin.h"

#include <array>
#include <memory>

namespace thalweg::connectors::kafka {
namespace {

struct EventDeleter {
  void operator()(rd_kafka_event_t* event) const { rd_kafka_event_destroy(event); }
};

using Event = std::unique_ptr<rd_kafka_event_t, EventDeleter>;

struct NewTopicDeleter {
  void operator()(rd_kafka_NewTopic_t* topic) const { rd_kafka_NewTopic_destroy(topic); }
};

/// Sends an administration request with `send(queue)` and waits for its answer.
template <typename Send>
Event ask(Client& client, const std::string& what, Send&& send) {
  rd_kafka_queue_t* queue = rd_kafka_queue_new(client.get());
  send(queue);
  Event event(rd_kafka_queue_poll(queue, static_cast<int>(client.properties().request_timeout_ms)));
  rd_kafka_queue_destroy(queue);
  if (event == nullptr) {
    throw client.unreachable();
  }
  if (const auto code = rd_kafka_event_error(event.get()); code != RD_KAFKA_RESP_ERR_NO_ERROR) {
    throw client.request_failed(code, what);
  }
  return event;
}

void check_result(const rd_kafka_topic_result_t& result, const std::string& what) {
  const auto code = rd_kafka_topic_result_error(&result);
  if (code == RD_KAFKA_RESP_ERR_NO_ERROR) {
    return;
  }
  const char* text = rd_kafka_topic_result_error_string(&result);
  const auto kind = code == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS ? ErrorCode::kAlreadyExists
                                                                   : ErrorCode::kKafkaFailed;
  throw Error(kind, what + ": " + (text == nullptr ? rd_kafka_err2str(code) : text));
}

}  // namespace

void Admin::create_topic(const NewTopic& topic) {
  cluster_.topics();  // says at once when no broker is there
  const std::string what = "Kafka topic '" + topic.name + "' could not be created";
  std::array<char, 512> text{};
  const std::unique_ptr<rd_kafka_NewTopic_t, NewTopicDeleter> request(
      rd_kafka_NewTopic_new(topic.name.c_str(),
                            topic.partition_count,
                            topic.replication_factor,
                            text.data(),
                            text.size()));
  if (request == nullptr) {
    throw Error(ErrorCode::kInvalidOption, what + ": " + text.data());
  }
  for (const auto& [key, value] : topic.configuration) {
    rd_kafka_NewTopic_set_config(request.get(), key.c_str(), value.c_str());
  }
  rd_kafka_NewTopic_t* list[] = {request.get()};
  Client& client = cluster_.client();
  const Event event = ask(client, what, [&](rd_kafka_queue_t* queue) {
    rd_kafka_CreateTopics(client.get(), list, 1, nullptr, queue);
  });
  size_t count = 0;
  const auto* results =
      rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(event.get()), &count);
  check_result(*results[0], what);
}

void Admin::delete_topic(const std::string& name) {
  cluster_.partition_count(name);
  const std::string what = "Kafka topic '" + name + "' could not be deleted";
  rd_kafka_DeleteTopic_t* list[] = {rd_kafka_DeleteTopic_new(name.c_str())};
  Client& client = cluster_.client();
  const Event event = ask(client, what, [&](rd_kafka_queue_t* queue) {
    rd_kafka_DeleteTopics(client.get(), list, 1, nullptr, queue);
    rd_kafka_DeleteTopic_destroy(list[0]);
  });
  size_t count = 0;
  const auto* results =
      rd_kafka_DeleteTopics_result_topics(rd_kafka_event_DeleteTopics_result(event.get()), &count);
  check_result(*results[0], what);
}

std::vector<PartitionDescription> Admin::describe_topic(const std::string& name) {
  const int32_t count = cluster_.partition_count(name);
  std::vector<PartitionDescription> result(static_cast<size_t>(count));
  std::vector<TopicPartition> partitions;
  for (int32_t partition = 0; partition < count; ++partition) {
    partitions.push_back({name, partition});
  }
  const auto first = cluster_.earliest_offsets(partitions);
  const auto end = cluster_.latest_offsets(partitions);
  Client& client = cluster_.client();
  const TopicHandle topic = client.topic(name);
  const rd_kafka_metadata_t* metadata = nullptr;
  const auto code = rd_kafka_metadata(client.get(),
                                      0,
                                      topic.get(),
                                      &metadata,
                                      static_cast<int>(client.properties().request_timeout_ms));
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
    throw client.request_failed(code, "Kafka topic '" + name + "' could not be described");
  }
  for (int i = 0; i < metadata->topics[0].partition_cnt; ++i) {
    const rd_kafka_metadata_partition_t& found = metadata->topics[0].partitions[i];
    const auto index = static_cast<size_t>(found.id);
    if (index < result.size()) {
      result[index] = {found.id,
                       found.leader,
                       {found.replicas, found.replicas + found.replica_cnt},
                       {found.isrs, found.isrs + found.isr_cnt},
                       first[index],
                       end[index]};
    }
  }
  rd_kafka_metadata_destroy(metadata);
  return result;
}

}  // namespace thalweg::connectors::kafka
