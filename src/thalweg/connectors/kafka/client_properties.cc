#include "thalweg/connectors/kafka/client_properties.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "thalweg/common/error.h"
#include "thalweg/connectors/kafka/jaas.h"
#include "thalweg/connectors/kafka/java_store.h"

namespace thalweg::connectors::kafka {
namespace {

using stream::OptionMap;

Error invalid(const std::string& key, const std::string& what) {
  return Error(ErrorCode::kInvalidOption,
               "Invalid value for option 'properties." + key + "': " + what);
}

int64_t number(const std::string& key, const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw invalid(key, "'" + text + "' is not a whole number");
  }
  return value;
}

bool boolean(const std::string& key, const std::string& text) {
  if (text == "true" || text == "false") {
    return text == "true";
  }
  throw invalid(key, "'" + text + "' is neither true nor false");
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

/// Fills a ClientProperties from Java keys: one method for each group of keys that need more than a
/// new name.
class Translation {
 public:
  Translation(const OptionMap& java, PropertyScope role, const Warn& warn)
      : java_(java), role_(role), warn_(warn) {}

  ClientProperties run() {
    set_defaults();
    for (const auto& [key, value] : java_) {
      apply(key, value);
    }
    translate_sasl();
    translate_trust_store();
    translate_key_store();
    settle_idempotence();
    if (result_.bootstrap_servers.empty()) {
      throw Error(ErrorCode::kMissingOption,
                  "Required option missing: 'properties.bootstrap.servers'")
          .hint("add 'properties.bootstrap.servers' = 'localhost:9092'");
    }
    return std::move(result_);
  }

 private:
  const std::string* find(const std::string& key) const {
    const auto found = java_.find(key);
    return found == java_.end() ? nullptr : &found->second;
  }

  void set(const std::string& key, std::string value) { result_.settings[key] = std::move(value); }

  /// Where librdkafka's defaults differ from those of the Java clients or of Flink, Java's and
  /// Flink's hold. The queue limits keep memory small: librdkafka would buffer 64 MiB for each
  /// partition.
  void set_defaults() {
    set("reconnect.backoff.ms", "50");
    set("reconnect.backoff.max.ms", "1000");
    if (role_ == PropertyScope::kConsumer) {
      set("isolation.level", "read_uncommitted");
      set("check.crcs", "true");
      set("enable.auto.commit", "false");
      set("queued.max.messages.kbytes", "16384");
    } else {
      set("delivery.timeout.ms", "120000");
      set("queue.buffering.max.kbytes", "32768");
    }
  }

  void apply(const std::string& key, const std::string& value) {
    const JavaProperty* property = find_java_property(key);
    if (property == nullptr) {
      warn_unknown(key);
      return;
    }
    if (property->scope != PropertyScope::kBoth && property->scope != role_) {
      return;
    }
    switch (property->rule) {
      case PropertyRule::kSame:
        set(key, value);
        note_same(key, value);
        break;
      case PropertyRule::kRenamed:
        set(std::string(property->target), value);
        break;
      case PropertyRule::kTranslated:
        translate(key, value);
        break;
      case PropertyRule::kIgnored:
        warn("Option 'properties." + key + "' has no effect: " + std::string(property->note) + ".");
        break;
      case PropertyRule::kRefused:
        throw invalid(key, std::string(property->note));
    }
  }

  void warn(const std::string& message) {
    if (warn_) {
      warn_(message);
    }
  }

  void warn_unknown(const std::string& key) {
    std::vector<std::string> known;
    for (const JavaProperty& property : java_properties()) {
      known.emplace_back(property.key);
    }
    std::string message =
        "Option 'properties." + key + "' has no effect: Kafka's clients have no such setting.";
    if (const auto near = stream::did_you_mean(key, known)) {
      message += " Did you mean 'properties." + *near + "'?";
    }
    warn(message);
  }

  void note_same(const std::string& key, const std::string& value) {
    if (key == "bootstrap.servers") {
      result_.bootstrap_servers = value;
    } else if (key == "group.id") {
      result_.group_id = value;
    }
  }

  void translate(const std::string& key, const std::string& value) {
    if (key == "auto.offset.reset") {
      if (value != "earliest" && value != "latest" && value != "none") {
        throw invalid(key, "'" + value + "' is none of earliest, latest, none");
      }
      result_.auto_offset_reset = value;
    } else if (key == "buffer.memory") {
      set("queue.buffering.max.kbytes",
          std::to_string(std::max<int64_t>(1, number(key, value) / 1024)));
    } else if (key == "client.id.prefix") {
      result_.client_id_prefix = value;
    } else if (key == "commit.offsets.on.checkpoint") {
      result_.commit_on_checkpoint = boolean(key, value);
    } else if (key == "exclude.internal.topics") {
      result_.exclude_internal_topics = boolean(key, value);
    } else if (key == "default.api.timeout.ms" || key == "max.block.ms") {
      result_.connect_timeout_ms = result_.request_timeout_ms = number(key, value);
    } else if (key == "partitioner.ignore.keys") {
      result_.ignore_keys = result_.ignore_keys || boolean(key, value);
    } else if (key == "partitioner.class") {
      translate_partitioner(key, value);
    } else if (key == "transaction.timeout.ms") {
      result_.transaction_timeout_ms = number(key, value);
    } else {
      translate_network(key, value);
    }
  }

  void translate_network(const std::string& key, const std::string& value) {
    if (key == "receive.buffer.bytes" || key == "send.buffer.bytes") {
      // -1 and librdkafka's 0 both leave the size to the system.
      const std::string side = key == "receive.buffer.bytes" ? "receive" : "send";
      set("socket." + side + ".buffer.bytes",
          std::to_string(std::max<int64_t>(0, number(key, value))));
    } else if (key == "request.timeout.ms") {
      set("socket.timeout.ms",
          std::to_string(std::clamp<int64_t>(number(key, value), 10, 300'000)));
    } else if (key == "retry.backoff.ms") {
      if (role_ == PropertyScope::kProducer) {
        set("retry.backoff.ms",
            std::to_string(std::clamp<int64_t>(number(key, value), 1, 300'000)));
      }
    } else if (key == "security.protocol") {
      set(key, lower(value));
    } else if (key == "ssl.endpoint.identification.algorithm") {
      set(key, value.empty() ? "none" : lower(value));
    }
    // sasl.* and the stores need several keys at once and are done afterwards.
  }

  void translate_partitioner(const std::string& key, const std::string& value) {
    if (value.ends_with(".RoundRobinPartitioner") || value.ends_with(".UniformStickyPartitioner")) {
      result_.ignore_keys = true;
    } else if (!value.ends_with(".DefaultPartitioner")) {
      throw invalid(key, "the Java class '" + value + "' can't be used here")
          .hint("use 'sink.partitioner' = 'default', 'fixed' or 'round-robin'");
    }
  }

  void translate_sasl() {
    if (const std::string* handler = find("sasl.login.callback.handler.class")) {
      if (!handler->ends_with(".OAuthBearerLoginCallbackHandler")) {
        throw invalid("sasl.login.callback.handler.class",
                      "the Java class '" + *handler + "' can't be used here");
      }
      set("sasl.oauthbearer.method", "oidc");
    }
    const std::string* jaas = find("sasl.jaas.config");
    if (jaas == nullptr) {
      return;
    }
    const JaasEntry entry = parse_jaas(*jaas);
    const auto move_option = [&](const char* from, const char* to) {
      if (const auto found = entry.options.find(from); found != entry.options.end()) {
        set(to, found->second);
      }
    };
    const std::string& module = entry.login_module;
    if (module.ends_with("PlainLoginModule") || module.ends_with("ScramLoginModule")) {
      move_option("username", "sasl.username");
      move_option("password", "sasl.password");
    } else if (module.ends_with("OAuthBearerLoginModule")) {
      move_option("clientId", "sasl.oauthbearer.client.id");
      move_option("clientSecret", "sasl.oauthbearer.client.secret");
      move_option("scope", "sasl.oauthbearer.scope");
    } else if (module.ends_with("Krb5LoginModule")) {
      move_option("keyTab", "sasl.kerberos.keytab");
      move_option("principal", "sasl.kerberos.principal");
      move_option("serviceName", "sasl.kerberos.service.name");
    } else {
      throw invalid("sasl.jaas.config", "login module '" + module + "' is not known here")
          .hint(
              "PlainLoginModule, ScramLoginModule, OAuthBearerLoginModule and Krb5LoginModule are");
    }
  }

  void translate_trust_store() {
    if (const std::string* path = find("ssl.truststore.location")) {
      const std::string* password = find("ssl.truststore.password");
      set("ssl.ca.pem",
          trusted_certificates(*path, read_store(*path), password == nullptr ? "" : *password));
    }
  }

  void translate_key_store() {
    const std::string* key_password = find("ssl.key.password");
    if (key_password != nullptr) {
      set("ssl.key.password", *key_password);
    }
    const std::string* path = find("ssl.keystore.location");
    if (path == nullptr) {
      return;
    }
    switch (store_kind(read_store(*path))) {
      case StoreKind::kPem:
        set("ssl.key.location", *path);
        set("ssl.certificate.location", *path);
        break;
      case StoreKind::kPkcs12:
        set("ssl.keystore.location", *path);
        if (const std::string* password = find("ssl.keystore.password")) {
          set("ssl.keystore.password", *password);
        }
        break;
      case StoreKind::kJks:
        throw invalid("ssl.keystore.location",
                      "'" + *path + "' is a JKS file, whose private keys only Java can read")
            .hint("convert it: keytool -importkeystore -srckeystore " + *path +
                  " -destkeystore keystore.p12 -deststoretype pkcs12");
    }
  }

  /// Java's producer is idempotent unless other settings forbid it.
  void settle_idempotence() {
    if (role_ != PropertyScope::kProducer || find("enable.idempotence") != nullptr) {
      return;
    }
    const std::string* acks = find("acks");
    const std::string* retries = find("retries");
    const std::string* in_flight = find("max.in.flight.requests.per.connection");
    const bool forbidden =
        (acks != nullptr && *acks != "all" && *acks != "-1") ||
        (retries != nullptr && *retries == "0") ||
        (in_flight != nullptr && number("max.in.flight.requests.per.connection", *in_flight) > 5);
    set("enable.idempotence", forbidden ? "false" : "true");
  }

  const OptionMap& java_;
  PropertyScope role_;
  const Warn& warn_;
  ClientProperties result_;
};

}  // namespace

ClientProperties translate_properties(const OptionMap& java, PropertyScope role, const Warn& warn) {
  return Translation(java, role, warn).run();
}

}  // namespace thalweg::connectors::kafka
