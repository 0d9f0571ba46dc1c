#include "kafka_client.h"

#include <array>

#include "thalweg/common/error.h"

namespace thalweg::binding {

namespace {

constexpr int32_t kRequestTimeoutMs = 10'000;
constexpr size_t kErrorText = 512;

[[noreturn]] void fail(rd_kafka_resp_err_t code,
                       const std::string& servers,
                       const std::string& what) {
  const bool unreachable =
      code == RD_KAFKA_RESP_ERR__TRANSPORT || code == RD_KAFKA_RESP_ERR__TIMED_OUT ||
      code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN || code == RD_KAFKA_RESP_ERR__RESOLVE;
  if (unreachable) {
    throw Error(ErrorCode::kBrokerUnreachable,
                fmt::format("No Kafka broker answers at {}", servers))
        .hint("start one with `thalweg broker`, or give the right address with --bootstrap-server");
  }
  if (code == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART || code == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC) {
    throw Error(ErrorCode::kTopicNotFound, fmt::format("Topic not found: {}", what));
  }
  throw Error(ErrorCode::kKafkaFailed, fmt::format("{}: {}", rd_kafka_err2str(code), what));
}

struct DestroyTopicResult {
  void operator()(rd_kafka_NewTopic_t* topic) const { rd_kafka_NewTopic_destroy(topic); }

  void operator()(rd_kafka_DeleteTopic_t* topic) const { rd_kafka_DeleteTopic_destroy(topic); }

  void operator()(rd_kafka_queue_t* queue) const { rd_kafka_queue_destroy(queue); }

  void operator()(rd_kafka_event_t* event) const { rd_kafka_event_destroy(event); }

  void operator()(rd_kafka_AdminOptions_t* options) const {
    rd_kafka_AdminOptions_destroy(options);
  }

  void operator()(rd_kafka_topic_partition_list_t* list) const {
    rd_kafka_topic_partition_list_destroy(list);
  }
};

template <typename T>
using Owned = std::unique_ptr<T, DestroyTopicResult>;

void note_delivery(rd_kafka_t* client, const rd_kafka_message_t* message, void* opaque) {
  static_cast<void>(client);
  if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR) {
    *static_cast<std::string*>(opaque) = rd_kafka_err2str(message->err);
  }
}

void be_silent(const rd_kafka_t* client, int level, const char* facility, const char* text) {
  static_cast<void>(client);
  static_cast<void>(level);
  static_cast<void>(facility);
  static_cast<void>(text);
}

/// The error of the one topic in an answer.
rd_kafka_resp_err_t topic_error(const rd_kafka_topic_result_t** topics,
                                size_t count,
                                std::string& text) {
  if (count == 0) {
    return RD_KAFKA_RESP_ERR_NO_ERROR;
  }
  const char* message = rd_kafka_topic_result_error_string(topics[0]);
  text = message == nullptr ? "" : message;
  return rd_kafka_topic_result_error(topics[0]);
}

}  // namespace

KafkaClient::KafkaClient(std::map<std::string, std::string> properties)
    : properties_(std::move(properties)) {
  servers_ = properties_["bootstrap.servers"];
}

KafkaClient::Client KafkaClient::make(rd_kafka_type_t type,
                                      const std::map<std::string, std::string>& more) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  std::array<char, kErrorText> text{};
  std::map<std::string, std::string> all = more;
  all.insert(properties_.begin(), properties_.end());
  for (const auto& [key, value] : all) {
    if (rd_kafka_conf_set(conf, key.c_str(), value.c_str(), text.data(), text.size()) !=
        RD_KAFKA_CONF_OK) {
      rd_kafka_conf_destroy(conf);
      throw Error(ErrorCode::kInvalidConfiguration, text.data());
    }
  }
  rd_kafka_conf_set_log_cb(conf, be_silent);
  if (type == RD_KAFKA_PRODUCER) {
    rd_kafka_conf_set_opaque(conf, &delivery_error_);
    rd_kafka_conf_set_dr_msg_cb(conf, note_delivery);
  }
  Client client(rd_kafka_new(type, conf, text.data(), text.size()));
  if (client == nullptr) {
    rd_kafka_conf_destroy(conf);
    throw Error(ErrorCode::kKafkaFailed, text.data());
  }
  return client;
}

