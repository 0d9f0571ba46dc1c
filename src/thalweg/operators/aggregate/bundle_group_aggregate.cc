#include "thalweg/operators/aggregate/bundle_group_aggregate.h"

#include <algorithm>
#include <limits>

#include "thalweg/operators/aggregate/empty_group.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

BundleGroupAggregate::BundleGroupAggregate(const GroupAggregateSpec& spec)
    : spec_(spec), state_(spec_, true) {
  if (spec_.mini_batch->size <= 0) {
    spec_.mini_batch->size = std::numeric_limits<int64_t>::max();
  }
}

void BundleGroupAggregate::open(stream::OperatorContext& context) {
  context_ = &context;
  state_.open(context);
  before_ = state_.make_result_builders();
}

void BundleGroupAggregate::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  const std::vector<Mark> marks = batch.marks();
  batch.set_marks({});
  auto mark = marks.begin();
  const int32_t rows = batch.row_count();
  for (int32_t begin = 0; begin < rows;) {
    const int64_t room = std::max<int64_t>(1, spec_.mini_batch->size - bundle_rows_);
    const auto end = static_cast<int32_t>(std::min<int64_t>(rows, begin + room));
    add_rows(batch.slice(begin, end));
    for (; mark != marks.end() && mark->row <= end; ++mark) {
      held_watermark_ = mark->watermark;
    }
    if (bundle_rows_ >= spec_.mini_batch->size) {
      finish_bundle(output);
    }
    begin = end;
  }
  if (bundle_rows_ == 0 && !marks.empty()) {
    held_watermark_ = marks.back().watermark;
    finish_bundle(output);
  }
}

void BundleGroupAggregate::add_rows(const Batch& batch) {
  had_rows_ = true;
  start_bundle();
  state_.find_or_insert(batch);
  choose_rows(batch);
  touch_groups();
  state_.aggregates().apply(batch, {chosen_rows_, chosen_records_}, state_.table());
  bundle_rows_ += batch.row_count();
}

void BundleGroupAggregate::choose_rows(const Batch& batch) {
  const auto rows = static_cast<size_t>(batch.row_count());
  if (!spec_.needs_retract) {
    const auto all = state_.all_rows(rows);
    chosen_rows_.assign(all.begin(), all.end());
    chosen_records_ = state_.records;
    return;
  }
  chosen_rows_.clear();
  chosen_records_.clear();
  for (size_t i = 0; i < rows; ++i) {
    std::byte* record = state_.records[i];
    int64_t& count = state_.row_count(record);
    const bool adds = is_accumulate(batch.kind(static_cast<int32_t>(i)));
    if (!adds && count == 0) {
      // Nothing to take back from. The group is touched all the same, so that the bundle's end
      // erases it.
      if (state_.is_touched(record) == 0) {
        touch_new_group(record, state_.slots[i]);
      }
      continue;
    }
    count += adds ? 1 : -1;
    chosen_rows_.push_back(static_cast<int32_t>(i));
    chosen_records_.push_back(record);
  }
}

void BundleGroupAggregate::touch_new_group(std::byte* record, stream::SlotId slot) {
  state_.is_touched(record) = 1;
  touched_.push_back(slot);
  is_new_.push_back(1);
  for (ColumnBuilder& builder : before_) {
    builder.append_null();
  }
}

void BundleGroupAggregate::touch_groups() {
  std::vector<std::byte*> newly_touched;
  for (size_t i = 0; i < chosen_records_.size(); ++i) {
    std::byte* record = chosen_records_[i];
    if (state_.is_touched(record) != 0) {
      continue;
    }
    const auto row = static_cast<size_t>(chosen_rows_[i]);
    state_.is_touched(record) = 1;
    touched_.push_back(state_.slots[row]);
    is_new_.push_back(state_.inserted[row]);
    newly_touched.push_back(record);
  }
  state_.aggregates().append_results({newly_touched, state_.table()}, before_);
}

void BundleGroupAggregate::start_bundle() {
  if (bundle_rows_ == 0 && spec_.mini_batch->latency_ms > 0) {
    deadline_ = {context_->now().ms + spec_.mini_batch->latency_ms};
    context_->wake_at(deadline_);
  }
}

