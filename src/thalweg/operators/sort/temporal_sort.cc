#include "thalweg/operators/sort/temporal_sort.h"

#include <limits>

#include "thalweg/operators/sort/row_order.h"
#include "thalweg/operators/window/watermark_state.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

TemporalSort::TemporalSort(const TemporalSortSpec& spec)
    : spec_(spec), later_keys_(spec.keys.begin() + 1, spec.keys.end()) {}

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
  last_time_state_ = &context.list_state("last_time");
  last_time_ = restored_watermark(*last_time_state_);
}

void TemporalSort::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  if (spec_.is_processing_time && later_keys_.empty()) {
    output.emit(std::move(batch));
    return;
  }
  stream::for_each_run(
      batch,
      [&](int32_t begin, int32_t end) { keep_rows(batch.slice(begin, end)); },
      [&](EventTime watermark) { on_watermark(watermark, output); });
}

void TemporalSort::keep_rows(const Batch& batch) {
  const Column& time = batch.column(static_cast<size_t>(spec_.keys[0].column.value));
  std::vector<int32_t> rows;
  std::vector<int64_t> times;
  for (int32_t row = 0; row < batch.row_count(); ++row) {
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
      send_time(timer, output);
    }
    due.clear();
  }
}

void TemporalSort::send_time(const stream::Timer& timer, stream::Output& output) {
  std::vector<ColumnBuilder> builders = make_builders(spec_.input);
  std::vector<RowKind> kinds;
  const std::byte* record = table_->read(timer.slot);
  static_cast<const RowLog*>(table_->object(record + offset_))->read(builders, kinds);
  Batch batch = finish_batch(builders);
  batch.set_kinds(std::move(kinds));
  if (!later_keys_.empty()) {
    const auto order = sorted_rows(later_keys_, batch.columns(), batch.row_count());
    std::vector<ColumnPtr> columns;
    std::vector<RowKind> sorted_kinds;
    for (const ColumnPtr& column : batch.columns()) {
      columns.push_back(gather(column, order));
    }
    for (const int32_t row : order) {
      sorted_kinds.push_back(batch.kind(row));
    }
    batch = Batch(batch.row_count(), std::move(columns));
    batch.set_kinds(std::move(sorted_kinds));
  }
  last_time_ = {timer.time_ms};
  const stream::SlotId slots[] = {timer.slot};
  table_->erase(slots);
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
