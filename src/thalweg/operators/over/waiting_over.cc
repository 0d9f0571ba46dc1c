#include "thalweg/operators/over/waiting_over.h"

#include <algorithm>

#include "thalweg/operators/key_columns.h"
#include "thalweg/operators/window/watermark_state.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

WaitingOver::WaitingOver(const OverAggregateSpec& spec)
    : spec_(spec),
      is_row_time_(spec.mode == OverMode::kEventTime),
      is_bounded_(is_bounded(spec.frame)),
      waiting_(spec.input, spec.partition_keys),
      frame_(make_running_frame(spec_, !spec.frame.is_rows)) {
  if (is_bounded_ && !spec.frame.is_rows) {
    past_expiry_.emplace(preceding_of(spec.frame));
  } else if (spec.ttl_ms.has_value()) {
    idle_expiry_.emplace(*spec.ttl_ms);
  }
}

void WaitingOver::open(stream::OperatorContext& context) {
  context_ = &context;
  late_rows_ = &context.counter(stream::metric::kLateRows);
  declare_state(context);
  waiting_.open(context);
  watermark_state_ = &context.list_state("watermark", stream::ListMode::kUnion);
  watermark_ = restored_watermark(*watermark_state_);
  if (!is_row_time_ && waiting_.size() > 0) {
    context.wake_at({waiting_.next_time()});
  }
}

void WaitingOver::declare_state(stream::OperatorContext& context) {
  const DataType number = DataType::big_int().not_null();
  stream::StateSpec state{.name = "partitions",
                          .key = fields_at(spec_.input, spec_.partition_keys),
                          .value = {{"last_time", number}}};
  if (idle_expiry_) {
    state.value.push_back({"waiting", number});
    idle_expiry_->declare_field(state.value);
  }
  if (past_expiry_) {
    past_expiry_->declare_field(state.value);
  }
  frame_->declare_fields(state.value);
  table_ = &context.keyed_table(state);
  const stream::RecordLayout& layout = table_->layout();
  last_time_offset_ = layout.offset(0);
  frame_->bind(*table_);
  if (idle_expiry_) {
    waiting_count_offset_ = layout.offset(1);
    idle_timers_ = &context.processing_timers(*table_);
    idle_expiry_->bind(layout, *idle_timers_);
  }
  if (past_expiry_) {
    past_timers_ =
        is_row_time_ ? &context.event_timers(*table_) : &context.processing_timers(*table_);
    past_expiry_->bind(layout, *past_timers_);
  }
}

void WaitingOver::close() {
  waiting_.close();
}

int64_t& WaitingOver::last_time(std::byte* record) const {
  return *reinterpret_cast<int64_t*>(record + last_time_offset_);
}

int64_t& WaitingOver::waiting_count(std::byte* record) const {
  return *reinterpret_cast<int64_t*>(record + waiting_count_offset_);
}

void WaitingOver::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  if (!is_row_time_) {
    fire(context_->now().ms, output);
  }
  stream::for_each_run(
      batch,
      [&](int32_t begin, int32_t end) {
        read_run(batch, begin, end);
        choose_rows(batch, output);
      },
      [&](EventTime watermark) {
        watermark_ = std::max(watermark_, watermark);
        watermarks_.push_back(watermark);
      });
  keep_chosen(batch);
  if (!watermarks_.empty()) {
    fire(is_row_time_ ? watermark_.ms : context_->now().ms, output);
  }
}

void WaitingOver::read_run(const Batch& batch, int32_t begin, int32_t end) {
  run_.rows.clear();
  run_.times.clear();
  if (!is_row_time_) {
    // A millisecond of the clock is over when the next one has begun.
    const int64_t due_ms = context_->now().ms + 1;
    for (int32_t row = begin; row < end; ++row) {
      run_.rows.push_back(row);
      run_.times.push_back(due_ms);
    }
    return;
  }
  const Column& time = batch.column(static_cast<size_t>(spec_.order[0].column.value));
  for (int32_t row = begin; row < end; ++row) {
    const int64_t at = time.at<int64_t>(row);
    if (time.is_null(row) || (!is_bounded_ && at <= watermark_.ms)) {
      late_rows_->add();
      continue;
    }
    run_.rows.push_back(row);
    run_.times.push_back(at);
  }
}

