#include "thalweg/operators/window/session_windows.h"

#include <algorithm>
#include <limits>

#include "thalweg/common/check.h"
#include "thalweg/operators/key_columns.h"
#include "thalweg/operators/window/watermark_state.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

}  // namespace

SessionWindows::SessionWindows(SessionSpec spec,
                               std::unique_ptr<SessionContents> contents,
                               std::unique_ptr<WindowResults> results)
    : spec_(std::move(spec)),
      clock_(spec_.window.time_zone),
      contents_(std::move(contents)),
      results_(std::move(results)) {}

void SessionWindows::open(stream::OperatorContext& context) {
  context_ = &context;
  late_rows_ = &context.counter(stream::metric::kLateRows);
  next_window_ = &context.gauge(stream::metric::kNextWindowEnd);
  const DataType number = DataType::big_int().not_null();
  lists_ = &context.keyed_table({.name = "sessions",
                                 .key = spec_.key_schema,
                                 .value = {{"last_start", number},
                                           {"last_end", number},
                                           {"last_id", number},
                                           {"count", number},
                                           {"others", DataType::bytes(), SessionList::kind()}}});
  open_offset_ = lists_->layout().offset(0);
  for (size_t field = 0; field < 4; ++field) {
    check(lists_->layout().offset(field) == open_offset_ + field * sizeof(int64_t),
          "the fields of an OpenSessions lie one after the other");
  }
  others_offset_ = lists_->layout().offset(4);
  stream::StateSpec windows{
      .name = "windows", .key = spec_.key_schema, .has_namespace = true, .value = {}};
  windows.value = {{"window_start", number}, {"window_end", number}, {"row_count", number}};
  contents_->declare_fields(windows.value);
  windows_ = &context.keyed_table(windows);
  start_offset_ = windows_->layout().offset(0);
  end_offset_ = windows_->layout().offset(1);
  count_offset_ = windows_->layout().offset(2);
  contents_->bind(windows_->layout());
  if (spec_.window.is_processing_time) {
    timers_ = &context.processing_timers(*windows_);
  } else {
    timers_ = &context.event_timers(*windows_);
    watermark_state_ = &context.list_state("watermark", stream::ListMode::kUnion);
    watermark_ = restored_watermark(*watermark_state_);
  }
  schedule();
}

void SessionWindows::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  judge_rows(batch);
  const bool closes_by_marks = !spec_.window.is_processing_time && !spec_.is_batch;
  int32_t added = 0;
  int32_t seen = 0;
  // No session closes before this time: neither those that are open nor those of the rows seen.
  int64_t first_closing = timers_->next_time();
  for (const Mark& mark : batch.marks()) {
    for (; seen < mark.row; ++seen) {
      const int64_t end = times_[static_cast<size_t>(seen)] + spec_.window.size_ms;
      first_closing = std::min(first_closing, clock_.closing_time(end));
    }
    if (closes_by_marks && mark.watermark.ms >= first_closing) {
      add_rows(batch, added, seen);
      added = seen;
      advance(mark.watermark, output);
      first_closing = timers_->next_time();
    }
    watermark_ = std::max(watermark_, mark.watermark);
    results_->add_mark(mark.watermark);
  }
  add_rows(batch, added, batch.row_count());
  results_->send(output);
  schedule();
}

void SessionWindows::advance(EventTime watermark, stream::Output& output) {
  if (watermark.ms >= timers_->next_time()) {
    fire(watermark.ms, output);
  }
}

void SessionWindows::fire(int64_t time_ms, stream::Output& output) {
  due_.clear();
  while (timers_->pop_due(time_ms, due_)) {
    for (const stream::Timer& timer : due_) {
      const int64_t end = window_end(read_only(windows_->read(timer.slot)));
      const int64_t closing = clock_.closing_time(end);
      if (closing > timer.time_ms) {
        timers_->add(closing, timer.slot);
        continue;
      }
      closing_.push_back(timer.slot);
    }
    if (closing_.size() >= static_cast<size_t>(kTargetBatchRows)) {
      close_sessions(output);
    }
    due_.clear();
  }
  close_sessions(output);
}

