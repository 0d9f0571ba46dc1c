#include <algorithm>
#include <limits>

#include "thalweg/operators/aggregate/scratch_records.h"
#include "thalweg/operators/window/slice_assigner.h"
#include "thalweg/operators/window/window_records.h"
#include "thalweg/operators/window/window_store.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

/// A record for each key and slice; an entry with a timer for each key and the window that closes
/// next. HOP adds up the slices of a window when it closes. CUMULATE moves each closed slice into
/// the first slice of its window, where rows of closed slices go too (as in Flink's slicing window
/// processors), so steps that were sent stay, and later ones count a late row.
class SharedSlices final : public WindowStore {
 public:
  explicit SharedSlices(WindowFrame& frame)
      : frame_(frame),
        is_hop_(frame.spec.window.kind == WindowKind::kHop),
        assigner_(frame.spec.window),
        slices_(frame, "slices") {}

  void open(stream::OperatorContext& context) override {
    context_ = &context;
    slices_.open(context);
    scratch_.emplace(slices_.table().layout());
    windows_ = &context.keyed_table(
        {.name = "windows", .key = slices_.table().spec().key, .has_namespace = true, .value = {}});
    timers_ = frame_.spec.window.is_processing_time ? &context.processing_timers(*windows_)
                                                    : &context.event_timers(*windows_);
  }

  void add(const Batch& batch,
           std::span<const int32_t> rows,
           std::span<const int64_t> slice_ends,
           EventTime watermark,
           EventTime /*fired*/) override {
    std::span<const int64_t> targets = slice_ends;
    if (!is_hop_) {
      targets = cumulate_targets(slice_ends, watermark);
    }
    slices_.add(batch, rows, targets);
    register_windows(slice_ends, watermark);
  }

  int64_t next_time() const override { return timers_->next_time(); }

  void fire(int64_t time_ms, WindowResults& results, stream::Output& output) override {
    due_.clear();
    while (timers_->pop_due(time_ms, due_)) {
      sort_by_end();
      for (size_t begin = 0; begin < due_.size();) {
        const int64_t end = end_of(due_[begin]);
        size_t stop = begin;
        closing_.clear();
        while (stop < due_.size() && closing_.size() < static_cast<size_t>(kTargetBatchRows) &&
               end_of(due_[stop]) == end) {
          closing_.push_back(due_[stop++].slot);
        }
        close_windows(end, results);
        if (results.rows() >= kTargetBatchRows) {
          results.send(output);
        }
        begin = stop;
      }
      due_.clear();
    }
  }

  void flush(WindowResults& /*results*/) override {}

  int64_t pending_rows() const override { return slices_.total_rows(); }

 private:
  bool is_closed(int64_t end, EventTime watermark) {
    return frame_.clock.closing_time(end) <= watermark.ms;
  }

  int64_t end_of(const stream::Timer& timer) const {
    return frame_.clock.is_identity() ? timer.time_ms + 1 : windows_->namespace_of(timer.slot);
  }

  /// Windows of different ends close at one instant where the wall clock jumps.
  void sort_by_end() {
    if (!frame_.clock.is_identity()) {
      std::stable_sort(due_.begin(), due_.end(), [this](const auto& left, const auto& right) {
        return end_of(left) < end_of(right);
      });
    }
  }

  /// Rows of a closed slice go into the first slice of their window.
  std::span<const int64_t> cumulate_targets(std::span<const int64_t> slice_ends,
                                            EventTime watermark) {
    targets_.assign(slice_ends.begin(), slice_ends.end());
    if (!frame_.spec.window.is_processing_time) {
      for (int64_t& end : targets_) {
        if (is_closed(end, watermark)) {
          end = assigner_.window_start(end) + assigner_.slice_ms();
        }
      }
    }
    return targets_;
  }