void KafkaClient::run_admin(
    const std::function<void(rd_kafka_t*, rd_kafka_AdminOptions_t*, rd_kafka_queue_t*)>& request,
    rd_kafka_admin_op_t operation,
    const std::string& topic) {
  const Client client = make(RD_KAFKA_PRODUCER, {});
  const Owned<rd_kafka_queue_t> queue(rd_kafka_queue_new(client.get()));
  const Owned<rd_kafka_AdminOptions_t> options(rd_kafka_AdminOptions_new(client.get(), operation));
  request(client.get(), options.get(), queue.get());
  const Owned<rd_kafka_event_t> event(rd_kafka_queue_poll(queue.get(), kRequestTimeoutMs));
  if (event == nullptr) {
    fail(RD_KAFKA_RESP_ERR__TIMED_OUT, servers_, topic);
  }
  if (const rd_kafka_resp_err_t code = rd_kafka_event_error(event.get());
      code != RD_KAFKA_RESP_ERR_NO_ERROR) {
    fail(code, servers_, topic);
  }
  size_t count = 0;
  const rd_kafka_topic_result_t** topics =
      operation == RD_KAFKA_ADMIN_OP_CREATETOPICS
          ? rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(event.get()),
                                                &count)
          : rd_kafka_DeleteTopics_result_topics(rd_kafka_event_DeleteTopics_result(event.get()),
                                                &count);
  std::string text;
  const rd_kafka_resp_err_t code = topic_error(topics, count, text);
  if (code == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS) {
    throw Error(ErrorCode::kAlreadyExists, fmt::format("Topic already exists: {}", topic));
  }
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
    fail(code, servers_, topic + (text.empty() ? "" : " (" + text + ")"));
  }
}

void KafkaClient::create_topic(const std::string& name,
                               int32_t partitions,
                               const std::map<std::string, std::string>& config) {
  std::array<char, kErrorText> text{};
  const Owned<rd_kafka_NewTopic_t> topic(
      rd_kafka_NewTopic_new(name.c_str(), partitions, 1, text.data(), text.size()));
  if (topic == nullptr) {
    throw Error(ErrorCode::kInvalidConfiguration, text.data());
  }
  for (const auto& [key, value] : config) {
    rd_kafka_NewTopic_set_config(topic.get(), key.c_str(), value.c_str());
  }
  rd_kafka_NewTopic_t* topics[] = {topic.get()};
  run_admin(
      [&](rd_kafka_t* client, rd_kafka_AdminOptions_t* options, rd_kafka_queue_t* queue) {
        rd_kafka_CreateTopics(client, topics, 1, options, queue);
      },
      RD_KAFKA_ADMIN_OP_CREATETOPICS,
      name);
}

void KafkaClient::delete_topic(const std::string& name) {
  const Owned<rd_kafka_DeleteTopic_t> topic(rd_kafka_DeleteTopic_new(name.c_str()));
  rd_kafka_DeleteTopic_t* topics[] = {topic.get()};
  run_admin(
      [&](rd_kafka_t* client, rd_kafka_AdminOptions_t* options, rd_kafka_queue_t* queue) {
        rd_kafka_DeleteTopics(client, topics, 1, options, queue);
      },
      RD_KAFKA_ADMIN_OP_DELETETOPICS,
      name);
}

std::vector<std::pair<std::string, int32_t>> KafkaClient::topics() {
  const Client client = make(RD_KAFKA_PRODUCER, {});
  const rd_kafka_metadata_t* metadata = nullptr;
  const rd_kafka_resp_err_t code =
      rd_kafka_metadata(client.get(), 1, nullptr, &metadata, kRequestTimeoutMs);
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
    fail(code, servers_, "list of topics");
  }
  std::map<std::string, int32_t> found;
  for (int i = 0; i < metadata->topic_cnt; ++i) {
    found[metadata->topics[i].topic] = metadata->topics[i].partition_cnt;
  }
  rd_kafka_metadata_destroy(metadata);
  return {found.begin(), found.end()};
}

int32_t KafkaClient::partition_count(const std::string& name) {
  for (const auto& [topic, partitions] : topics()) {
    if (topic == name) {
      return partitions;
    }
  }
  fail(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, servers_, name);
}

