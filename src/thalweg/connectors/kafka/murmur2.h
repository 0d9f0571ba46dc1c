#pragma once

#include <cstdint>
#include <string_view>

namespace thalweg::connectors::kafka {

/// The hash of Kafka's Java client (its Utils.murmur2), which decides where a key lands.
uint32_t murmur2(std::string_view bytes);

/// The partition to which the Java client's default partitioner sends `key`.
inline int32_t partition_for_key(std::string_view key, int32_t partition_count) {
  return static_cast<int32_t>((murmur2(key) & 0x7fffffffU) %
                              static_cast<uint32_t>(partition_count));
}

}  // namespace thalweg::connectors::kafka
