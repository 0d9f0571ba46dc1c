#pragma once

#include <map>
#include <memory>
#include <string>

#include <librdkafka/rdkafka.h>

#include "thalweg/common/error.h"
#include "thalweg/connectors/kafka/client_events.h"
#include "thalweg/connectors/kafka/client_properties.h"

namespace thalweg::connectors::kafka {

struct TopicHandleDeleter {
  void operator()(rd_kafka_topic_t* topic) const { rd_kafka_topic_destroy(topic); }
};

using TopicHandle = std::unique_ptr<rd_kafka_topic_t, TopicHandleDeleter>;

struct PartitionListDeleter {
  void operator()(rd_kafka_topic_partition_list_t* list) const {
    rd_kafka_topic_partition_list_destroy(list);
  }
};

using PartitionList = std::unique_ptr<rd_kafka_topic_partition_list_t, PartitionListDeleter>;

PartitionList make_partition_list(size_t capacity = 1);

/// One librdkafka client with its background threads. Owned by the reader, writer or command that
/// made it and used on its thread; librdkafka's own threads reach only the events object. Logs
/// nothing by itself.
class Client {
 public:
  /// `extra` are settings by librdkafka's names that override the properties. `warn`, when given,
  /// hears of lost brokers.
  Client(PropertyScope role,
         const ClientProperties& properties,
         const std::map<std::string, std::string>& extra = {},
         Warn warn = nullptr);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  rd_kafka_t* get() const { return handle_; }

  ClientEvents& events() { return *events_; }

  const ClientProperties& properties() const { return properties_; }

  TopicHandle topic(const std::string& name) const;

  /// Serves callbacks that wait; true when there were any.
  bool serve(int timeout_ms = 0) { return rd_kafka_poll(handle_, timeout_ms) > 0; }

  /// How long one step of a wait that may take `ms` may be, so that cancelling is heard in time; it
  /// grows with `tries`, as a slow answer must fit in some day.
  int step_ms(int64_t ms, int tries) const;

  /// kBrokerUnreachable naming the addresses, why, and the way out.
  Error unreachable();

  /// The error for a failed request: unreachable brokers, missing topics and the rest each under
  /// their code.
  Error request_failed(rd_kafka_resp_err_t code, const std::string& what);

 private:
  ClientProperties properties_;
  std::unique_ptr<ClientEvents> events_;
  rd_kafka_t* handle_ = nullptr;
};

/// Throws kJobCancelled when nobody wants an answer any more: for loops that wait.
void check_cancelled(const ClientProperties& properties);

/// "what: librdkafka's text".
Error kafka_error(rd_kafka_resp_err_t code, const std::string& what);

}  // namespace thalweg::connectors::kafka
