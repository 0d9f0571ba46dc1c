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
    : spec_(spec),
      aggregates_(spec.calls, false),
      layout_(bound_layout(aggregates_)),
      scratch_(layout_) {
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
  const int64_t bytes_before = partition.kept->byte_size();
  Partition before = partition;
  size_t at = 0;
  if (is_accumulate(kind)) {
    at = static_cast<size_t>(partition.kept->insert(sort_key_, row_)) - 1;
    partition.rows.insert(partition.rows.begin() + static_cast<std::ptrdiff_t>(at), row);
  } else {
    const auto rank = partition.kept->remove(sort_key_, row_);
    if (!rank.has_value()) {
      return;
    }
    at = static_cast<size_t>(*rank) - 1;
    partition.rows.erase(partition.rows.begin() + static_cast<std::ptrdiff_t>(at));
  }
  table_->object_resized(partition.kept->byte_size() - bytes_before);
  compute(partition);
  add_changes(before, partition, at, kind);
}

void UpdatingOver::compute(Partition& partition) {
  const Batch pool(pool_rows_, pool_);
  scratch_.reset(1);
  const std::vector<std::byte*> records(partition.rows.size(), scratch_.records()[0]);
  auto before = aggregates_.make_result_builders();
  auto after = aggregates_.make_result_builders();
  aggregates_.update_rows(pool, {partition.rows, records}, scratch_, before, after);
  partition.results.clear();
  const bool peers_share = !spec_.frame.is_rows;
  const std::vector<int32_t> results =
      peers_share ? results_of_peers(partition.rows) : std::vector<int32_t>();
  for (ColumnBuilder& builder : after) {
    const ColumnPtr column = builder.finish();
    partition.results.push_back(peers_share ? gather(column, results) : column);
  }
}

std::vector<int32_t> UpdatingOver::results_of_peers(const std::vector<int32_t>& rows) const {
  std::vector<int32_t> results(rows.size());
  for (size_t i = rows.size(); i-- > 0;) {
    const bool has_peer =
        i + 1 < rows.size() && compare_rows(spec_.order, pool_, rows[i], pool_, rows[i + 1]) == 0;
    results[i] = has_peer ? results[i + 1] : static_cast<int32_t>(i);
  }
  return results;
}

void UpdatingOver::add_changes(const Partition& before,
                               const Partition& after,
                               size_t at,
                               RowKind kind) {
  const bool comes = is_accumulate(kind);
  const Partition& longer = comes ? after : before;
  for (size_t i = 0; i < longer.rows.size(); ++i) {
    if (i == at) {
      add_change(comes ? kind : RowKind::kDelete, longer, i);
      continue;
    }
    const size_t other = i > at ? i - 1 : i;
    const size_t old_place = comes ? other : i;
    const size_t new_place = comes ? i : other;
    if (have_equal(before.results, old_place, after.results, new_place)) {
      continue;
    }
    if (spec_.generate_update_before) {
      add_change(RowKind::kUpdateBefore, before, old_place);
    }
    add_change(RowKind::kUpdateAfter, after, new_place);
  }
}

void UpdatingOver::add_change(RowKind kind, const Partition& partition, size_t place) {
  changes_.kinds.push_back(kind);
  changes_.rows.push_back(partition.rows[place]);
  for (size_t i = 0; i < changes_.results.size(); ++i) {
    changes_.results[i].append_from(*partition.results[i], static_cast<int32_t>(place));
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
