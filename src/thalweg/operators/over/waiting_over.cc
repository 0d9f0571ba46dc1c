#include "thalweg/operators/over/waiting_over.h"

#include "thalweg/operators/key_columns.h"
#include "thalweg/operators/window/watermark_state.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

constexpr size_t kWaitingField = 0;
constexpr size_t kLastTimeField = 1;

std::optional<PartitionExpiry> expiry_of(const OverAggregateSpec& spec, bool by_frame) {
  if (by_frame) {
    return PartitionExpiry(preceding_of(spec.frame));
  }
  return spec.ttl_ms.has_value() ? std::optional(PartitionExpiry(*spec.ttl_ms)) : std::nullopt;
}

}  // namespace

WaitingOver::WaitingOver(const OverAggregateSpec& spec)
    : spec_(spec),
      is_row_time_(spec.mode == OverMode::kEventTime),
      is_bounded_(is_bounded(spec.frame)),
      frame_(make_running_frame(spec_, !spec.frame.is_rows)),
      expires_by_frame_(is_bounded_ && !spec.frame.is_rows) {
  expiry_ = expiry_of(spec_, expires_by_frame_);
  due_.columns = make_builders(spec.input);
}

void WaitingOver::open(stream::OperatorContext& context) {
  context_ = &context;
  late_rows_ = &context.counter(stream::metric::kLateRows);
  stream::StateSpec state{.name = "partitions",
                          .key = fields_at(spec_.input, spec_.partition_keys),
                          .value = {{"waiting", DataType::bytes(), TimedRows::kind()},
                                    {"last_time", DataType::big_int().not_null()}}};
  if (expiry_) {
    expiry_->declare_field(state.value);
  }
  frame_->declare_fields(state.value);
  table_ = &context.keyed_table(state);
  waiting_offset_ = table_->layout().offset(kWaitingField);
  last_time_offset_ = table_->layout().offset(kLastTimeField);
  frame_->bind(*table_);
  timers_ = is_row_time_ ? &context.event_timers(*table_) : &context.processing_timers(*table_);
  if (expiry_ && !expires_by_frame_) {
    idle_timers_ = &context.processing_timers(*table_);
  }
  if (expiry_) {
    expiry_->bind(table_->layout(), expires_by_frame_ ? *timers_ : *idle_timers_);
  }
  watermark_state_ = &context.list_state("watermark", stream::ListMode::kUnion);
  watermark_ = restored_watermark(*watermark_state_);
}

TimedRows& WaitingOver::waiting_rows(std::byte* record) {
  return static_cast<TimedRows&>(
      table_->writable_object(record + waiting_offset_, *TimedRows::kind()));
}

int64_t& WaitingOver::last_time(std::byte* record) const {
  return *reinterpret_cast<int64_t*>(record + last_time_offset_);
}

void WaitingOver::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  stream::for_each_run(
      batch,
      [&](int32_t begin, int32_t end) { keep_rows(batch, begin, end); },
      [&](EventTime watermark) { advance(watermark, output); });
  send_due(output);
}

void WaitingOver::keep_rows(const Batch& batch, int32_t begin, int32_t end) {
  choose_rows(batch, begin, end);
  if (rows_.empty()) {
    return;
  }
  find_partitions(batch);
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (inserted_[i] != 0) {
      last_time(records_[i]) = kMinEventTime.ms;
      if (expiry_) {
        expiry_->start(records_[i]);
      }
    }
    keep_row(batch, i);
  }
}

void WaitingOver::choose_rows(const Batch& batch, int32_t begin, int32_t end) {
  rows_.clear();
  times_.clear();
  if (!is_row_time_) {
    for (int32_t row = begin; row < end; ++row) {
      rows_.push_back(row);
    }
    times_.assign(rows_.size(), context_->now().ms);
    return;
  }
  const Column& time = batch.column(static_cast<size_t>(spec_.order[0].column.value));
  for (int32_t row = begin; row < end; ++row) {
    const int64_t at = time.at<int64_t>(row);
    if (time.is_null(row) || (!is_bounded_ && at <= watermark_.ms)) {
      late_rows_->add();
      continue;
    }
    rows_.push_back(row);
    times_.push_back(at);
  }
}

void WaitingOver::find_partitions(const Batch& batch) {
  std::vector<ColumnPtr> keys = columns_at(batch, spec_.partition_keys);
  if (rows_.size() != static_cast<size_t>(batch.row_count())) {
    for (ColumnPtr& key : keys) {
      key = gather(key, rows_);
    }
  }
  slots_.resize(rows_.size());
  records_.resize(rows_.size());
  inserted_.resize(rows_.size());
  table_->find_or_insert({.columns = keys}, slots_, records_, inserted_);
}

