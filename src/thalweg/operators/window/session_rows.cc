// How rows find, extend, open and join sessions.
#include "thalweg/operators/key_columns.h"
#include "thalweg/operators/window/session_windows.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

bool has_time(const SessionSpec& spec, const Batch& batch, int32_t row) {
  return spec.window.is_processing_time ||
         !batch.column(static_cast<size_t>(spec.window.time.value)).is_null(row);
}

}  // namespace

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
      watermark = std::max(watermark, mark->watermark);
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

}  // namespace thalweg::operators