void BundleGroupAggregate::finish_bundle(stream::Output& output) {
  if (!touched_.empty()) {
    const size_t step = kTargetBatchRows;
    std::vector<ColumnPtr> before;
    for (ColumnBuilder& builder : before_) {
      before.push_back(builder.finish());
    }
    for (size_t begin = 0; begin < touched_.size(); begin += step) {
      send_changes(before, begin, std::min(touched_.size(), begin + step), output);
    }
    reset_groups();
  }
  bundle_rows_ = 0;
  deadline_ = kMaxProcessingTime;
  if (held_watermark_ != kMinEventTime) {
    output.emit_watermark(held_watermark_);
    held_watermark_ = kMinEventTime;
  }
}

void BundleGroupAggregate::send_changes(std::span<const ColumnPtr> before,
                                        size_t begin,
                                        size_t end,
                                        stream::Output& output) {
  const auto slots = std::span(touched_).subspan(begin, end - begin);
  std::vector<std::byte*> records(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    records[i] = state_.table().writable(slots[i]);
    state_.is_touched(records[i]) = 0;
  }
  auto keys = state_.make_key_builders();
  state_.table().append_keys(slots, keys);
  auto results = state_.make_result_builders();
  state_.aggregates().append_results({records, state_.table()}, results);
  std::vector<ColumnPtr> key_columns;
  std::vector<ColumnPtr> part_before;
  std::vector<ColumnPtr> after;
  for (ColumnBuilder& builder : keys) {
    key_columns.push_back(builder.finish());
  }
  for (size_t i = 0; i < results.size(); ++i) {
    part_before.push_back(
        slice_column(before[i], static_cast<int32_t>(begin), static_cast<int32_t>(end)));
    after.push_back(results[i].finish());
  }
  std::vector<uint8_t> changed(slots.size(), 0);
  mark_changes(part_before, after, changed);
  changes_.clear();
  for (size_t i = 0; i < slots.size(); ++i) {
    const auto row = static_cast<int32_t>(i);
    const bool is_new = is_new_[begin + i] != 0;
    const bool is_gone = spec_.needs_retract && state_.row_count(records[i]) == 0;
    if (is_gone && !is_new) {
      changes_.add(RowKind::kDelete, row, row, true);
    } else if (is_new && !is_gone) {
      changes_.add(RowKind::kInsert, row, row, false);
    } else if (!is_gone && changed[i] != 0) {
      if (spec_.generate_update_before) {
        changes_.add(RowKind::kUpdateBefore, row, row, true);
      }
      changes_.add(RowKind::kUpdateAfter, row, row, false);
    }
  }
  if (changes_.size() > 0) {
    output.emit(changes_.build(key_columns, part_before, after));
  }
}

void BundleGroupAggregate::reset_groups() {
  if (spec_.needs_retract) {
    std::vector<stream::SlotId> empty;
    for (const stream::SlotId slot : touched_) {
      if (state_.row_count(read_only(state_.table().read(slot))) == 0) {
        empty.push_back(slot);
      }
    }
    state_.table().erase(empty);
  }
  touched_.clear();
  is_new_.clear();
}

void BundleGroupAggregate::on_watermark(EventTime watermark, stream::Output& output) {
  held_watermark_ = watermark;
  if (bundle_rows_ == 0 || watermark == kMaxEventTime) {
    finish_bundle(output);
  }
}

void BundleGroupAggregate::on_processing_time(ProcessingTime now, stream::Output& output) {
  if (now >= deadline_) {
    finish_bundle(output);
  }
}

void BundleGroupAggregate::on_input_end(int32_t /*input*/, stream::Output& output) {
  finish_bundle(output);
  if (spec_.keys.empty() && spec_.emit_when_empty && !had_rows_) {
    send_empty_group(state_, output);
  }
}

void BundleGroupAggregate::before_snapshot(stream::Output& output) {
  finish_bundle(output);
}

}  // namespace thalweg::operators
