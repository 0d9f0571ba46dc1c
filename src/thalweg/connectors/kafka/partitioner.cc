#include "thalweg/connectors/kafka/partitioner.h"

#include "thalweg/connectors/kafka/murmur2.h"

namespace thalweg::connectors::kafka {

int32_t Partitioner::choose(std::optional<std::string_view> key,
                            size_t size,
                            int32_t partition_count) {
  if (kind_ == PartitionerKind::kFixed) {
    return subtask_ % partition_count;
  }
  if (key && !ignore_keys_) {
    return partition_for_key(*key, partition_count);
  }
  constexpr size_t kStickyBytes = 16384;  // the Java producer's batch.size
  if (sticky_bytes_ >= kStickyBytes) {
    sticky_bytes_ = 0;
    sticky_ = (sticky_ + 1) % partition_count;
  }
  sticky_bytes_ += size;
  return sticky_ % partition_count;
}

}  // namespace thalweg::connectors::kafka
