#include "thalweg/operators/aggregate/group_state.h"

#include <algorithm>

#include "thalweg/operators/key_columns.h"

namespace thalweg::operators {

GroupState::GroupState(const GroupAggregateSpec& spec, bool tracks_bundle)
    : spec_(spec),
      tracks_bundle_(tracks_bundle),
      aggregates_(spec.aggregates, spec.needs_retract) {}

void GroupState::open(stream::OperatorContext& context) {
  stream::StateSpec state{.name = "accumulators",
                          .key = fields_at(spec_.input, spec_.keys),
                          .value = {},
                          .ttl_ms = spec_.ttl_ms};
  if (tracks_bundle_ && state.ttl_ms.has_value()) {
    // A group must outlive the bundle that touched it.
    state.ttl_ms = std::max(*state.ttl_ms, 2 * spec_.mini_batch->latency_ms);
  }
  if (spec_.needs_retract) {
    state.value.push_back({"row_count", DataType::big_int().not_null()});
  }
  if (tracks_bundle_) {
    state.value.push_back({"touched", DataType::boolean().not_null()});
  }
  aggregates_.declare_fields(state.value);
  table_ = &context.keyed_table(state);
  const stream::RecordLayout& layout = table_->layout();
  aggregates_.bind(layout);
  if (spec_.needs_retract) {
    row_count_offset_ = layout.offset(0);
  }
  if (tracks_bundle_) {
    touched_offset_ = layout.offset(spec_.needs_retract ? 1 : 0);
  }
}

void GroupState::find_or_insert(const Batch& batch) {
  const auto rows = static_cast<size_t>(batch.row_count());
  key_columns = columns_at(batch, spec_.keys);
  slots.resize(rows);
  records.resize(rows);
  inserted.resize(rows);
  table_->find_or_insert({.columns = key_columns}, slots, records, inserted);
}

void GroupState::append_empty_results(std::span<ColumnBuilder> builders) {
  ScratchRecords scratch(table_->layout());
  scratch.reset(1);
  aggregates_.append_results({scratch.records(), scratch}, builders);
}

std::vector<ColumnBuilder> GroupState::make_key_builders() const {
  std::vector<ColumnBuilder> builders;
  for (const ColumnIndex key : spec_.keys) {
    builders.emplace_back(spec_.input[static_cast<size_t>(key.value)].type);
  }
  return builders;
}

std::span<const int32_t> GroupState::all_rows(size_t rows) {
  if (all_rows_.size() < rows) {
    all_rows_.resize(rows);
    std::iota(all_rows_.begin(), all_rows_.end(), 0);
  }
  return std::span(all_rows_).first(rows);
}

}  // namespace thalweg::operators
