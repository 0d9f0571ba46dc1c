#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// Rows by ascending time, those of one time as they came.
struct TimedBatch {
  Batch rows;
  std::vector<int64_t> times;
};

/// Rows that wait for their time, column by column as they came: most wait shortly, so they are not
/// put to their keys. Snapshots have them as bytes in a union list, from which each subtask takes
/// those whose keys it has. The memory is charged to the state budget. Owned by an operator; task
/// thread.
class WaitingRows {
 public:
  WaitingRows(Schema schema, std::vector<ColumnIndex> keys);

  /// Restores the rows of a snapshot.
  void open(stream::OperatorContext& context);
  void add(const Batch& batch, std::span<const int32_t> rows, std::span<const int64_t> times);

  int64_t size() const { return static_cast<int64_t>(entries_.size() - first_); }

  bool has_due(int64_t time_ms) const { return size() > 0 && next_time_ <= time_ms; }

  /// The earliest time, or INT64_MAX.
  int64_t next_time() const { return next_time_; }

  /// Takes the first rows up to `time_ms`, so many as make a batch, and all of the last one's time.
  TimedBatch take(int64_t time_ms);
  /// Right before a snapshot.
  void save();
  void close();

 private:
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  /// Rows that came together; freed with the last that leaves.
  struct Part {
    Batch rows;
    int32_t waiting = 0;
    int64_t charged_bytes = 0;
    /// While rows are gathered: those of this part, and where the next one goes.
    std::vector<int32_t> gathered = {};
    int32_t next = 0;
  };

  struct Entry {
    int64_t time_ms = 0;
    uint32_t part = 0;
    int32_t row = 0;
  };

  void add_part(Batch rows, std::span<const int64_t> times);
  void free_part(uint32_t part);
  /// Sorts what came since the last time.
  void settle();
  /// The entries' rows, in their order.
  Batch gather_rows(std::span<const Entry> entries);
  /// Copies rows that are few among those of their parts.
  void compact();
  void restore(stream::OperatorContext& context);
  void charge(int64_t bytes);

  Schema schema_;
  std::vector<ColumnIndex> keys_;
  MemoryBudget* budget_ = nullptr;
  int64_t charged_bytes_ = 0;
  stream::OperatorListState* saved_ = nullptr;
  bool is_saved_ = false;
  std::vector<Part> parts_;
  std::vector<uint32_t> free_parts_;
  /// Rows of all parts, waiting or gone.
  int64_t part_rows_ = 0;
  /// Those before first_ are gone, those before sorted_ are sorted.
  std::vector<Entry> entries_;
  size_t first_ = 0;
  size_t sorted_ = 0;
  int64_t next_time_ = kNever;
};

}  // namespace thalweg::operators
