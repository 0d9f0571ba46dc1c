#include "thalweg/operators/over/updating_over.h"

#include <algorithm>

#include "thalweg/common/check.h"
#include "thalweg/operators/key_columns.h"
#include "thalweg/operators/over/fresh_frames.h"
#include "thalweg/operators/over/running_frame.h"
#include "thalweg/operators/row_codec.h"
#include "thalweg/operators/sort/row_order.h"
#include "thalweg/operators/sort/sort_key_codec.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

RankedRows& rows_at(stream::KeyedTable& table, std::byte* place) {
  return static_cast<RankedRows&>(table.writable_object(place, *RankedRows::kind()));
}

bool have_equal(const std::vector<ColumnPtr>& left,
                size_t left_row,
                const std::vector<ColumnPtr>& right,
                size_t right_row) {
  for (size_t i = 0; i < left.size(); ++i) {
    if (!equal_values(
            *left[i], static_cast<int32_t>(left_row), *right[i], static_cast<int32_t>(right_row))) {
      return false;
    }
  }
  return true;
}

}  // namespace

UpdatingOver::UpdatingOver(const OverAggregateSpec& spec)
    : spec_(spec), aggregates_(spec.calls, false), layout_(bound_layout(aggregates_)) {
  check(!is_bounded(spec.frame), "a bounded frame of rows that change");
  changes_.results = aggregates_.make_result_builders();
}

void UpdatingOver::open(stream::OperatorContext& context) {
  table_ = &context.keyed_table({.name = "partitions",
                                 .key = fields_at(spec_.input, spec_.partition_keys),
                                 .value = {{"rows", DataType::bytes(), RankedRows::kind()}},
                                 .ttl_ms = spec_.ttl_ms});
  rows_offset_ = table_->layout().offset(0);
}

void UpdatingOver::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  find_partitions(batch);
  fill_pool(batch);
  const int32_t first = pool_rows_ - batch.row_count();
  auto mark = batch.marks().begin();
  const auto move_marks = [&](int32_t row) {
    for (; mark != batch.marks().end() && mark->row <= row; ++mark) {
      changes_.marks.push_back({static_cast<int32_t>(changes_.rows.size()), mark->watermark});
    }
  };
  for (int32_t row = 0; row < batch.row_count(); ++row) {
    move_marks(row);
    change(partitions_.at(slots_[static_cast<size_t>(row)]), batch.kind(row), first + row);
    if (changes_.rows.size() >= static_cast<size_t>(kTargetBatchRows)) {
      send(output);
    }
  }
  move_marks(batch.row_count());
  send(output);
  std::erase_if(order_of_slots_,
                [this](stream::SlotId slot) { return partitions_.at(slot).kept->size() > 0; });
  table_->erase(order_of_slots_);
  partitions_.clear();
  pool_.clear();
}

void UpdatingOver::find_partitions(const Batch& batch) {
  const auto rows = static_cast<size_t>(batch.row_count());
  slots_.resize(rows);
  records_.resize(rows);
  inserted_.resize(rows);
  table_->find_or_insert(
      {.columns = columns_at(batch, spec_.partition_keys)}, slots_, records_, inserted_);
  order_of_slots_.clear();
  for (size_t row = 0; row < rows; ++row) {
    const auto [partition, is_new] = partitions_.try_emplace(slots_[row]);
    if (is_new) {
      partition->second.kept = &rows_at(*table_, records_[row] + rows_offset_);
      order_of_slots_.push_back(slots_[row]);
    }
  }
}

void UpdatingOver::fill_pool(const Batch& batch) {
  std::vector<ColumnBuilder> builders = make_builders(spec_.input);
  int32_t rows = 0;
  for (const stream::SlotId slot : order_of_slots_) {
    Partition& partition = partitions_.at(slot);
    for (const std::string_view row : partition.kept->range(1, partition.kept->size())) {
      decode_row(row, builders);
      partition.rows.push_back(rows++);
    }
  }
  for (size_t column = 0; column < builders.size(); ++column) {
    const ColumnPtr parts[] = {builders[column].finish(), batch.column_ptr(column)};
    pool_.push_back(concat(parts));
  }
  pool_rows_ = rows + batch.row_count();
  for (const stream::SlotId slot : order_of_slots_) {
    compute(partitions_.at(slot));
  }
}

void UpdatingOver::change(Partition& partition, RowKind kind, int32_t row) {
  sort_key_.clear();
  encode_sort_key(spec_.order, pool_, row, sort_key_);
  row_.clear();
  encode_row(pool_, row, row_);
  const bool comes = is_accumulate(kind);
  const int64_t bytes_before = partition.kept->byte_size();
  const std::optional<int64_t> rank =
      comes ? partition.kept->insert(sort_key_, row_) : partition.kept->remove(sort_key_, row_);
  if (!rank.has_value()) {
    return;
  }
  table_->object_resized(partition.kept->byte_size() - bytes_before);
  const auto at = static_cast<size_t>(*rank) - 1;
  const auto place = partition.rows.begin() + static_cast<std::ptrdiff_t>(at);
  size_t first = at;
  while (!spec_.frame.is_rows && first > 0 && are_peers(partition.rows[first - 1], row)) {
    --first;
  }
  const std::vector<ColumnPtr> results_before = partition.results;
  if (comes) {
    const bool is_last = place == partition.rows.end() && first == at;
    partition.rows.insert(place, row);
    is_last ? compute_last(partition) : compute(partition);
    add_coming(partition, results_before, first, at, kind);
  } else {
    const int32_t gone = *place;
    partition.rows.erase(place);
    compute(partition);
    add_going(partition, results_before, first, at, gone);
  }
}

