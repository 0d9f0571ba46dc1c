#include "thalweg/operators/window/brief_windows.h"

#include <algorithm>

#include "thalweg/operators/key_columns.h"

namespace thalweg::operators {

BriefWindows::BriefWindows(WindowFrame& frame,
                           const SliceAssigner& assigner,
                           WindowRecords& records)
    : frame_(frame),
      assigner_(assigner),
      records_(records),
      knows_order_(KeyOrder::knows(fields_at(frame.spec.input, frame.keys))) {}

void BriefWindows::open() {
  scratch_.emplace(records_.table().layout());
}

bool BriefWindows::take(const Batch& batch,
                        std::span<const int32_t> rows,
                        std::span<const int64_t> ends,
                        EventTime fired,
                        const stream::KeyedTimers& timers) {
  if (!knows_order_ || fired == kMinEventTime || !split(rows, ends, fired, timers)) {
    return false;
  }
  order_.emplace(columns_at(batch, frame_.keys));
  sort_items();
  make_groups(batch.row_count());
  scratch_->reset(groups_.size());
  row_records_.resize(rows_.size());
  for (size_t i = 0; i < rows_.size(); ++i) {
    const int32_t group = group_of_row_[static_cast<size_t>(rows_[i])];
    row_records_[i] = scratch_->records()[static_cast<size_t>(group)];
  }
  records_.accumulate(batch, {rows_, row_records_}, *scratch_);
  return true;
}

/// Rows mostly come window by window, so each window is looked at once or a few times.
bool BriefWindows::split(std::span<const int32_t> rows,
                         std::span<const int64_t> ends,
                         EventTime fired,
                         const stream::KeyedTimers& timers) {
  windows_.clear();
  items_.clear();
  rows_.clear();
  other_rows_.clear();
  other_ends_.clear();
  for (size_t begin = 0; begin < rows.size();) {
    const int64_t end = ends[begin];
    size_t stop = begin + 1;
    while (stop < rows.size() && ends[stop] == end) {
      ++stop;
    }
    const int64_t closing = frame_.clock.closing_time(end);
    if (closing <= fired.ms && !timers.may_have(closing)) {
      for (size_t i = begin; i < stop; ++i) {
        items_.push_back({{}, rows[i], static_cast<int32_t>(windows_.size())});
        rows_.push_back(rows[i]);
      }
      windows_.push_back({end, closing});
    } else {
      other_rows_.insert(other_rows_.end(), &rows[begin], &rows[begin] + (stop - begin));
      other_ends_.insert(other_ends_.end(), stop - begin, end);
    }
    begin = stop;
  }
  return !items_.empty();
}

/// By time, key, window and row.
void BriefWindows::sort_items() {
  const auto closes_before = [this](const Item& left, const Item& right) {
    return window_of(left).closing < window_of(right).closing;
  };
  if (!std::is_sorted(items_.begin(), items_.end(), closes_before)) {
    std::stable_sort(items_.begin(), items_.end(), closes_before);
  }
  for (Item& item : items_) {
    item.rank = order_->rank(item.row);
  }
  const auto less = [this, &order = *order_](const Item& left, const Item& right) {
    if (left.rank != right.rank) {
      return left.rank < right.rank;
    }
    if (const int keys = order.compare(left.rank, left.row, right.row); keys != 0) {
      return keys < 0;
    }
    const int64_t left_end = window_of(left).end;
    const int64_t right_end = window_of(right).end;
    return left_end != right_end ? left_end < right_end : left.row < right.row;
  };
  for (auto begin = items_.begin(); begin != items_.end();) {
    auto stop = begin + 1;
    while (stop != items_.end() && window_of(*stop).closing == window_of(*begin).closing) {
      ++stop;
    }
    std::sort(begin, stop, less);
    begin = stop;
  }
}

void BriefWindows::make_groups(int32_t rows) {
  groups_.clear();
  next_ = 0;
  group_of_row_.resize(static_cast<size_t>(rows));
  const auto is_of_last = [this](const Item& item) {
    const Item& last = groups_.back();
    return last.rank == item.rank && window_of(last).end == window_of(item).end &&
           order_->compare(item.rank, last.row, item.row) == 0;
  };
  for (const Item& item : items_) {
    if (groups_.empty() || !is_of_last(item)) {
      groups_.push_back(item);
    }
    group_of_row_[static_cast<size_t>(item.row)] = static_cast<int32_t>(groups_.size()) - 1;
  }
}

void BriefWindows::close_next(ProcessingTime now, WindowResults& results) {
  const int64_t closing = next_time();
  for (; !is_done() && next_time() == closing && results.rows() < kTargetBatchRows; ++next_) {
    const Item& group = groups_[next_];
    std::byte* const record = scratch_->records()[next_];
    if (frame_.spec.needs_retract && records_.row_count(record) == 0) {
      continue;
    }
    const int64_t end = window_of(group).end;
    results.append_window(assigner_.window_start(end), end, frame_.clock, now);
    closed_rows_.push_back(group.row);
    closed_records_.push_back(record);
  }
}

void BriefWindows::flush(WindowResults& results) {
  if (closed_rows_.empty()) {
    return;
  }
  const std::span<ColumnBuilder> builders = results.keys();
  for (size_t key = 0; key < builders.size(); ++key) {
    const Column& column = *order_->keys()[key];
    for (const int32_t row : closed_rows_) {
      builders[key].append_from(column, row);
    }
  }
  records_.aggregates().append_results({closed_records_, *scratch_}, results.contents());
  closed_rows_.clear();
  closed_records_.clear();
}

}  // namespace thalweg::operators
