#include "thalweg/operators/aggregate/batch_group_aggregate.h"

#include <algorithm>

#include "thalweg/operators/aggregate/empty_group.h"

namespace thalweg::operators {

BatchGroupAggregate::BatchGroupAggregate(const GroupAggregateSpec& spec)
    : spec_(spec), state_(spec_, false) {}

void BatchGroupAggregate::open(stream::OperatorContext& context) {
  state_.open(context);
}

void BatchGroupAggregate::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  state_.find_or_insert(batch);
  const auto rows = state_.all_rows(static_cast<size_t>(batch.row_count()));
  if (spec_.needs_retract) {
    for (const int32_t row : rows) {
      state_.row_count(state_.records[static_cast<size_t>(row)]) +=
          is_accumulate(batch.kind(row)) ? 1 : -1;
    }
  }
  state_.aggregates().apply(batch, {rows, state_.records}, state_.table());
  if (!batch.marks().empty()) {
    output.emit_watermark(batch.marks().back().watermark);
  }
}

void BatchGroupAggregate::on_input_end(int32_t /*input*/, stream::Output& output) {
  std::vector<stream::SlotId> slots;
  state_.table().collect_slots(slots);
  std::sort(slots.begin(), slots.end());
  if (spec_.needs_retract) {
    std::erase_if(slots, [this](stream::SlotId slot) {
      return state_.row_count(read_only(state_.table().read(slot))) == 0;
    });
  }
  const auto step = static_cast<size_t>(kTargetBatchRows);
  for (size_t begin = 0; begin < slots.size(); begin += step) {
    send(std::span(slots).subspan(begin, std::min(step, slots.size() - begin)), output);
  }
  if (spec_.keys.empty() && spec_.emit_when_empty) {
    send_empty_group(state_, output);
  }
}

void BatchGroupAggregate::send(std::span<const stream::SlotId> slots, stream::Output& output) {
  std::vector<std::byte*> records(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    records[i] = read_only(state_.table().read(slots[i]));
  }
  auto builders = state_.make_key_builders();
  const size_t keys = builders.size();
  for (ColumnBuilder& builder : state_.make_result_builders()) {
    builders.push_back(std::move(builder));
  }
  state_.table().append_keys(slots, std::span(builders).first(keys));
  state_.aggregates().append_results({records, state_.table()}, std::span(builders).subspan(keys));
  output.emit(finish_batch(builders));
}

}  // namespace thalweg::operators
