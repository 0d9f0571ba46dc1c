#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/stream/state.h"

namespace thalweg::operators {

/// When partitions are forgotten that get no more rows, as the clean-up timers of Flink's OVER
/// functions do it: a touched partition stays for `keep_ms` at least, and one and a half times that
/// at most, so that not every touch moves a timer. Owned by its operator; task thread.
class PartitionExpiry {
 public:
  explicit PartitionExpiry(int64_t keep_ms) : keep_ms_(keep_ms) {}

  /// Appends the field that a record needs; once, before the table is declared.
  void declare_field(std::vector<stream::StateField>& fields);
  void bind(const stream::RecordLayout& layout, stream::KeyedTimers& timers);

  /// For a new record.
  void start(std::byte* record) const;
  void touch(std::byte* record, stream::SlotId slot, int64_t now_ms);

  /// Whether the partition is forgotten by `time_ms`.
  bool is_over(const std::byte* record, int64_t time_ms) const;

  /// Whether this is the timer that ends the partition, not one from before it was touched again.
  bool ends(const std::byte* record, int64_t time_ms) const;

 private:
  int64_t forget_at(const std::byte* record) const;

  int64_t keep_ms_;
  size_t field_ = 0;
  size_t offset_ = 0;
  stream::KeyedTimers* timers_ = nullptr;
};

}  // namespace thalweg::operators
