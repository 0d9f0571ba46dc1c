#include "thalweg/connectors/kafka/client_events.h"

#include <netdb.h>

namespace thalweg::connectors::kafka {

void ClientEvents::attach(rd_kafka_conf_t* conf) {
  rd_kafka_conf_set_opaque(conf, this);
  rd_kafka_conf_set_log_cb(conf, &ClientEvents::on_log);
  rd_kafka_conf_set_error_cb(conf, &ClientEvents::on_error);
  rd_kafka_conf_set_dr_msg_cb(conf, &ClientEvents::on_delivery);
  if (resolve_address_) {
    rd_kafka_conf_set_resolve_cb(conf, &ClientEvents::on_resolve);
  }
}

std::string ClientEvents::last_failure() const {
  const std::lock_guard lock(mutex_);
  return last_failure_;
}

rd_kafka_resp_err_t ClientEvents::take_delivery_error() {
  const std::lock_guard lock(mutex_);
  return std::exchange(delivery_error_, RD_KAFKA_RESP_ERR_NO_ERROR);
}

// The log carries the system's own reason ("Connection refused"), the error callback only the sum
// of it.
void ClientEvents::on_log(const rd_kafka_t* client,
                          int level,
                          const char* facility,
                          const char* text) {
  constexpr int kErrorLevel = 3;
  auto* self = static_cast<ClientEvents*>(rd_kafka_opaque(client));
  if (self == nullptr || level > kErrorLevel || std::string_view(facility) != "FAIL") {
    return;
  }
  std::string_view reason(text);
  if (const size_t thread = reason.find("]: "); thread != std::string_view::npos) {
    reason.remove_prefix(thread + 3);  // "[thrd:localhost:9092/bootstrap]: "
  }
  if (const size_t details = reason.find(" (after "); details != std::string_view::npos) {
    reason = reason.substr(0, details);
  }
  const std::lock_guard lock(self->mutex_);
  self->last_failure_ = reason;
}

void ClientEvents::on_error(rd_kafka_t* client, int code, const char* reason, void* opaque) {
  static_cast<void>(client);
  auto* self = static_cast<ClientEvents*>(opaque);
  std::string told;
  {
    const std::lock_guard lock(self->mutex_);
    if (code != RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) {
      if (self->last_failure_.empty() || code == RD_KAFKA_RESP_ERR__AUTHENTICATION) {
        self->last_failure_ = reason;
      }
      return;
    }
    if (self->told_down_) {
      return;
    }
    self->told_down_ = true;
    told = "Kafka brokers are unreachable, trying on: " + self->last_failure_;
  }
  if (self->warn_) {
    self->warn_(told);
  }
}

void ClientEvents::on_delivery(rd_kafka_t* client,
                               const rd_kafka_message_t* message,
                               void* opaque) {
  static_cast<void>(client);
  auto* self = static_cast<ClientEvents*>(opaque);
  if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
    return;
  }
  const std::lock_guard lock(self->mutex_);
  if (self->delivery_error_ == RD_KAFKA_RESP_ERR_NO_ERROR) {
    self->delivery_error_ = message->err;
  }
}

int ClientEvents::on_resolve(const char* node,
                             const char* service,
                             const struct addrinfo* hints,
                             struct addrinfo** result,
                             void* opaque) {
  if (node == nullptr && service == nullptr && hints == nullptr) {
    freeaddrinfo(*result);
    return 0;
  }
  const auto* self = static_cast<const ClientEvents*>(opaque);
  const std::string asked = std::string(node) + ":" + service;
  const std::string address = self->resolve_address_(asked);
  const size_t colon = address.rfind(':');
  if (address == asked || colon == std::string::npos) {
    return getaddrinfo(node, service, hints, result);
  }
  return getaddrinfo(address.substr(0, colon).c_str(), address.c_str() + colon + 1, hints, result);
}

}  // namespace thalweg::connectors::kafka