void WaitingOver::keep_row(const Batch& batch, size_t chosen) {
  std::byte* record = records_[chosen];
  const int64_t time_ms = times_[chosen];
  if (idle_timers_ != nullptr) {
    expiry_->touch(record, slots_[chosen], context_->now().ms);
  }
  if (is_row_time_ && is_bounded_ && time_ms <= last_time(record)) {
    late_rows_->add();
    return;
  }
  // A millisecond of the clock is over when the next one has begun.
  const int64_t due_ms = is_row_time_ ? time_ms : time_ms + 1;
  TimedRows& waiting = waiting_rows(record);
  const int64_t bytes_before = waiting.byte_size();
  if (waiting.add(due_ms, batch.columns(), rows_[chosen])) {
    timers_->add(due_ms, slots_[chosen]);
  }
  table_->object_resized(waiting.byte_size() - bytes_before);
  if (expires_by_frame_) {
    expiry_->touch(record, slots_[chosen], time_ms + 1);
  }
}

void WaitingOver::advance(EventTime watermark, stream::Output& output) {
  watermark_ = std::max(watermark_, watermark);
  if (is_row_time_) {
    take_due(watermark.ms, output);
  }
  due_.marks.push_back({static_cast<int32_t>(due_.slots.size()), watermark});
}

void WaitingOver::take_due(int64_t time_ms, stream::Output& output) {
  while (timers_->pop_due(time_ms, timers_due_)) {
    for (const stream::Timer& timer : timers_due_) {
      take_timer(timer);
    }
    if (due_.slots.size() >= static_cast<size_t>(kTargetBatchRows) || !forgotten_.empty()) {
      send_due(output);
    }
    table_->erase(forgotten_);
    forgotten_.clear();
  }
}

void WaitingOver::take_timer(const stream::Timer& timer) {
  std::byte* record = table_->writable(timer.slot);
  TimedRows& waiting = waiting_rows(record);
  const int64_t bytes_before = waiting.byte_size();
  while (!waiting.is_empty() && waiting.first_time() <= timer.time_ms) {
    waiting.take_first(due_.columns);
    due_.slots.push_back(timer.slot);
    due_.times.push_back(timer.time_ms);
  }
  table_->object_resized(waiting.byte_size() - bytes_before);
  last_time(record) = timer.time_ms;
  if (idle_timers_ != nullptr) {
    expiry_->touch(record, timer.slot, context_->now().ms);
  } else if (expires_by_frame_ && expiry_->ends(record, timer.time_ms)) {
    forgotten_.push_back(timer.slot);
  }
}

void WaitingOver::send_due(stream::Output& output) {
  const auto rows = static_cast<int32_t>(due_.slots.size());
  if (rows == 0) {
    if (!due_.marks.empty()) {
      output.emit_watermark(due_.marks.back().watermark);
      due_.marks.clear();
    }
    return;
  }
  Batch batch = finish_batch(due_.columns);
  std::vector<ColumnPtr> columns = batch.columns();
  for (ColumnPtr& results : frame_->add_rows({batch, due_.slots, due_.times})) {
    columns.push_back(std::move(results));
  }
  batch = Batch(rows, std::move(columns));
  batch.set_marks(std::exchange(due_.marks, {}));
  due_.slots.clear();
  due_.times.clear();
  output.emit(std::move(batch));
}

void WaitingOver::on_watermark(EventTime watermark, stream::Output& output) {
  advance(watermark, output);
  send_due(output);
}

void WaitingOver::on_processing_time(ProcessingTime now, stream::Output& output) {
  if (!is_row_time_) {
    take_due(now.ms, output);
    send_due(output);
  }
  if (idle_timers_ != nullptr) {
    forget_idle(now);
  }
}

void WaitingOver::forget_idle(ProcessingTime now) {
  while (idle_timers_->pop_due(now.ms, timers_due_)) {
    for (const stream::Timer& timer : timers_due_) {
      std::byte* record = table_->writable(timer.slot);
      if (!expiry_->ends(record, timer.time_ms)) {
        continue;
      }
      if (waiting_rows(record).is_empty()) {
        forgotten_.push_back(timer.slot);
      } else {
        expiry_->touch(record, timer.slot, now.ms);
      }
    }
    table_->erase(forgotten_);
    forgotten_.clear();
  }
}

void WaitingOver::on_input_end(int32_t /*input*/, stream::Output& /*output*/) {
  if (is_row_time_) {
    return;
  }
  // As in Flink, timers of the clock do not come when the input has ended.
  std::vector<stream::SlotId> slots;
  table_->collect_slots(slots);
  for (const stream::SlotId slot : slots) {
    const auto* waiting =
        static_cast<const TimedRows*>(table_->object(table_->read(slot) + waiting_offset_));
    if (waiting != nullptr) {
      context_->counter(stream::metric::kDroppedAtEnd).add(waiting->size());
    }
  }
}

void WaitingOver::before_snapshot(stream::Output& /*output*/) {
  keep_watermark(*watermark_state_, watermark_);
}

}  // namespace thalweg::operators
