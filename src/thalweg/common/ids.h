#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace thalweg {

/// 128 bits, shown as 32 hex digits, as Flink shows job ids.
struct JobId {
  uint64_t high = 0;
  uint64_t low = 0;

  auto operator<=>(const JobId&) const = default;
  static JobId random();
  std::string to_string() const;
};

/// Numbers one operator of a job; stable across restarts of the same plan.
struct OperatorId {
  uint32_t value = 0;

  auto operator<=>(const OperatorId&) const = default;
};

struct CheckpointId {
  uint64_t value = 0;

  auto operator<=>(const CheckpointId&) const = default;
};

/// A position in the column list of a schema or batch.
struct ColumnIndex {
  int32_t value = 0;

  auto operator<=>(const ColumnIndex&) const = default;
};

/// A share of the key space: the unit in which keyed state moves when the parallelism changes.
struct KeyGroup {
  uint16_t value = 0;

  auto operator<=>(const KeyGroup&) const = default;
};

/// The first of a range of key groups and the one after its last.
struct KeyGroupRange {
  uint16_t begin = 0;
  uint16_t end = 0;

  bool contains(KeyGroup group) const { return group.value >= begin && group.value < end; }
};

/// The number of key groups of every job: the highest parallelism of a keyed operator (Flink's
/// default).
inline constexpr uint16_t kKeyGroups = 128;

inline KeyGroup key_group_of(uint64_t hash) {
  return {static_cast<uint16_t>((hash >> 48U) % kKeyGroups)};
}

/// The subtask that owns `group` at `parallelism`, and its whole range.
inline int32_t subtask_of(KeyGroup group, int32_t parallelism) {
  return group.value * parallelism / kKeyGroups;
}

KeyGroupRange key_groups_of(int32_t subtask, int32_t parallelism);

}  // namespace thalweg
