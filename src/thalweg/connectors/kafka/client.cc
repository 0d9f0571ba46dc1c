#include "thalweg/connectors/kafka/client.h"

#include <array>

#include "thalweg/connectors/kafka/java_property.h"

namespace thalweg::connectors::kafka {
namespace {

/// The table option that a librdkafka setting came from, for messages.
std::string option_of(const std::string& setting) {
  for (const JavaProperty& property : java_properties()) {
    if (property.target == setting) {
      return "properties." + std::string(property.key);
    }
  }
  return "properties." + setting;
}

void set(rd_kafka_conf_t* conf, const std::string& key, const std::string& value) {
  std::array<char, 512> text{};
  if (rd_kafka_conf_set(conf, key.c_str(), value.c_str(), text.data(), text.size()) !=
      RD_KAFKA_CONF_OK) {
    rd_kafka_conf_destroy(conf);
    throw Error(ErrorCode::kInvalidOption,
                "Invalid value for option '" + option_of(key) + "': " + text.data());
  }
}

}  // namespace

PartitionList make_partition_list(size_t capacity) {
  return PartitionList(rd_kafka_topic_partition_list_new(static_cast<int>(capacity)));
}

Client::Client(PropertyScope role,
               const ClientProperties& properties,
               const std::map<std::string, std::string>& extra,
               Warn warn)
    : properties_(properties),
      events_(std::make_unique<ClientEvents>(properties.resolve_address, std::move(warn))) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  std::map<std::string, std::string> settings = properties.settings;
  for (const auto& [key, value] : extra) {
    settings[key] = value;
  }
  for (const auto& [key, value] : settings) {
    set(conf, key, value);
  }
  set(conf, "log.connection.close", "false");
  events_->attach(conf);
  std::array<char, 512> text{};
  const auto kind = role == PropertyScope::kProducer ? RD_KAFKA_PRODUCER : RD_KAFKA_CONSUMER;
  handle_ = rd_kafka_new(kind, conf, text.data(), text.size());
  if (handle_ == nullptr) {
    rd_kafka_conf_destroy(conf);
    throw Error(ErrorCode::kInvalidOption,
                std::string("Kafka client could not be configured: ") + text.data())
        .hint("check the table's 'properties.*' options");
  }
}

Client::~Client() {
  if (rd_kafka_type(handle_) == RD_KAFKA_PRODUCER) {
    // What nobody waited for is not worth delaying the end for.
    rd_kafka_purge(handle_, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
  }
  rd_kafka_destroy_flags(handle_, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
}

TopicHandle Client::topic(const std::string& name) const {
  TopicHandle handle(rd_kafka_topic_new(handle_, name.c_str(), nullptr));
  if (handle == nullptr) {
    throw kafka_error(rd_kafka_last_error(), "Kafka topic '" + name + "' could not be opened");
  }
  return handle;
}

void check_cancelled(const ClientProperties& properties) {
  if (properties.is_cancelled && properties.is_cancelled()) {
    throw Error(ErrorCode::kJobCancelled, "Job was cancelled.");
  }
}

int Client::step_ms(int64_t ms, int tries) const {
  constexpr int64_t kFirstMs = 1000;
  const int64_t longest = properties_.is_cancelled ? kFirstMs << std::min(tries, 6) : ms;
  return static_cast<int>(std::clamp<int64_t>(ms, 1, std::max<int64_t>(longest, 1)));
}

Error Client::unreachable() {
  serve();
  std::string message = "Kafka broker unreachable: " + properties_.bootstrap_servers;
  if (const std::string why = events_->last_failure(); !why.empty()) {
    message += " (" + why + ")";
  }
  return Error(ErrorCode::kBrokerUnreachable, std::move(message))
      .hint(
          "start a broker there (`thalweg broker --port PORT`), or correct "
          "'properties.bootstrap.servers'")
      .retryable();
}

Error Client::request_failed(rd_kafka_resp_err_t code, const std::string& what) {
  switch (code) {
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__TIMED_OUT:
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
    case RD_KAFKA_RESP_ERR__RESOLVE:
    case RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE:
      return unreachable();
    default:
      return kafka_error(code, what);
  }
}

Error kafka_error(rd_kafka_resp_err_t code, const std::string& what) {
  const auto kind =
      code == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART || code == RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC
          ? ErrorCode::kTopicNotFound
          : ErrorCode::kKafkaFailed;
  return Error(kind, what + ": " + rd_kafka_err2str(code)).retryable();
}

}  // namespace thalweg::connectors::kafka