void UpdatingOver::compute(Partition& partition) {
  const Batch pool(pool_rows_, pool_);
  partition.last = std::make_unique<ScratchRecords>(layout_);
  partition.last->reset(1);
  const std::vector<std::byte*> records(partition.rows.size(), partition.last->records()[0]);
  auto before = aggregates_.make_result_builders();
  auto after = aggregates_.make_result_builders();
  aggregates_.update_rows(pool, {partition.rows, records}, *partition.last, before, after);
  partition.results = finish_batch(after).columns();
  if (!spec_.frame.is_rows) {
    const std::vector<int32_t> results = results_of_peers(partition.rows);
    for (ColumnPtr& column : partition.results) {
      column = gather(column, results);
    }
  }
}

void UpdatingOver::compute_last(Partition& partition) {
  const Batch pool(pool_rows_, pool_);
  auto before = aggregates_.make_result_builders();
  auto after = aggregates_.make_result_builders();
  aggregates_.update_rows(pool,
                          {std::span(partition.rows).last(1), partition.last->records()},
                          *partition.last,
                          before,
                          after);
  for (size_t i = 0; i < after.size(); ++i) {
    const ColumnPtr parts[] = {partition.results[i], after[i].finish()};
    partition.results[i] = concat(parts);
  }
}

bool UpdatingOver::are_peers(int32_t left, int32_t right) const {
  return compare_rows(spec_.order, pool_, left, pool_, right) == 0;
}

std::vector<int32_t> UpdatingOver::results_of_peers(const std::vector<int32_t>& rows) const {
  std::vector<int32_t> results(rows.size());
  for (size_t i = rows.size(); i-- > 0;) {
    const bool has_peer = i + 1 < rows.size() && are_peers(rows[i], rows[i + 1]);
    results[i] = has_peer ? results[i + 1] : static_cast<int32_t>(i);
  }
  return results;
}

void UpdatingOver::add_coming(const Partition& partition,
                              const std::vector<ColumnPtr>& results_before,
                              size_t first,
                              size_t at,
                              RowKind kind) {
  for (size_t i = first; i < partition.rows.size(); ++i) {
    if (i == at) {
      add_change(kind, partition.rows[i], partition.results, i);
    } else {
      add_update(partition.rows[i], results_before, i > at ? i - 1 : i, partition.results, i);
    }
  }
}

void UpdatingOver::add_going(const Partition& partition,
                             const std::vector<ColumnPtr>& results_before,
                             size_t first,
                             size_t at,
                             int32_t gone) {
  for (size_t i = first; i <= partition.rows.size(); ++i) {
    if (i == at) {
      add_change(RowKind::kDelete, gone, results_before, i);
    } else {
      const size_t place = i > at ? i - 1 : i;
      add_update(partition.rows[place], results_before, i, partition.results, place);
    }
  }
}

void UpdatingOver::add_update(int32_t row,
                              const std::vector<ColumnPtr>& results_before,
                              size_t place_before,
                              const std::vector<ColumnPtr>& results,
                              size_t place) {
  if (have_equal(results_before, place_before, results, place)) {
    return;
  }
  if (spec_.generate_update_before) {
    add_change(RowKind::kUpdateBefore, row, results_before, place_before);
  }
  add_change(RowKind::kUpdateAfter, row, results, place);
}

void UpdatingOver::add_change(RowKind kind,
                              int32_t row,
                              const std::vector<ColumnPtr>& results,
                              size_t place) {
  changes_.kinds.push_back(kind);
  changes_.rows.push_back(row);
  for (size_t i = 0; i < changes_.results.size(); ++i) {
    changes_.results[i].append_from(*results[i], static_cast<int32_t>(place));
  }
}

void UpdatingOver::send(stream::Output& output) {
  if (changes_.rows.empty() && changes_.marks.empty()) {
    return;
  }
  std::vector<ColumnPtr> columns;
  for (const ColumnPtr& column : pool_) {
    columns.push_back(gather(column, changes_.rows));
  }
  for (ColumnBuilder& builder : changes_.results) {
    columns.push_back(builder.finish());
  }
  Batch batch(static_cast<int32_t>(changes_.rows.size()), std::move(columns));
  batch.set_kinds(std::exchange(changes_.kinds, {}));
  batch.set_marks(std::exchange(changes_.marks, {}));
  changes_.rows.clear();
  output.emit(std::move(batch));
}

}  // namespace thalweg::operators
