#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "thalweg/types/data_type.h"

namespace thalweg::binding {

/// The third column of a stream.
enum class StreamExtra : uint8_t {
  kNone,
  /// INT: the side output, 0 for the main one.
  kTag,
  /// BYTES: the key, as encode_key writes it.
  kKey,
  /// INT: the subtask to which a partitioner sends the row.
  kPartition,
};

/// The columns of a stream: `record`, an opaque object; `timestamp`, milliseconds or kNoTimestamp;
/// and the extra one.
inline constexpr size_t kRecordColumn = 0;
inline constexpr size_t kTimestampColumn = 1;
inline constexpr size_t kExtraColumn = 2;

/// Flink's Long.MIN_VALUE: the record has no time.
inline constexpr int64_t kNoTimestamp = INT64_MIN;

/// What the rows on one side of a Python operator look like.
struct StreamShape {
  StreamExtra extra = StreamExtra::kNone;
  /// Set for the rows of a table: its columns, each row a tuple in Python.
  std::optional<Schema> table = std::nullopt;
  /// The column of `table` that holds the time of a row, or -1.
  int32_t row_time = -1;

  Schema schema() const;
};

}  // namespace thalweg::binding
