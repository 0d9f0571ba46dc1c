#include "thalweg/operators/aggregate/distinct_rows.h"

#include "thalweg/operators/row_codec.h"

namespace thalweg::operators {

bool DistinctRows::observe(const Batch& batch,
                           int32_t row,
                           bool is_retract,
                           uint32_t bit,
                           std::byte* record,
                           stream::StateMemory& memory) {
  encoded_.clear();
  for (const ColumnIndex argument : arguments_) {
    encode_value(batch.column(static_cast<size_t>(argument.value)), row, encoded_);
  }
  auto& values =
      static_cast<DistinctValues&>(memory.writable_object(record + place_, DistinctValues::kind()));
  const int64_t size_before = values.byte_size();
  bool counts = false;
  if (!counts_down_) {
    counts = values.add_bit(encoded_, bit);
  } else if (is_retract) {
    counts = values.remove(encoded_);
  } else {
    counts = values.add(encoded_);
  }
  if (counts) {
    memory.object_resized(values.byte_size() - size_before);
  }
  return counts;
}

int32_t DistinctRows::merge(std::byte* into,
                            stream::StateMemory& into_memory,
                            const std::byte* from,
                            const stream::StateMemory& from_memory,
                            uint32_t bit,
                            std::span<ColumnBuilder> builders) {
  const auto* source = static_cast<const DistinctValues*>(from_memory.object(from + place_));
  if (source == nullptr) {
    return 0;
  }
  auto& target = static_cast<DistinctValues&>(
      into_memory.writable_object(into + place_, DistinctValues::kind()));
  const int64_t size_before = target.byte_size();
  int32_t added = 0;
  for (const auto& [value, mark] : source->values()) {
    bool is_new = false;
    if (counts_down_) {
      is_new = target.add_many(value, mark);
    } else {
      is_new = ((static_cast<uint64_t>(mark) >> bit) & 1U) != 0 && target.add_bit(value, bit);
    }
    if (is_new) {
      decode_row(value, builders);
      ++added;
    }
  }
  into_memory.object_resized(target.byte_size() - size_before);
  return added;
}

}  // namespace thalweg::operators