std::vector<PartitionInfo> KafkaClient::describe_topic(const std::string& name) {
  const int32_t partitions = partition_count(name);
  const Client client = make(RD_KAFKA_PRODUCER, {});
  std::vector<PartitionInfo> result;
  for (int32_t partition = 0; partition < partitions; ++partition) {
    PartitionInfo info;
    info.partition = partition;
    const rd_kafka_resp_err_t code = rd_kafka_query_watermark_offsets(client.get(),
                                                                      name.c_str(),
                                                                      partition,
                                                                      &info.first_offset,
                                                                      &info.next_offset,
                                                                      kRequestTimeoutMs);
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
      fail(code, servers_, name);
    }
    result.push_back(info);
  }
  return result;
}

void KafkaClient::produce(const std::string& topic,
                          std::optional<std::string_view> key,
                          std::optional<std::string_view> value) {
  if (producer_ == nullptr) {
    producer_ = make(
        RD_KAFKA_PRODUCER,
        {{"linger.ms", "5"}, {"partitioner", "murmur2_random"}, {"message.timeout.ms", "10000"}});
  }
  if (!delivery_error_.empty()) {
    throw Error(ErrorCode::kKafkaFailed,
                fmt::format("A message to {} could not be delivered: {}", topic, delivery_error_));
  }
  while (true) {
    const std::string_view key_bytes = key.value_or(std::string_view());
    const std::string_view bytes = value.value_or(std::string_view());
    const char* key_data = key ? key_bytes.data() : nullptr;
    char* data = value ? const_cast<char*>(bytes.data()) : nullptr;
    const rd_kafka_resp_err_t code = rd_kafka_producev(producer_.get(),
                                                       RD_KAFKA_V_TOPIC(topic.c_str()),
                                                       RD_KAFKA_V_KEY(key_data, key_bytes.size()),
                                                       RD_KAFKA_V_VALUE(data, bytes.size()),
                                                       RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                                                       RD_KAFKA_V_END);
    rd_kafka_poll(producer_.get(), code == RD_KAFKA_RESP_ERR__QUEUE_FULL ? 100 : 0);
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR) {
      return;
    }
    if (code != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
      fail(code, servers_, topic);
    }
  }
}

int32_t KafkaClient::flush(int32_t timeout_ms) {
  if (producer_ == nullptr) {
    return 0;
  }
  rd_kafka_flush(producer_.get(), timeout_ms);
  if (!delivery_error_.empty()) {
    throw Error(ErrorCode::kKafkaFailed,
                fmt::format("A message could not be delivered: {}", delivery_error_))
        .hint(fmt::format("is there a broker at {}?", servers_));
  }
  return rd_kafka_outq_len(producer_.get());
}

void KafkaClient::subscribe(const std::string& topic, bool from_beginning) {
  const int32_t partitions = partition_count(topic);
  consumer_ = make(RD_KAFKA_CONSUMER,
                   {{"group.id", "thalweg-consume"},
                    {"enable.auto.commit", "false"},
                    {"auto.offset.reset", "earliest"},
                    {"isolation.level", "read_uncommitted"},
                    {"fetch.wait.max.ms", "100"}});
  rd_kafka_poll_set_consumer(consumer_.get());
  const Owned<rd_kafka_topic_partition_list_t> list(rd_kafka_topic_partition_list_new(partitions));
  for (int32_t partition = 0; partition < partitions; ++partition) {
    rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), partition)->offset =
        from_beginning ? RD_KAFKA_OFFSET_BEGINNING : RD_KAFKA_OFFSET_END;
  }
  if (const rd_kafka_resp_err_t code = rd_kafka_assign(consumer_.get(), list.get());
      code != RD_KAFKA_RESP_ERR_NO_ERROR) {
    fail(code, servers_, topic);
  }
}

std::optional<KafkaMessage> KafkaClient::poll(int32_t timeout_ms) {
  message_.reset(rd_kafka_consumer_poll(consumer_.get(), timeout_ms));
  if (message_ == nullptr || message_->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
    return std::nullopt;
  }
  if (message_->err != RD_KAFKA_RESP_ERR_NO_ERROR) {
    fail(message_->err, servers_, rd_kafka_message_errstr(message_.get()));
  }
  KafkaMessage result;
  result.partition = message_->partition;
  result.offset = message_->offset;
  result.timestamp_ms = rd_kafka_message_timestamp(message_.get(), nullptr);
  if (message_->key != nullptr) {
    result.key = std::string_view(static_cast<const char*>(message_->key), message_->key_len);
  }
  if (message_->payload != nullptr) {
    result.value = std::string_view(static_cast<const char*>(message_->payload), message_->len);
  }
  return result;
}

}  // namespace thalweg::binding