  /// Sees to it that the next window of each new slice, and of each row of a closed slice, closes.
  void register_windows(std::span<const int64_t> slice_ends, EventTime watermark) {
    std::vector<int32_t> rows;
    std::vector<int64_t> ends;
    for (size_t i = 0; i < slice_ends.size(); ++i) {
      const bool is_late =
          !frame_.spec.window.is_processing_time && is_closed(slice_ends[i], watermark);
      if (slices_.inserted()[i] == 0 && !is_late) {
        continue;
      }
      int64_t end = assigner_.first_window_end(slice_ends[i]);
      while (is_late && is_closed(end, watermark)) {
        end += assigner_.window_interval();
      }
      rows.push_back(static_cast<int32_t>(i));
      ends.push_back(end);
    }
    if (rows.empty()) {
      return;
    }
    std::vector<ColumnPtr> keys;
    for (const ColumnPtr& column : slices_.key_columns()) {
      keys.push_back(gather(column, rows));
    }
    insert_windows(keys, ends);
  }

  void insert_windows(const std::vector<ColumnPtr>& keys, const std::vector<int64_t>& ends) {
    std::vector<stream::SlotId> slots(ends.size());
    std::vector<std::byte*> records(ends.size());
    std::vector<uint8_t> inserted(ends.size());
    windows_->find_or_insert({.columns = keys, .namespaces = ends}, slots, records, inserted);
    for (size_t i = 0; i < ends.size(); ++i) {
      if (inserted[i] != 0) {
        timers_->add(frame_.clock.closing_time(ends[i]), slots[i]);
      }
    }
  }

  /// Sends the window that ends at `end` for the keys of closing_.
  void close_windows(int64_t end, WindowResults& results) {
    std::vector<ColumnBuilder> builders = make_builders(windows_->spec().key);
    windows_->append_keys(closing_, builders);
    keys_.clear();
    for (ColumnBuilder& builder : builders) {
      keys_.push_back(builder.finish());
    }
    windows_->erase(closing_);
    if (is_hop_) {
      close_hop(end, results);
    } else {
      close_cumulate(end, results);
    }
  }

  /// The records of the slice for each key of keys_: null where there is none.
  void find_slices(int64_t slice_end) {
    const size_t count = closing_.size();
    namespaces_.assign(count, slice_end);
    slots_.resize(count);
    records_.resize(count);
    slices_.table().find({.columns = keys_, .namespaces = namespaces_}, slots_, records_);
  }

  void close_hop(int64_t end, WindowResults& results) {
    const size_t count = closing_.size();
    scratch_->reset(count);
    is_present_.assign(count, 0);
    std::vector<stream::SlotId> expired;
    const int64_t start = assigner_.window_start(end);
    const int64_t next_start = start + assigner_.window_interval();
    for (int64_t slice = start + assigner_.slice_ms(); slice <= end;
         slice += assigner_.slice_ms()) {
      find_slices(slice);
      std::vector<std::byte*> into;
      std::vector<std::byte*> from;
      for (size_t i = 0; i < count; ++i) {
        if (records_[i] == nullptr) {
          continue;
        }
        is_present_[i] = 1;
        into.push_back(scratch_->records()[i]);
        from.push_back(records_[i]);
        if (slice <= next_start) {
          expired.push_back(slots_[i]);
        }
      }
      slices_.merge({into, *scratch_}, {from, slices_.table()});
    }
    slices_.table().erase(expired);
    send(non_empty(scratch_->records()), scratch_->records(), *scratch_, end, results);
    // A window without slices ends the chain; a later slice of the key starts its own.
    continue_windows(present_rows(), end + assigner_.window_interval());
  }

  void close_cumulate(int64_t end, WindowResults& results) {
    const int64_t start = assigner_.window_start(end);
    const int64_t first = start + assigner_.slice_ms();
    if (end != first) {
      move_into_first(end, first);
    }
    find_slices(first);
    is_present_.assign(records_.size(), 0);
    for (size_t i = 0; i < records_.size(); ++i) {
      is_present_[i] = static_cast<uint8_t>(records_[i] != nullptr);
    }
    const std::vector<int32_t> present = present_rows();
    send(non_empty(records_), records_, slices_.table(), end, results);
    if (end == start + frame_.spec.window.size_ms) {
      std::vector<stream::SlotId> expired;
      for (const int32_t row : present) {
        expired.push_back(slots_[static_cast<size_t>(row)]);
      }
      slices_.table().erase(expired);
    } else {
      continue_windows(present, end + assigner_.window_interval());
    }
  }