void WaitingOver::choose_rows(const Batch& batch, stream::Output& output) {
  const bool may_be_late =
      is_row_time_ && std::any_of(run_.times.begin(), run_.times.end(), [this](int64_t time_ms) {
        return time_ms <= watermark_.ms;
      });
  if (!past_expiry_ && !may_be_late) {
    chosen_.insert(chosen_.end(), run_.rows.begin(), run_.rows.end());
    times_.insert(times_.end(), run_.times.begin(), run_.times.end());
    return;
  }
  find_partitions(keys_of(batch, run_.rows), run_.rows.size());
  if (!watermarks_.empty() && (may_be_late || are_partitions_over())) {
    // What was computed, and forgotten, by the watermarks before these rows tells what is late.
    keep_chosen(batch);
    fire(watermark_.ms, output);
    find_partitions(keys_of(batch, run_.rows), run_.rows.size());
  }
  for (size_t i = 0; i < run_.rows.size(); ++i) {
    const int64_t time_ms = run_.times[i];
    if (is_row_time_ && time_ms <= last_time(records_[i])) {
      late_rows_->add();
      continue;
    }
    if (past_expiry_) {
      past_expiry_->touch(records_[i], slots_[i], time_ms + (is_row_time_ ? 1 : 0));
    }
    chosen_.push_back(run_.rows[i]);
    times_.push_back(time_ms);
  }
}

std::vector<ColumnPtr> WaitingOver::keys_of(const Batch& batch,
                                            std::span<const int32_t> rows) const {
  std::vector<ColumnPtr> keys = columns_at(batch, spec_.partition_keys);
  if (rows.size() != static_cast<size_t>(batch.row_count())) {
    for (ColumnPtr& key : keys) {
      key = gather(key, rows);
    }
  }
  return keys;
}

bool WaitingOver::are_partitions_over() const {
  return std::any_of(records_.begin(), records_.end(), [this](const std::byte* record) {
    return past_expiry_.has_value() && past_expiry_->is_over(record, watermark_.ms);
  });
}

void WaitingOver::keep_chosen(const Batch& batch) {
  if (chosen_.empty()) {
    return;
  }
  waiting_.add(batch, chosen_, times_);
  if (idle_expiry_) {
    touch_chosen(batch);
  }
  if (!is_row_time_) {
    context_->wake_at({times_.back()});
  }
  chosen_.clear();
  times_.clear();
}

void WaitingOver::touch_chosen(const Batch& batch) {
  find_partitions(keys_of(batch, chosen_), chosen_.size());
  for (size_t i = 0; i < slots_.size(); ++i) {
    ++waiting_count(records_[i]);
    idle_expiry_->touch(records_[i], slots_[i], context_->now().ms);
  }
}

void WaitingOver::fire(int64_t time_ms, stream::Output& output) {
  while (waiting_.has_due(time_ms)) {
    send(waiting_.take(time_ms), time_ms, output);
  }
  if (!watermarks_.empty()) {
    output.emit_watermark(watermarks_.back());
    watermarks_.clear();
  }
  if (past_expiry_) {
    forget_past(time_ms);
  }
}

void WaitingOver::send(TimedBatch due, int64_t time_ms, stream::Output& output) {
  find_partitions(columns_at(due.rows, spec_.partition_keys), due.times.size());
  if (!spec_.frame.is_rows) {
    group_peers(due);
  }
  touch_partitions(due.times);
  std::vector<ColumnPtr> columns = due.rows.columns();
  for (ColumnPtr& results : frame_->add_rows({due.rows, slots_, records_, due.times})) {
    columns.push_back(std::move(results));
  }
  Batch batch(due.rows.row_count(), std::move(columns));
  if (is_row_time_) {
    batch.set_marks(take_marks(due.times, time_ms));
  }
  if (batch.row_count() > 0 || !batch.marks().empty()) {
    output.emit(std::move(batch));
  }
}

std::vector<Mark> WaitingOver::take_marks(std::span<const int64_t> times, int64_t time_ms) {
  std::vector<Mark> marks;
  const bool is_last = !waiting_.has_due(time_ms);
  size_t taken = 0;
  for (; taken < watermarks_.size(); ++taken) {
    const EventTime watermark = watermarks_[taken];
    if (!is_last && watermark.ms >= waiting_.next_time()) {
      break;
    }
    const auto behind = std::upper_bound(times.begin(), times.end(), watermark.ms);
    marks.push_back({static_cast<int32_t>(behind - times.begin()), watermark});
  }
  watermarks_.erase(watermarks_.begin(), watermarks_.begin() + static_cast<std::ptrdiff_t>(taken));
  return marks;
}

void WaitingOver::find_partitions(std::span<const ColumnPtr> keys, size_t size) {
  slots_.resize(size);
  records_.resize(size);
  inserted_.resize(size);
  table_->find_or_insert({.columns = keys}, slots_, records_, inserted_);
  for (size_t i = 0; i < size; ++i) {
    if (inserted_[i] != 0) {
      start_partition(records_[i]);
    }
  }
}

void WaitingOver::start_partition(std::byte* record) {
  last_time(record) = kMinEventTime.ms;
  for (const auto* expiry : {&past_expiry_, &idle_expiry_}) {
    if (expiry->has_value()) {
      (*expiry)->start(record);
    }
  }
}