void SessionWindows::close_sessions(stream::Output& output) {
  if (closing_.empty()) {
    return;
  }
  forget_sessions();
  const auto step = static_cast<size_t>(kTargetBatchRows);
  for (size_t begin = 0; begin < closing_.size(); begin += step) {
    std::vector<stream::SlotId> slots;
    std::vector<std::byte*> records;
    std::vector<int64_t> starts;
    std::vector<int64_t> ends;
    for (size_t i = begin; i < std::min(closing_.size(), begin + step); ++i) {
      std::byte* record = read_only(windows_->read(closing_[i]));
      if (spec_.needs_retract && row_count(record) == 0) {
        continue;
      }
      slots.push_back(closing_[i]);
      records.push_back(record);
      starts.push_back(window_start(record));
      ends.push_back(window_end(record));
    }
    contents_->append(
        {slots, records, starts, ends}, *windows_, clock_, context_->now(), *results_);
    if (results_->rows() >= kTargetBatchRows) {
      results_->send(output);
    }
  }
  windows_->erase(closing_);
  closing_.clear();
}

void SessionWindows::forget_sessions() {
  std::vector<ColumnBuilder> builders = make_builders(spec_.key_schema);
  windows_->append_keys(closing_, builders);
  std::vector<ColumnPtr> keys;
  for (ColumnBuilder& builder : builders) {
    keys.push_back(builder.finish());
  }
  std::vector<stream::SlotId> slots(closing_.size());
  std::vector<std::byte*> records(closing_.size());
  lists_->find({.columns = keys}, slots, records);
  std::vector<stream::SlotId> empty;
  for (size_t i = 0; i < closing_.size(); ++i) {
    OpenSessions& open = open_sessions(records[i]);
    const int64_t id = windows_->namespace_of(closing_[i]);
    if (--open.count == 0) {
      empty.push_back(slots[i]);
      continue;
    }
    SessionList& list = others(records[i]);
    if (open.last.id == id) {
      open.last = list.sessions().back();
      list.sessions().pop_back();
    } else {
      list.remove(id);
    }
  }
  lists_->erase(empty);
}

void SessionWindows::schedule() {
  const int64_t next = timers_->next_time();
  next_window_->set(next);
  if (spec_.window.is_processing_time && next != kNever) {
    context_->wake_at({next + 1});
  }
}

void SessionWindows::on_watermark(EventTime watermark, stream::Output& output) {
  watermark_ = std::max(watermark_, watermark);
  if (!spec_.window.is_processing_time && !spec_.is_batch) {
    advance(watermark, output);
  }
  results_->add_mark(watermark);
  results_->send(output);
  schedule();
}

void SessionWindows::on_processing_time(ProcessingTime now, stream::Output& output) {
  if (spec_.window.is_processing_time && timers_->next_time() < now.ms) {
    fire(now.ms - 1, output);
    results_->send(output);
    schedule();
  }
}

void SessionWindows::on_input_end(int32_t /*input*/, stream::Output& output) {
  if (spec_.is_batch) {
    fire(kNever, output);
    results_->send(output);
  } else if (spec_.window.is_processing_time) {
    std::vector<stream::SlotId> slots;
    windows_->collect_slots(slots);
    int64_t rows = 0;
    for (const stream::SlotId slot : slots) {
      rows += row_count(read_only(windows_->read(slot)));
    }
    context_->counter(stream::metric::kDroppedAtEnd).add(rows);
  }
}

void SessionWindows::before_snapshot(stream::Output& /*output*/) {
  if (watermark_state_ != nullptr) {
    keep_watermark(*watermark_state_, watermark_);
  }
}

}  // namespace thalweg::operators
