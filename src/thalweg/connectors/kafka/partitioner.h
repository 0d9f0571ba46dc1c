#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "thalweg/connectors/kafka/table_options.h"

namespace thalweg::connectors::kafka {

/// Chooses the partition of each record as Flink with Kafka's Java client would. One for each
/// writer and topic.
class Partitioner {
 public:
  Partitioner(PartitionerKind kind, bool ignore_keys, int32_t subtask)
      : kind_(kind), ignore_keys_(ignore_keys), subtask_(subtask), sticky_(subtask) {}

  /// `size` is the record's bytes, key and value.
  int32_t choose(std::optional<std::string_view> key, size_t size, int32_t partition_count);

 private:
  PartitionerKind kind_;
  bool ignore_keys_;
  int32_t subtask_;
  /// Records without a key stay with one partition for a while, so that requests are large.
  int32_t sticky_;
  size_t sticky_bytes_ = 0;
};

}  // namespace thalweg::connectors::kafka
