#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace thalweg::connectors::kafka {

/// What becomes of a configuration key of Kafka's Java clients (`properties.KEY` in a table).
enum class PropertyRule : uint8_t {
  /// librdkafka has it under the same name and with the same values.
  kSame,
  /// librdkafka has it under the name in `target`.
  kRenamed,
  /// The code in client_properties.cc turns it into something else.
  kTranslated,
  /// It has no effect here, and the user is told so.
  kIgnored,
  /// It names Java code or asks for what can't be done; `note` says what to do instead.
  kRefused,
};

/// Which client a key belongs to; keys of the other kind are passed over silently, as one table may
/// be source and sink.
enum class PropertyScope : uint8_t { kBoth, kConsumer, kProducer };

struct JavaProperty {
  std::string_view key;
  PropertyScope scope = PropertyScope::kBoth;
  PropertyRule rule = PropertyRule::kSame;
  std::string_view target = {};
  std::string_view note = {};
};

/// All keys of the Java consumer, producer and of Flink's own source, in alphabetical order.
std::span<const JavaProperty> java_properties();

/// Null when the Java clients have no such key.
const JavaProperty* find_java_property(std::string_view key);

}  // namespace thalweg::connectors::kafka
