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
  key_columns_ = columns_at(batch, spec_.keys);
  for (ColumnPtr& column : key_columns_) {
    column = slice_column(column, begin, end);
  }
  const auto rows = static_cast<size_t>(end - begin);
  list_slots_.resize(rows);
  list_records_.resize(rows);
  list_inserted_.resize(rows);
  lists_->find_or_insert({.columns = key_columns_}, list_slots_, list_records_, list_inserted_);
  for (int32_t row = begin; row < end;) {
    row = assign_sessions(batch, row, begin, end);
    add_assigned(batch, begin, end);
    if (row < end) {
      join_sessions(row - begin, times_[static_cast<size_t>(row)]);
    }
  }
  erase_keys_without_sessions();
}

int32_t SessionWindows::assign_sessions(const Batch& batch,
                                        int32_t row,
                                        int32_t begin,
                                        int32_t end) {
  assigned_rows_.clear();
  assigned_.clear();
  int64_t late = 0;
  for (; row < end; ++row) {
    if (!has_time(spec_, batch, row)) {
      continue;
    }
    const auto index = static_cast<size_t>(row);
    std::byte* record = list_records_[static_cast<size_t>(row - begin)];
    const Session window{times_[index], times_[index] + spec_.window.size_ms, times_[index]};
    const Session* session = take_in(record, window, is_late_alone_[index] != 0);
    if (session == nullptr) {
      if (joins_) {
        break;
      }
      ++late;
      continue;
    }
    assigned_rows_.push_back(row);
    assigned_.push_back(*session);
  }
  if (late > 0) {
    late_rows_->add(late);
  }
  return row;
}

const Session* SessionWindows::take_in(std::byte* record, const Session& window, bool is_late) {
  OpenSessions& open = open_sessions(record);
  joins_ = false;
  if (open.count > 0 && touch(open.last, window)) {
    joins_ = open.count > 1 && !others(record).touching(window).is_empty();
    if (joins_) {
      return nullptr;
    }
    extend(open.last, window);
    return &open.last;
  }
  if (open.count > 1 && window.end < open.last.start) {
    SessionList& list = others(record);
    const SessionList::Range range = list.touching(window);
    joins_ = range.size() > 1;
    if (joins_) {
      return nullptr;
    }
    if (range.size() == 1) {
      extend(list.sessions()[range.first], window);
      return &list.sessions()[range.first];
    }
  }
  if (is_late) {
    return nullptr;
  }
  return open_session(record, window);
}

const Session* SessionWindows::open_session(std::byte* record, const Session& window) {
  OpenSessions& open = open_sessions(record);
  ++open.count;
  if (open.count == 1) {
    open.last = window;
    return &open.last;
  }
  SessionList& list = others(record);
  const int64_t size_before = list.byte_size();
  const bool is_last = window.start > open.last.start;
  list.insert(is_last ? open.last : window);
  lists_->object_resized(list.byte_size() - size_before);
  if (is_last) {
    open.last = window;
    return &open.last;
  }
  return &list.sessions()[list.touching(window).first];
}

void SessionWindows::add_assigned(const Batch& batch, int32_t begin, int32_t end) {
  const size_t count = assigned_rows_.size();
  if (count == 0) {
    return;
  }
  std::vector<ColumnPtr> keys = key_columns_;
  if (count != static_cast<size_t>(end - begin)) {
    std::vector<int32_t> rows = assigned_rows_;
    for (int32_t& row : rows) {
      row -= begin;
    }
    for (ColumnPtr& key : keys) {
      key = gather(key, rows);
    }
  }
  ids_.resize(count);
  for (size_t i = 0; i < count; ++i) {
    ids_[i] = assigned_[i].id;
  }
  slots_.resize(count);
  records_.resize(count);
  inserted_.resize(count);
  windows_->find_or_insert({.columns = keys, .namespaces = ids_}, slots_, records_, inserted_);
  for (size_t i = 0; i < count; ++i) {
    window_start(records_[i]) = assigned_[i].start;
    window_end(records_[i]) = assigned_[i].end;
    row_count(records_[i]) += is_accumulate(batch.kind(assigned_rows_[i])) ? 1 : -1;
  }
  for (size_t i = 0; i < count; ++i) {
    if (inserted_[i] != 0) {
      timers_->add(clock_.closing_time(window_end(records_[i])), slots_[i]);
    }
  }
  contents_->add(batch, {assigned_rows_, records_}, *windows_);
}

void SessionWindows::join_sessions(int32_t key_row, int64_t time) {
  std::byte* list_record = list_records_[static_cast<size_t>(key_row)];
  OpenSessions& open = open_sessions(list_record);
  SessionList& list = others(list_record);
  const int64_t size_before = list.byte_size();
  list.insert(open.last);
  const SessionList::Range range = list.touching({time, time + spec_.window.size_ms, time});
  auto& sessions = list.sessions();
  std::vector<int64_t> ids;
  for (size_t i = range.first; i < range.last; ++i) {
    ids.push_back(sessions[i].id);
  }
  const std::vector<int32_t> rows(ids.size(), key_row);
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
  open.last = sessions.back();
  open.count = static_cast<int64_t>(sessions.size());
  sessions.pop_back();
  lists_->object_resized(list.byte_size() - size_before);
  windows_->erase(std::span(slots).subspan(1));
}

void SessionWindows::erase_keys_without_sessions() {
  std::vector<stream::SlotId> empty;
  for (size_t i = 0; i < list_slots_.size(); ++i) {
    if (list_inserted_[i] != 0 && open_sessions(list_records_[i]).count == 0) {
      empty.push_back(list_slots_[i]);
    }
  }
  if (!empty.empty()) {
    lists_->erase(empty);
  }
}

SessionList& SessionWindows::others(std::byte* record) {
  return static_cast<SessionList&>(
      lists_->writable_object(record + others_offset_, *SessionList::kind()));
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
