#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/common/time.h"
#include "thalweg/types/batch.h"

namespace thalweg::runtime {

/// One row that a tap saw.
struct TappedRow {
  /// Counts the rows of this tap; gaps show what the ring had no room for.
  int64_t sequence = 0;
  std::string text;
  RowKind kind = RowKind::kInsert;
  /// Where the row was read; empty and -1 when an operator made it.
  std::string split;
  int64_t position = -1;
  std::optional<int64_t> event_time_ms;
  EventTime watermark = kMinEventTime;
  OperatorId operator_id;
  int32_t subtask = 0;
  int64_t wall_time_ms = 0;
};

/// A bounded ring of the last rows that left one operator on one subtask. The task writes, anyone
/// reads.
class Tap {
 public:
  Tap(OperatorId operator_id, int32_t subtask, size_t capacity);

  /// `watermark` is the one before the first row.
  void record(const Batch& batch, EventTime watermark);
  /// Rows from `sequence` on that are still there, at most `limit`.
  std::vector<TappedRow> read(int64_t sequence, size_t limit) const;

 private:
  OperatorId operator_id_;
  int32_t subtask_;
  size_t capacity_;
  mutable std::mutex mutex_;
  std::deque<TappedRow> rows_;
  int64_t next_sequence_ = 0;
};

/// A place where a tap can be put. Off, it costs one plain load for each batch.
class TapPoint {
 public:
  TapPoint(OperatorId operator_id, int32_t subtask)
      : operator_id_(operator_id), subtask_(subtask) {}

  Tap* attached() const { return tap_.load(std::memory_order_acquire); }

  OperatorId operator_id() const { return operator_id_; }

  int32_t subtask() const { return subtask_; }

  /// Any thread. A tap once made lives as long as this point, as its task may be inside it.
  void attach(size_t capacity);
  void detach();
  std::vector<TappedRow> read(int64_t sequence, size_t limit) const;

 private:
  OperatorId operator_id_;
  int32_t subtask_;
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Tap>> made_;
  std::atomic<Tap*> tap_{nullptr};
};

}  // namespace thalweg::runtime
