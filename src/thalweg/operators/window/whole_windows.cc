#include <algorithm>
#include <cstring>

#include "thalweg/operators/window/brief_windows.h"
#include "thalweg/operators/window/slice_assigner.h"
#include "thalweg/operators/window/window_records.h"
#include "thalweg/operators/window/window_store.h"

namespace thalweg::operators {

namespace {

/// Records that are fetched before they are looked at.
constexpr size_t kAhead = 32;

/// One record for each key and window, closed by its timer; none for windows that a batch opens and
/// closes. The records of closed windows are read and erased together, many windows at once.
class WholeWindows final : public WindowStore {
 public:
  explicit WholeWindows(WindowFrame& frame)
      : frame_(frame),
        assigner_(frame.spec.window),
        records_(frame, "windows"),
        brief_(frame, assigner_, records_) {}

  void open(stream::OperatorContext& context) override {
    context_ = &context;
    records_.open(context);
    brief_.open();
    timers_ = frame_.spec.window.is_processing_time ? &context.processing_timers(records_.table())
                                                    : &context.event_timers(records_.table());
  }

  void add(const Batch& batch,
           std::span<const int32_t> rows,
           std::span<const int64_t> slice_ends,
           EventTime /*watermark*/,
           EventTime fired) override {
    if (brief_.take(batch, rows, slice_ends, fired, *timers_)) {
      keep(batch, brief_.other_rows(), brief_.other_ends());
    } else {
      keep(batch, rows, slice_ends);
    }
  }

  int64_t next_time() const override {
    return brief_.is_done() ? timers_->next_time()
                            : std::min(brief_.next_time(), timers_->next_time());
  }

  void fire(int64_t time_ms, WindowResults& results, stream::Output& output) override {
    const ProcessingTime now = context_->now();
    for (;;) {
      if (!brief_.is_done() && brief_.next_time() <= std::min(time_ms, timers_->next_time())) {
        flush_kept(results);
        brief_.close_next(now, results);
      } else if (timers_->pop_due(time_ms, due_)) {
        brief_.flush(results);
        for (size_t i = 0; i < due_.size(); ++i) {
          // What is read of a record when many of them are flushed.
          __builtin_prefetch(
              records_.table().read(due_[std::min(i + kAhead, due_.size() - 1)].slot));
          close(due_[i], now, results);
          send_if_full(results, output);
        }
      } else {
        break;
      }
      send_if_full(results, output);
    }
  }

  void flush(WindowResults& results) override {
    flush_kept(results);
    brief_.flush(results);
  }

  int64_t pending_rows() const override { return records_.total_rows(); }

 private:
  void keep(const Batch& batch,
            std::span<const int32_t> rows,
            std::span<const int64_t> slice_ends) {
    if (rows.empty()) {
      return;
    }
    records_.add(batch, rows, slice_ends);
    // New windows are rare: whole runs of old ones are skipped.
    const std::vector<uint8_t>& inserted = records_.inserted();
    const uint8_t* const begin = inserted.data();
    const uint8_t* const end = begin + inserted.size();
    const void* at = begin;
    while ((at = std::memchr(at, 1, static_cast<size_t>(end - static_cast<const uint8_t*>(at)))) !=
           nullptr) {
      const auto i = static_cast<size_t>(static_cast<const uint8_t*>(at) - begin);
      timers_->add(frame_.clock.closing_time(slice_ends[i]), records_.slots()[i]);
      at = begin + i + 1;
    }
  }

  void send_if_full(WindowResults& results, stream::Output& output) {
    if (results.rows() >= kTargetBatchRows) {
      flush(results);
      results.send(output);
    }
  }

  void flush_kept(WindowResults& results) {
    if (!closed_.empty()) {
      records_.table().append_keys(closed_, results.keys());
      closed_records_.resize(closed_.size());
      for (size_t i = 0; i < closed_.size(); ++i) {
        closed_records_[i] = read_only(records_.table().read(closed_[i]));
      }
      records_.aggregates().append_results({closed_records_, records_.table()}, results.contents());
      records_.table().erase(closed_);
      closed_.clear();
    }
    if (!empty_.empty()) {
      records_.table().erase(empty_);
      empty_.clear();
    }
  }

  void close(const stream::Timer& timer, ProcessingTime now, WindowResults& results) {
    const stream::KeyedTable& table = records_.table();
    if (frame_.spec.needs_retract && records_.row_count(read_only(table.read(timer.slot))) == 0) {
      empty_.push_back(timer.slot);
      return;
    }
    const int64_t end =
        frame_.clock.is_identity() ? timer.time_ms + 1 : table.namespace_of(timer.slot);
    results.append_window(assigner_.window_start(end), end, frame_.clock, now);
    closed_.push_back(timer.slot);
  }

  WindowFrame& frame_;
  SliceAssigner assigner_;
  WindowRecords records_;
  BriefWindows brief_;
  stream::OperatorContext* context_ = nullptr;
  stream::KeyedTimers* timers_ = nullptr;
  std::vector<stream::Timer> due_;
  /// Closed windows whose keys and results are not yet read, and emptied ones; not yet erased.
  std::vector<stream::SlotId> closed_;
  std::vector<stream::SlotId> empty_;
  std::vector<std::byte*> closed_records_;
};

}  // namespace

std::unique_ptr<WindowStore> make_whole_windows(WindowFrame& frame) {
  return std::make_unique<WholeWindows>(frame);
}

}  // namespace thalweg::operators
