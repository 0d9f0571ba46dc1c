#include "thalweg/operators/window/window_records.h"

#include "thalweg/operators/key_columns.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

WindowRecords::WindowRecords(const WindowFrame& frame, std::string name)
    : frame_(frame),
      name_(std::move(name)),
      counts_rows_(frame.spec.needs_retract || frame.spec.window.is_processing_time),
      aggregates_(frame.spec.aggregates, frame.spec.needs_retract) {}

void WindowRecords::open(stream::OperatorContext& context) {
  stream::StateSpec state{.name = name_,
                          .key = fields_at(frame_.spec.input, frame_.keys),
                          .has_namespace = true,
                          .value = {}};
  if (counts_rows_) {
    state.value.push_back({"row_count", DataType::big_int().not_null()});
  }
  aggregates_.declare_fields(state.value);
  table_ = &context.keyed_table(state);
  aggregates_.bind(table_->layout());
  if (counts_rows_) {
    row_count_offset_ = table_->layout().offset(0);
  }
}

void WindowRecords::add(const Batch& batch,
                        std::span<const int32_t> rows,
                        std::span<const int64_t> ends) {
  key_columns_ = columns_at(batch, frame_.keys);
  if (rows.size() != static_cast<size_t>(batch.row_count())) {
    for (ColumnPtr& column : key_columns_) {
      column = gather(column, rows);
    }
  }
  slots_.resize(rows.size());
  records_.resize(rows.size());
  inserted_.resize(rows.size());
  table_->find_or_insert(
      {.columns = key_columns_, .namespaces = ends}, slots_, records_, inserted_);
  accumulate(batch, {rows, records_}, *table_);
}

void WindowRecords::accumulate(const Batch& batch,
                               const RowRecords& rows,
                               stream::StateMemory& memory) {
  if (counts_rows_) {
    for (size_t i = 0; i < rows.rows.size(); ++i) {
      row_count(rows.records[i]) += is_accumulate(batch.kind(rows.rows[i])) ? 1 : -1;
    }
  }
  aggregates_.apply(batch, rows, memory);
}

int64_t WindowRecords::total_rows() const {
  std::vector<stream::SlotId> slots;
  table_->collect_slots(slots);
  int64_t rows = 0;
  for (const stream::SlotId slot : slots) {
    rows += row_count(read_only(table_->read(slot)));
  }
  return rows;
}

void WindowRecords::merge(const RecordSpan& into, const RecordSpan& from) {
  if (counts_rows_) {
    for (size_t i = 0; i < into.records.size(); ++i) {
      row_count(into.records[i]) += row_count(from.records[i]);
    }
  }
  aggregates_.merge(into, from);
}

}  // namespace thalweg::operators