  /// Adds the slice that just closed to the first of its window.
  void move_into_first(int64_t slice_end, int64_t first) {
    find_slices(slice_end);
    std::vector<int32_t> rows;
    std::vector<stream::SlotId> moved;
    for (size_t i = 0; i < records_.size(); ++i) {
      if (records_[i] != nullptr) {
        rows.push_back(static_cast<int32_t>(i));
        moved.push_back(slots_[i]);
      }
    }
    if (rows.empty()) {
      return;
    }
    std::vector<ColumnPtr> keys;
    for (const ColumnPtr& column : keys_) {
      keys.push_back(gather(column, rows));
    }
    const std::vector<int64_t> namespaces(rows.size(), first);
    std::vector<stream::SlotId> slots(rows.size());
    std::vector<std::byte*> into(rows.size());
    std::vector<uint8_t> inserted(rows.size());
    slices_.table().find_or_insert(
        {.columns = keys, .namespaces = namespaces}, slots, into, inserted);
    std::vector<std::byte*> from(rows.size());
    for (size_t i = 0; i < moved.size(); ++i) {
      from[i] = read_only(slices_.table().read(moved[i]));
    }
    slices_.merge({into, slices_.table()}, {from, slices_.table()});
    slices_.table().erase(moved);
  }

  std::vector<int32_t> present_rows() const {
    std::vector<int32_t> rows;
    for (size_t i = 0; i < is_present_.size(); ++i) {
      if (is_present_[i] != 0) {
        rows.push_back(static_cast<int32_t>(i));
      }
    }
    return rows;
  }

  /// The keys whose window holds rows.
  std::vector<int32_t> non_empty(std::span<std::byte* const> records) const {
    std::vector<int32_t> rows;
    for (size_t i = 0; i < records.size(); ++i) {
      const bool is_empty =
          is_present_[i] == 0 || (frame_.spec.needs_retract && slices_.row_count(records[i]) == 0);
      if (!is_empty) {
        rows.push_back(static_cast<int32_t>(i));
      }
    }
    return rows;
  }

  void send(const std::vector<int32_t>& rows,
            std::span<std::byte* const> records,
            stream::StateMemory& memory,
            int64_t end,
            WindowResults& results) {
    const std::span<ColumnBuilder> keys = results.keys();
    std::vector<std::byte*> sent;
    const ProcessingTime now = context_->now();
    const int64_t start = assigner_.window_start(end);
    for (const int32_t row : rows) {
      for (size_t k = 0; k < keys.size(); ++k) {
        keys[k].append_from(*keys_[k], row);
      }
      sent.push_back(records[static_cast<size_t>(row)]);
      results.append_window(start, end, frame_.clock, now);
    }
    slices_.aggregates().append_results({sent, memory}, results.contents());
  }

  void continue_windows(const std::vector<int32_t>& rows, int64_t end) {
    if (rows.empty()) {
      return;
    }
    std::vector<ColumnPtr> keys;
    for (const ColumnPtr& column : keys_) {
      keys.push_back(gather(column, rows));
    }
    insert_windows(keys, std::vector<int64_t>(rows.size(), end));
  }

  WindowFrame& frame_;
  bool is_hop_;
  SliceAssigner assigner_;
  WindowRecords slices_;
  std::optional<ScratchRecords> scratch_;
  stream::OperatorContext* context_ = nullptr;
  stream::KeyedTable* windows_ = nullptr;
  stream::KeyedTimers* timers_ = nullptr;
  std::vector<stream::Timer> due_;
  std::vector<stream::SlotId> closing_;
  std::vector<ColumnPtr> keys_;
  std::vector<int64_t> targets_;
  std::vector<int64_t> namespaces_;
  std::vector<stream::SlotId> slots_;
  std::vector<std::byte*> records_;
  std::vector<uint8_t> is_present_;
};

}  // namespace

std::unique_ptr<WindowStore> make_shared_slices(WindowFrame& frame) {
  return std::make_unique<SharedSlices>(frame);
}

}  // namespace thalweg::operators
