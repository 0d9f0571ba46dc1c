#include "thalweg/connectors/kafka/producer.h"

#include <chrono>

#include "thalweg/connectors/kafka/cluster.h"

namespace thalweg::connectors::kafka {
namespace {

constexpr int64_t kMetadataMaxAgeMs = 300'000;  // the Java client's metadata.max.age.ms

int64_t steady_now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// librdkafka takes a zero-length value through a pointer that is not null.
void* bytes(std::string_view text) {
  return const_cast<char*>(text.data() == nullptr ? "" : text.data());
}

rd_kafka_headers_t* to_headers(const std::vector<Header>& headers) {
  rd_kafka_headers_t* list = rd_kafka_headers_new(headers.size());
  for (const auto& [name, value] : headers) {
    rd_kafka_header_add(list,
                        name.data(),
                        static_cast<ssize_t>(name.size()),
                        value ? bytes(*value) : nullptr,
                        value ? static_cast<ssize_t>(value->size()) : 0);
  }
  return list;
}

}  // namespace

size_t TopicDirectory::index_of(std::string_view topic, Client& client) {
  const auto found = indices_.find(topic);
  if (found != indices_.end()) {
    return found->second;
  }
  const TopicHandle handle = client.topic(std::string(topic));
  known_.push_back({partition_count_for_producer(client, handle.get()), steady_now_ms()});
  names_.emplace_back(topic);
  indices_.emplace(topic, names_.size() - 1);
  return names_.size() - 1;
}

int32_t TopicDirectory::partition_count(size_t index, Client& client) {
  Known& known = known_[index];
  const int64_t now = steady_now_ms();
  if (now - known.asked_at_ms > kMetadataMaxAgeMs) {
    known.asked_at_ms = now;
    const TopicHandle handle = client.topic(names_[index]);
    const rd_kafka_metadata_t* answer = nullptr;
    constexpr int kWaitMs = 1000;
    if (rd_kafka_metadata(client.get(), 0, handle.get(), &answer, kWaitMs) ==
        RD_KAFKA_RESP_ERR_NO_ERROR) {
      known.partition_count = std::max(known.partition_count, answer->topics[0].partition_cnt);
      rd_kafka_metadata_destroy(answer);
    }
  }
  return known.partition_count;
}

Producer::Producer(const ClientProperties& properties,
                   const std::map<std::string, std::string>& extra,
                   Warn warn)
    : client_(PropertyScope::kProducer, properties, extra, std::move(warn)) {}

void Producer::set_topics(const std::vector<std::string>& topics) {
  topic_names_ = &topics;
  for (size_t i = 0; i < topics_.size(); ++i) {
    if (i >= topics.size() || topics[i] != rd_kafka_topic_name(topics_[i].get())) {
      topics_.clear();
    }
  }
}

rd_kafka_topic_t* Producer::topic(size_t index) {
  while (topics_.size() <= index) {
    topics_.push_back(client_.topic((*topic_names_)[topics_.size()]));
  }
  return topics_[index].get();
}

rd_kafka_resp_err_t Producer::produce(rd_kafka_topic_t* topic, const OutgoingRecord& record) {
  void* value = record.value ? bytes(*record.value) : nullptr;
  const size_t value_size = record.value ? record.value->size() : 0;
  void* key = record.key ? bytes(*record.key) : nullptr;
  const size_t key_size = record.key ? record.key->size() : 0;
  if (!record.timestamp_ms && record.headers.empty()) {
    return rd_kafka_produce(topic,
                            record.partition,
                            RD_KAFKA_MSG_F_COPY,
                            value,
                            value_size,
                            key,
                            key_size,
                            nullptr) == 0
               ? RD_KAFKA_RESP_ERR_NO_ERROR
               : rd_kafka_last_error();
  }
  rd_kafka_headers_t* headers = to_headers(record.headers);
  const auto code = rd_kafka_producev(client_.get(),
                                      RD_KAFKA_V_RKT(topic),
                                      RD_KAFKA_V_PARTITION(record.partition),
                                      RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                                      RD_KAFKA_V_VALUE(value, value_size),
                                      RD_KAFKA_V_KEY(key, key_size),
                                      RD_KAFKA_V_TIMESTAMP(record.timestamp_ms.value_or(0)),
                                      RD_KAFKA_V_HEADERS(headers),
                                      RD_KAFKA_V_END);
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
    rd_kafka_headers_destroy(headers);
  }
  return code;
}

void Producer::send(const OutgoingRecord& record) {
  constexpr int kRoomCheckMs = 50;
  rd_kafka_topic_t* target = topic(record.topic);
  while (true) {
    const auto code = produce(target, record);
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR) {
      break;
    }
    if (code != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
      throw kafka_error(code,
                        fmt::format("Record could not be sent to Kafka topic '{}', partition {}",
                                    (*topic_names_)[record.topic],
                                    record.partition));
    }
    // Ends in any case: each buffered record is delivered or given up within its delivery time-out.
    check_cancelled(client_.properties());
    client_.serve(kRoomCheckMs);
    throw_undelivered();
  }
}

void Producer::throw_undelivered() {
  const auto code = client_.events().take_delivery_error();
  if (code == RD_KAFKA_RESP_ERR_NO_ERROR) {
    return;
  }
  if (code == RD_KAFKA_RESP_ERR__MSG_TIMED_OUT && !client_.events().last_failure().empty()) {
    throw client_.unreachable();
  }
  throw kafka_error(
      code, "Records could not be delivered to Kafka at " + client_.properties().bootstrap_servers);
}

void Producer::flush() {
  constexpr int32_t kStepMs = 200;
  while (flush(kStepMs) > 0) {
    check_cancelled(client_.properties());
  }
}

int32_t Producer::flush(int32_t timeout_ms) {
  const bool done = rd_kafka_flush(client_.get(), timeout_ms) == RD_KAFKA_RESP_ERR_NO_ERROR;
  throw_undelivered();
  return done ? 0 : std::max(rd_kafka_outq_len(client_.get()), 1);
}

}  // namespace thalweg::connectors::kafka
