#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "thalweg/runtime/inspection.h"
#include "thalweg/runtime/job_graph.h"
#include "thalweg/types/batch.h"

namespace thalweg::runtime {

/// A bounded ring of the last rows that left one operator on one subtask. The task writes, anyone
/// reads.
class Tap {
 public:
  Tap(OperatorId operator_id, int32_t subtask) : operator_id_(operator_id), subtask_(subtask) {}

  /// Forgets what it holds and keeps `capacity` rows from now on.
  void reset(size_t capacity);
  /// `watermark` is the one before the first row.
  void record(const Batch& batch, EventTime watermark);
  /// Adds rows from `from` on that are still there, at most `limit`; the row to go on with.
  int64_t read(int64_t from, size_t limit, TapReading& reading) const;

 private:
  OperatorId operator_id_;
  int32_t subtask_;
  mutable std::mutex mutex_;
  size_t capacity_ = 0;
  std::deque<TappedRow> rows_;
  int64_t next_sequence_ = 0;
};

/// A place where a tap can be put. Off, it costs one plain load for each batch.
class TapPoint {
 public:
  TapPoint(OperatorId operator_id, int32_t subtask) : tap_(operator_id, subtask) {}

  Tap* attached() { return is_on_.load(std::memory_order_relaxed) ? &tap_ : nullptr; }

  // Any thread.
  void attach(size_t capacity);
  void detach();

  const Tap& tap() const { return tap_; }

 private:
  Tap tap_;
  std::atomic<bool> is_on_{false};
};

/// The tap points of a job, for as long as it is known: taps stay on over restarts. Thread-safe.
class TapBoard {
 public:
  explicit TapBoard(const JobGraph& graph);

  TapPoint& point(OperatorId id, int32_t subtask) const {
    return *points_.at(id).at(static_cast<size_t>(subtask));
  }

  // These throw kValidation where the job has no such operator. At most 100,000 rows are kept, and
  // at most `limit` of each subtask read.
  void check_known(OperatorId id) const { points_of(id); }

  void attach(OperatorId id, size_t capacity);
  void detach(OperatorId id);
  TapReading read(OperatorId id, const TapCursor& from, size_t limit) const;

 private:
  const std::vector<std::unique_ptr<TapPoint>>& points_of(OperatorId id) const;

  std::map<OperatorId, std::vector<std::unique_ptr<TapPoint>>> points_;
};

}  // namespace thalweg::runtime