void WaitingOver::group_peers(TimedBatch& due) {
  const size_t size = slots_.size();
  std::vector<int32_t> order(size);
  // The first row of each row's partition and time.
  std::vector<int32_t> leaders(size);
  bool is_grouped = true;
  for (size_t begin = 0; begin < size;) {
    size_t end = begin;
    for (; end < size && due.times[end] == due.times[begin]; ++end) {
      order[end] = static_cast<int32_t>(end);
    }
    const auto run = std::span(order).subspan(begin, end - begin);
    const auto slot_of = [this](int32_t row) { return slots_[static_cast<size_t>(row)]; };
    std::stable_sort(run.begin(), run.end(), [&slot_of](int32_t left, int32_t right) {
      return slot_of(left) < slot_of(right);
    });
    for (size_t i = 0; i < run.size(); ++i) {
      const bool has_leader = i > 0 && slot_of(run[i - 1]) == slot_of(run[i]);
      const int32_t leader = has_leader ? leaders[static_cast<size_t>(run[i - 1])] : run[i];
      leaders[static_cast<size_t>(run[i])] = leader;
    }
    std::sort(run.begin(), run.end(), [&leaders](int32_t left, int32_t right) {
      return std::pair(leaders[static_cast<size_t>(left)], left) <
             std::pair(leaders[static_cast<size_t>(right)], right);
    });
    for (size_t i = begin; i < end; ++i) {
      is_grouped = is_grouped && order[i] == static_cast<int32_t>(i);
    }
    begin = end;
  }
  if (!is_grouped) {
    reorder(due, order);
  }
}

void WaitingOver::reorder(TimedBatch& due, std::span<const int32_t> rows) {
  std::vector<ColumnPtr> columns;
  for (const ColumnPtr& column : due.rows.columns()) {
    columns.push_back(gather(column, rows));
  }
  due.rows = Batch(static_cast<int32_t>(rows.size()), std::move(columns));
  const auto pick = [rows](const auto& values) {
    std::remove_cvref_t<decltype(values)> picked;
    for (const int32_t row : rows) {
      picked.push_back(values[static_cast<size_t>(row)]);
    }
    return picked;
  };
  due.times = pick(due.times);
  slots_ = pick(slots_);
  records_ = pick(records_);
}

void WaitingOver::touch_partitions(std::span<const int64_t> times) {
  for (size_t i = 0; i < times.size(); ++i) {
    last_time(records_[i]) = times[i];
    if (idle_expiry_) {
      --waiting_count(records_[i]);
      idle_expiry_->touch(records_[i], slots_[i], context_->now().ms);
    }
  }
}

void WaitingOver::on_watermark(EventTime watermark, stream::Output& output) {
  watermark_ = std::max(watermark_, watermark);
  watermarks_.push_back(watermark);
  fire(is_row_time_ ? watermark_.ms : context_->now().ms, output);
}

void WaitingOver::on_processing_time(ProcessingTime now, stream::Output& output) {
  if (!is_row_time_) {
    fire(now.ms, output);
  }
  if (idle_expiry_) {
    forget_idle(now);
  }
}

void WaitingOver::forget_past(int64_t time_ms) {
  std::vector<stream::Timer> due;
  std::vector<stream::SlotId> forgotten;
  while (past_timers_->pop_due(time_ms, due)) {
    for (const stream::Timer& timer : due) {
      if (past_expiry_->ends(table_->read(timer.slot), timer.time_ms)) {
        forgotten.push_back(timer.slot);
      }
    }
  }
  table_->erase(forgotten);
}

void WaitingOver::forget_idle(ProcessingTime now) {
  std::vector<stream::Timer> due;
  std::vector<stream::SlotId> forgotten;
  while (idle_timers_->pop_due(now.ms, due)) {
    for (const stream::Timer& timer : due) {
      std::byte* record = table_->writable(timer.slot);
      if (!idle_expiry_->ends(record, timer.time_ms)) {
        continue;
      }
      if (waiting_count(record) == 0) {
        forgotten.push_back(timer.slot);
      } else {
        idle_expiry_->touch(record, timer.slot, now.ms);
      }
    }
  }
  table_->erase(forgotten);
}

void WaitingOver::on_input_end(int32_t /*input*/, stream::Output& /*output*/) {
  if (!is_row_time_) {
    // As in Flink, timers of the clock do not come when the input has ended.
    context_->counter(stream::metric::kDroppedAtEnd).add(waiting_.size());
  }
}

void WaitingOver::before_snapshot(stream::Output& /*output*/) {
  waiting_.save();
  keep_watermark(*watermark_state_, watermark_);
}

}  // namespace thalweg::operators
