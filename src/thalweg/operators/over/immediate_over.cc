#include "thalweg/operators/over/immediate_over.h"

#include "thalweg/operators/key_columns.h"

namespace thalweg::operators {

ImmediateOver::ImmediateOver(const OverAggregateSpec& spec)
    : spec_(spec), frame_(make_running_frame(spec_, false)) {
  if (spec.ttl_ms.has_value()) {
    expiry_.emplace(*spec.ttl_ms);
  }
}

void ImmediateOver::open(stream::OperatorContext& context) {
  context_ = &context;
  stream::StateSpec state{
      .name = "partitions", .key = fields_at(spec_.input, spec_.partition_keys), .value = {}};
  if (expiry_) {
    expiry_->declare_field(state.value);
  }
  frame_->declare_fields(state.value);
  table_ = &context.keyed_table(state);
  frame_->bind(*table_);
  if (expiry_) {
    timers_ = &context.processing_timers(*table_);
    expiry_->bind(table_->layout(), *timers_);
  }
}

void ImmediateOver::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  const auto rows = static_cast<size_t>(batch.row_count());
  slots_.resize(rows);
  records_.resize(rows);
  inserted_.resize(rows);
  table_->find_or_insert(
      {.columns = columns_at(batch, spec_.partition_keys)}, slots_, records_, inserted_);
  if (expiry_) {
    for (size_t row = 0; row < rows; ++row) {
      if (inserted_[row] != 0) {
        expiry_->start(records_[row]);
      }
      expiry_->touch(records_[row], slots_[row], context_->now().ms);
    }
  }
  times_.assign(rows, context_->now().ms);
  std::vector<ColumnPtr> columns = batch.columns();
  for (ColumnPtr& results : frame_->add_rows({batch, slots_, records_, times_})) {
    columns.push_back(std::move(results));
  }
  output.emit(batch.with_columns(std::move(columns)));
}

void ImmediateOver::on_processing_time(ProcessingTime now, stream::Output& /*output*/) {
  if (!expiry_) {
    return;
  }
  std::vector<stream::Timer> due;
  std::vector<stream::SlotId> forgotten;
  while (timers_->pop_due(now.ms, due)) {
    for (const stream::Timer& timer : due) {
      if (expiry_->ends(table_->read(timer.slot), timer.time_ms)) {
        forgotten.push_back(timer.slot);
      }
    }
  }
  table_->erase(forgotten);
}

}  // namespace thalweg::operators
