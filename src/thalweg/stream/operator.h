#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/common/memory_budget.h"
#include "thalweg/common/time.h"
#include "thalweg/stream/metrics.h"
#include "thalweg/stream/output.h"
#include "thalweg/stream/state.h"

namespace thalweg::stream {

/// What an operator may ask of the task it runs in. Valid from `open` until the operator goes; task
/// thread only.
class OperatorContext {
 public:
  virtual ~OperatorContext() = default;

  virtual const std::string& operator_name() const = 0;
  virtual int32_t subtask() const = 0;
  virtual int32_t parallelism() const = 0;
  virtual ProcessingTime now() const = 0;
  /// The watermark that the operator's input has reached (all inputs together), kMinEventTime
  /// before the first.
  virtual EventTime current_watermark() const = 0;

  /// Declares keyed state; only in `open`. On a restore the table is filled when this returns.
  virtual KeyedTable& keyed_table(const StateSpec& spec) = 0;
  virtual KeyedTimers& event_timers(KeyedTable& table) = 0;
  virtual KeyedTimers& processing_timers(KeyedTable& table) = 0;
  virtual OperatorListState& list_state(const std::string& name, ListMode mode) = 0;

  /// Calls on_processing_time once the clock reaches `at`; an earlier request replaces a later one.
  virtual void wake_at(ProcessingTime at) = 0;

  virtual Counter& counter(const std::string& name) = 0;
  virtual Gauge& gauge(const std::string& name) = 0;
  virtual MemoryBudget& state_budget() = 0;
};

/// One step of a job on one subtask: rows in, rows out. Subclasses hold what to do, declare state
/// in `open`, and contain no checkpoint code.
///
/// Life: constructed by its factory, open, then any order of on_* calls, all on the task's thread,
/// then on_input_end for each input, close. It never locks, never reads a clock, and waits only
/// inside emit.
class Operator {
 public:
  virtual ~Operator() = default;

  virtual void open(OperatorContext& context) { static_cast<void>(context); }

  virtual void on_batch(Batch batch, int32_t input, Output& output) = 0;

  /// A watermark that came between batches (those inside a batch are its marks).
  virtual void on_watermark(EventTime watermark, Output& output) {
    output.emit_watermark(watermark);
  }

  /// A split of the source in front of this operator's chain was given to the subtask, before its
  /// first row; or with `ended`: was read to its end, after its last. Comes to the operators in
  /// front of the first exchange.
  virtual void on_split(const std::string& split, bool ended) {
    static_cast<void>(split);
    static_cast<void>(ended);
  }

  /// The time asked for with wake_at has come, or processing timers may be due.
  virtual void on_processing_time(ProcessingTime now, Output& output) {
    static_cast<void>(now);
    static_cast<void>(output);
  }

  /// One input has no more rows. For bounded event-time input kMaxEventTime came before this.
  virtual void on_input_end(int32_t input, Output& output) {
    static_cast<void>(input);
    static_cast<void>(output);
  }

  /// Right before the task's part of a checkpoint is taken: send on whatever is only buffered.
  virtual void before_snapshot(Output& output) { static_cast<void>(output); }

  virtual void close() {}
};

/// Makes the operator of each subtask; shared by them, so immutable.
class OperatorFactory {
 public:
  virtual ~OperatorFactory() = default;
  virtual std::unique_ptr<Operator> create() const = 0;
};

/// Calls `rows(begin, end)` for each run of rows between marks and `watermark(value)` for each
/// mark, in order.
template <typename Rows, typename Watermarks>
void for_each_run(const Batch& batch, Rows&& rows, Watermarks&& watermark) {
  int32_t begin = 0;
  for (const Mark& mark : batch.marks()) {
    if (mark.row > begin) {
      rows(begin, mark.row);
      begin = mark.row;
    }
    watermark(mark.watermark);
  }
  if (begin < batch.row_count()) {
    rows(begin, batch.row_count());
  }
}

}  // namespace thalweg::stream
