#include "thalweg/operators/sort/temporal_sort.h"

#include <limits>

#include "thalweg/operators/sort/row_order.h"
#include "thalweg/operators/window/watermark_state.h"

namespace thalweg::operators {

TemporalSort::TemporalSort(const TemporalSortSpec& spec)
    : spec_(spec),
      later_keys_(spec.keys.begin() + 1, spec.keys.end()),
      builders_(make_builders(spec.input)) {}

void TemporalSort::open(stream::OperatorContext& context) {
  context_ = &context;
  late_rows_ = &context.counter(stream::metric::kLateRows);
  table_ = &context.keyed_table({.name = "rows",
                                 .key = {},
                                 .has_namespace = true,
                                 .value = {{"rows", DataType::bytes(), RowLog::kind()}}});
  offset_ = table_->layout().offset(0);
  timers_ = spec_.is_processing_time ? &context.processing_timers(*table_)
                                     : &context.event_timers(*table_);
  last_time_state_ = &context.list_state("last_time", stream::ListMode::kUnion);
  last_time_ = restored_watermark(*last_time_state_);
}

void TemporalSort::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  if (spec_.is_processing_time && later_keys_.empty()) {
    output.emit(std::move(batch));
    return;
  }
  stream::for_each_run(
      batch,
      [&](int32_t begin, int32_t end) { keep_rows(batch, begin, end); },
      [&](EventTime watermark) { on_watermark(watermark, output); });
}

void TemporalSort::keep_rows(const Batch& batch, int32_t begin, int32_t end) {
  const Column& time = batch.column(static_cast<size_t>(spec_.keys[0].column.value));
  std::vector<int32_t> rows;
  std::vector<int64_t> times;
  for (int32_t row = begin; row < end; ++row) {
    const int64_t at = spec_.is_processing_time ? context_->now().ms : time.at<int64_t>(row);
    if (!spec_.is_processing_time && (time.is_null(row) || at <= last_time_.ms)) {
      late_rows_->add();
      continue;
    }
    rows.push_back(row);
    times.push_back(at);
  }
  std::vector<stream::SlotId> slots(rows.size());
  std::vector<std::byte*> records(rows.size());
  std::vector<uint8_t> inserted(rows.size());
  table_->find_or_insert({.columns = {}, .namespaces = times}, slots, records, inserted);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (inserted[i] != 0) {
      timers_->add(times[i], slots[i]);
    }
    auto& log =
        static_cast<RowLog&>(table_->writable_object(records[i] + offset_, *RowLog::kind()));
    const int64_t size_before = log.byte_size();
    log.append(batch.columns(), rows[i], batch.kind(rows[i]));
    table_->object_resized(log.byte_size() - size_before);
  }
  if (spec_.is_processing_time && !rows.empty()) {
    context_->wake_at({context_->now().ms + 1});
  }
}

void TemporalSort::fire(int64_t time_ms, stream::Output& output) {
  std::vector<stream::Timer> due;
  while (timers_->pop_due(time_ms, due)) {
    for (const stream::Timer& timer : due) {
      read_time(timer);
    }
    due.clear();
    if (kinds_.size() >= static_cast<size_t>(kTargetBatchRows)) {
      send(output);
    }
  }
  send(output);
}

void TemporalSort::read_time(const stream::Timer& timer) {
  const std::byte* record = table_->read(timer.slot);
  const auto& log = static_cast<const RowLog&>(*table_->object(record + offset_));
  if (later_keys_.empty()) {
    log.read(builders_, kinds_);
  } else {
    std::vector<ColumnBuilder> builders = make_builders(spec_.input);
    std::vector<RowKind> kinds;
    log.read(builders, kinds);
    const Batch rows = finish_batch(builders);
    for (const int32_t row : sorted_rows(later_keys_, rows.columns(), rows.row_count())) {
      for (size_t column = 0; column < builders_.size(); ++column) {
        builders_[column].append_from(rows.column(column), row);
      }
      kinds_.push_back(kinds[static_cast<size_t>(row)]);
    }
  }
  last_time_ = {timer.time_ms};
  const stream::SlotId slots[] = {timer.slot};
  table_->erase(slots);
}

void TemporalSort::send(stream::Output& output) {
  if (kinds_.empty()) {
    return;
  }
  Batch batch = finish_batch(builders_);
  batch.set_kinds(std::exchange(kinds_, {}));
  output.emit(std::move(batch));
}

void TemporalSort::on_watermark(EventTime watermark, stream::Output& output) {
  if (!spec_.is_processing_time) {
    fire(watermark.ms, output);
  }
  output.emit_watermark(watermark);
}

void TemporalSort::on_processing_time(ProcessingTime now, stream::Output& output) {
  if (spec_.is_processing_time) {
    fire(now.ms - 1, output);
  }
}

void TemporalSort::on_input_end(int32_t /*input*/, stream::Output& output) {
  fire(std::numeric_limits<int64_t>::max(), output);
}

void TemporalSort::before_snapshot(stream::Output& /*output*/) {
  keep_watermark(*last_time_state_, last_time_);
}

}  // namespace thalweg::operators
