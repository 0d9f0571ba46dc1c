#include "thalweg/operators/window/session_windows.h"

#include <algorithm>
#include <limits>

#include "thalweg/operators/key_columns.h"
#include "thalweg/operators/window/watermark_state.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

bool has_time(const SessionSpec& spec, const Batch& batch, int32_t row) {
  return spec.window.is_processing_time ||
         !batch.column(static_cast<size_t>(spec.window.time.value)).is_null(row);
}

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
  lists_ = &context.keyed_table({.name = "sessions",
                                 .key = spec_.key_schema,
                                 .value = {{"sessions", DataType::bytes(), SessionList::kind()}}});
  list_offset_ = lists_->layout().offset(0);
  stream::StateSpec windows{
      .name = "windows", .key = spec_.key_schema, .has_namespace = true, .value = {}};
  const DataType number = DataType::big_int().not_null();
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
    watermark_state_ = &context.list_state("watermark");
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

void SessionWindows::judge_rows(const Batch& batch) {
  const auto rows = static_cast<size_t>(batch.row_count());
  times_.resize(rows);
  is_late_alone_.assign(rows, 0);
  if (spec_.window.is_processing_time) {
    std::fill(times_.begin(), times_.end(), clock_.to_local(context_->now().ms));
    return;
  }
  const Column& time = batch.column(static_cast<size_t>(spec_.window.time.value));
  EventTime watermark = watermark_;
  auto mark = batch.marks().begin();
  for (size_t i = 0; i < rows; ++i) {
    const auto row = static_cast<int32_t>(i);
    for (; mark != batch.marks().end() && mark->row <= row; ++mark) {
      watermark = mark->watermark;
    }
    times_[i] = clock_.to_local(time.at<int64_t>(row));
    const int64_t closing = clock_.closing_time(times_[i] + spec_.window.size_ms);
    is_late_alone_[i] = static_cast<uint8_t>(!spec_.is_batch && closing <= watermark.ms);
  }
}

void SessionWindows::add_rows(const Batch& batch, int32_t begin, int32_t end) {
  if (begin == end) {
    return;
  }
  const Batch part = batch.slice(begin, end);
  const auto rows = static_cast<size_t>(part.row_count());
  key_columns_ = columns_at(part, spec_.keys);
  list_slots_.resize(rows);
  list_records_.resize(rows);
  list_inserted_.resize(rows);
  lists_->find_or_insert({.columns = key_columns_}, list_slots_, list_records_, list_inserted_);
  for (int32_t row = 0; row < part.row_count();) {
    row = assign_sessions(part, row, begin);
    add_assigned(part);
    if (row < part.row_count()) {
      join_sessions(row, times_[static_cast<size_t>(begin + row)]);
    }
  }
  erase_keys_without_sessions();
}

SessionList& SessionWindows::list_at(std::byte* record) {
  return static_cast<SessionList&>(
      lists_->writable_object(record + list_offset_, *SessionList::kind()));
}

int32_t SessionWindows::assign_sessions(const Batch& part, int32_t row, int32_t offset) {
  assigned_rows_.clear();
  assigned_.clear();
  int64_t late = 0;
  for (; row < part.row_count(); ++row) {
    if (!has_time(spec_, part, row)) {
      continue;
    }
    const int64_t start = times_[static_cast<size_t>(offset + row)];
    const int64_t end = start + spec_.window.size_ms;
    SessionList& list = list_at(list_records_[static_cast<size_t>(row)]);
    const SessionList::Range range = list.touching(start, end);
    const size_t touched = range.last - range.first;
    if (touched > 1) {
      break;
    }
    if (touched == 0 && is_late_alone_[static_cast<size_t>(offset + row)] != 0) {
      ++late;
      continue;
    }
    if (touched == 0) {
      const int64_t size_before = list.byte_size();
      list.sessions().insert(list.sessions().begin() + static_cast<std::ptrdiff_t>(range.first),
                             {start, end, start});
      lists_->object_resized(list.byte_size() - size_before);
    }
    Session& session = list.sessions()[range.first];
    session.start = std::min(session.start, start);
    session.end = std::max(session.end, end);
    assigned_rows_.push_back(row);
    assigned_.push_back(session);
  }
  if (late > 0) {
    late_rows_->add(late);
  }
  return row;
}

void SessionWindows::add_assigned(const Batch& part) {
  const size_t count = assigned_rows_.size();
  if (count == 0) {
    return;
  }
  std::vector<ColumnPtr> keys = key_columns_;
  if (count != static_cast<size_t>(part.row_count())) {
    for (ColumnPtr& key : keys) {
      key = gather(key, assigned_rows_);
    }
  }
  std::vector<int64_t> ids(count);
  for (size_t i = 0; i < count; ++i) {
    ids[i] = assigned_[i].id;
  }
  std::vector<stream::SlotId> slots(count);
  std::vector<std::byte*> records(count);
  std::vector<uint8_t> inserted(count);
  windows_->find_or_insert({.columns = keys, .namespaces = ids}, slots, records, inserted);
  for (size_t i = 0; i < count; ++i) {
    window_start(records[i]) = assigned_[i].start;
    window_end(records[i]) = assigned_[i].end;
    row_count(records[i]) += is_accumulate(part.kind(assigned_rows_[i])) ? 1 : -1;
  }
  for (size_t i = 0; i < count; ++i) {
    if (inserted[i] != 0) {
      timers_->add(clock_.closing_time(window_end(records[i])), slots[i]);
    }
  }
  contents_->add(part, {assigned_rows_, records}, *windows_);
}

void SessionWindows::join_sessions(int32_t row, int64_t time) {
  SessionList& list = list_at(list_records_[static_cast<size_t>(row)]);
  const SessionList::Range range = list.touching(time, time + spec_.window.size_ms);
  auto& sessions = list.sessions();
  std::vector<int64_t> ids;
  for (size_t i = range.first; i < range.last; ++i) {
    ids.push_back(sessions[i].id);
  }
  const std::vector<int32_t> rows(ids.size(), row);
  std::vector<ColumnPtr> keys;
  for (const ColumnPtr& column : key_columns_) {
    keys.push_back(gather(column, rows));
  }
  std::vector<stream::SlotId> slots(ids.size());
  std::vector<std::byte*> records(ids.size());
  windows_->find({.columns = keys, .namespaces = ids}, slots, records);
  for (size_t i = 1; i < records.size(); ++i) {
    row_count(records[0]) += row_count(records[i]);
    contents_->merge({std::span(records).first(1), *windows_},
                     {std::span(records).subspan(i, 1), *windows_});
  }
  sessions[range.first].end = sessions[range.last - 1].end;
  window_end(records[0]) = sessions[range.first].end;
  sessions.erase(sessions.begin() + static_cast<std::ptrdiff_t>(range.first) + 1,
                 sessions.begin() + static_cast<std::ptrdiff_t>(range.last));
  windows_->erase(std::span(slots).subspan(1));
}

void SessionWindows::erase_keys_without_sessions() {
  std::vector<stream::SlotId> empty;
  for (size_t i = 0; i < list_slots_.size(); ++i) {
    if (list_inserted_[i] != 0 && list_at(list_records_[i]).sessions().empty()) {
      empty.push_back(list_slots_[i]);
    }
  }
  if (!empty.empty()) {
    lists_->erase(empty);
  }
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
    SessionList& list = list_at(records[i]);
    list.remove(windows_->namespace_of(closing_[i]));
    if (list.sessions().empty()) {
      empty.push_back(slots[i]);
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
