#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "thalweg/connectors/kafka/java_property.h"
#include "thalweg/stream/option.h"

namespace thalweg::connectors::kafka {

/// A table's `properties.*`, made ready for librdkafka, with Java's and Flink's defaults. A value.
struct ClientProperties {
  /// Settings by librdkafka's names.
  std::map<std::string, std::string> settings;
  std::string bootstrap_servers;
  /// Empty when not given.
  std::string group_id;
  std::string client_id_prefix;
  /// "earliest", "latest", "none" or empty (not given).
  std::string auto_offset_reset;
  bool commit_on_checkpoint = true;
  bool exclude_internal_topics = true;
  /// `partitioner.ignore.keys`, and Java's RoundRobinPartitioner: keys don't choose the partition.
  bool ignore_keys = false;
  int64_t transaction_timeout_ms = 600'000;
  /// How long to wait for a broker's first answer before saying that it is unreachable.
  int64_t connect_timeout_ms = 10'000;
  /// How long one request of ours to a broker that was reached may take.
  int64_t request_timeout_ms = 60'000;
  /// Replaces host:port pairs (--alias); may be empty.
  std::function<std::string(const std::string&)> resolve_address;
  /// Asked from time to time by whoever waits for a broker; may be empty. Once it says true the
  /// waiting ends with kJobCancelled.
  std::function<bool()> is_cancelled = nullptr;
};

using Warn = std::function<void(const std::string&)>;

/// `java` holds keys without "properties.". `role` is kConsumer or kProducer. Throws kInvalidOption
/// for keys that can't be honoured and kMissingOption without bootstrap servers.
ClientProperties translate_properties(const stream::OptionMap& java,
                                      PropertyScope role,
                                      const Warn& warn);

}  // namespace thalweg::connectors::kafka
