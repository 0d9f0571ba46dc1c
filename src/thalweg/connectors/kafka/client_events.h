#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include <librdkafka/rdkafka.h>

namespace thalweg::connectors::kafka {

/// What librdkafka reports about one client: why the last connection failed, lost brokers,
/// undelivered messages. Log and address callbacks come from librdkafka's threads, the others from
/// whoever polls; all are thread-safe.
class ClientEvents {
 public:
  ClientEvents(std::function<std::string(const std::string&)> resolve_address,
               std::function<void(const std::string&)> warn)
      : resolve_address_(std::move(resolve_address)), warn_(std::move(warn)) {}

  /// Sets the callbacks on `conf`, with this object as their opaque.
  void attach(rd_kafka_conf_t* conf);

  /// Why the last connection or request failed, or empty.
  std::string last_failure() const;

  /// The first message that could not be delivered since the last call, as an error code.
  rd_kafka_resp_err_t take_delivery_error();

 private:
  static void on_log(const rd_kafka_t* client, int level, const char* facility, const char* text);
  static void on_error(rd_kafka_t* client, int code, const char* reason, void* opaque);
  static void on_delivery(rd_kafka_t* client, const rd_kafka_message_t* message, void* opaque);
  static int on_resolve(const char* node,
                        const char* service,
                        const struct addrinfo* hints,
                        struct addrinfo** result,
                        void* opaque);

  std::function<std::string(const std::string&)> resolve_address_;
  std::function<void(const std::string&)> warn_;
  mutable std::mutex mutex_;
  std::string last_failure_;
  bool told_down_ = false;
  rd_kafka_resp_err_t delivery_error_ = RD_KAFKA_RESP_ERR_NO_ERROR;
};

}  // namespace thalweg::connectors::kafka
