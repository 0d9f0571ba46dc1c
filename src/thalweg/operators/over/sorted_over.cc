#include "thalweg/operators/over/sorted_over.h"

#include <algorithm>

#include "thalweg/operators/over/call_columns.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

/// The rows have equal values in all columns.
bool are_equal(const std::vector<ColumnIndex>& columns,
               const Batch& left,
               int32_t left_row,
               const Batch& right,
               int32_t right_row) {
  return std::all_of(columns.begin(), columns.end(), [&](ColumnIndex column) {
    const auto index = static_cast<size_t>(column.value);
    return equal_values(left.column(index), left_row, right.column(index), right_row);
  });
}

std::vector<ColumnIndex> columns_of(const std::vector<SortKey>& keys) {
  std::vector<ColumnIndex> columns;
  for (const SortKey& key : keys) {
    columns.push_back(key.column);
  }
  return columns;
}

int64_t byte_size(const std::vector<ColumnPtr>& columns) {
  int64_t bytes = 0;
  for (const ColumnPtr& column : columns) {
    bytes += column->byte_size();
  }
  return bytes;
}

}  // namespace

SortedOver::SortedOver(const OverAggregateSpec& spec)
    : spec_(spec), columns_(columns_of_calls(spec.calls)) {
  const std::vector<ColumnIndex> order = columns_of(spec.order);
  columns_.insert(columns_.end(), order.begin(), order.end());
  std::sort(columns_.begin(), columns_.end());
  columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
  calls_ = calls_over(spec.calls, columns_);
  order_ = keys_over(spec.order, columns_);
  add_group(true);
  add_group(false);
}

void SortedOver::add_group(bool of_partition_kernels) {
  Group group;
  std::vector<expression::AggregateCall> calls;
  for (size_t i = 0; i < calls_.size(); ++i) {
    if ((calls_[i].function->make_partition_kernel != nullptr) == of_partition_kernels) {
      group.calls.push_back(i);
      calls.push_back(calls_[i]);
    }
  }
  if (calls.empty()) {
    return;
  }
  group.results =
      of_partition_kernels ? make_partition_results(calls) : make_frame_results(calls, spec_.frame);
  groups_.push_back(std::move(group));
}

void SortedOver::open(stream::OperatorContext& context) {
  budget_ = &context.state_budget();
}

void SortedOver::close() {
  charge(-charged_bytes_);
}

void SortedOver::charge(int64_t bytes) {
  if (bytes > 0) {
    budget_->reserve(bytes);
  } else {
    budget_->release(-bytes);
  }
  charged_bytes_ += bytes;
}

void SortedOver::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  if (!batch.marks().empty()) {
    output.emit_watermark(batch.marks().back().watermark);
    batch.set_marks({});
  }
  if (batch.row_count() == 0) {
    return;
  }
  find_partitions(batch);
  charge(batch.byte_size());
  rows_ += batch.row_count();
  parts_.push_back(std::move(batch));
  if (begins_.back() >= kTargetBatchRows) {
    send(begins_.back(), output);
  }
}

void SortedOver::on_input_end(int32_t /*input*/, stream::Output& output) {
  if (rows_ > 0) {
    send(rows_, output);
  }
}

void SortedOver::find_partitions(const Batch& batch) {
  const Batch* last = parts_.empty() ? nullptr : &parts_.back();
  if (last == nullptr || !are_equal(spec_.partition_keys, *last, last->row_count() - 1, batch, 0)) {
    begins_.push_back(rows_);
  }
  for (int32_t row = 1; row < batch.row_count(); ++row) {
    if (!are_equal(spec_.partition_keys, batch, row - 1, batch, row)) {
      begins_.push_back(rows_ + row);
    }
  }
}

void SortedOver::send(int32_t rows, stream::Output& output) {
  const std::vector<Batch> parts = take_parts(rows);
  std::vector<ColumnPtr> columns;
  for (const ColumnIndex column : columns_) {
    std::vector<ColumnPtr> pieces;
    for (const Batch& part : parts) {
      pieces.push_back(part.column_ptr(static_cast<size_t>(column.value)));
    }
    columns.push_back(concat(pieces));
  }
  const Batch whole(rows, std::move(columns));
  charge(whole.byte_size());
  const SortedPartitions partitions = take_partitions(rows, whole);
  const std::vector<ColumnPtr> results = compute(whole, partitions);
  charge(byte_size(results));
  int32_t begin = 0;
  for (const Batch& part : parts) {
    const int32_t end = begin + part.row_count();
    std::vector<ColumnPtr> part_columns = part.columns();
    for (const ColumnPtr& result : results) {
      part_columns.push_back(slice_column(result, begin, end));
    }
    output.emit(part.with_columns(std::move(part_columns)));
    begin = end;
  }
  int64_t kept_bytes = 0;
  for (const Batch& part : parts_) {
    kept_bytes += part.byte_size();
  }
  charge(kept_bytes - charged_bytes_);
}

std::vector<Batch> SortedOver::take_parts(int32_t rows) {
  std::vector<Batch> taken;
  std::vector<Batch> kept;
  int32_t begin = 0;
  for (Batch& part : parts_) {
    const int32_t size = part.row_count();
    const int32_t split = std::clamp(rows - begin, 0, size);
    if (split > 0) {
      taken.push_back(part.slice(0, split));
    }
    if (split < size) {
      kept.push_back(part.slice(split, size));
    }
    begin += size;
  }
  parts_ = std::move(kept);
  rows_ -= rows;
  return taken;
}

SortedPartitions SortedOver::take_partitions(int32_t rows, const Batch& columns) {
  SortedPartitions partitions;
  const auto next = std::lower_bound(begins_.begin(), begins_.end(), rows);
  partitions.begins.assign(begins_.begin(), next);
  partitions.begins.push_back(rows);
  begins_.erase(begins_.begin(), next);
  for (int32_t& begin : begins_) {
    begin -= rows;
  }
  partitions.starts_peers.assign(static_cast<size_t>(rows), 0);
  for (size_t i = 0; i < partitions.size(); ++i) {
    partitions.starts_peers[static_cast<size_t>(partitions.begins[i])] = 1;
  }
  const std::vector<ColumnIndex> order = columns_of(order_);
  for (int32_t row = 1; row < rows; ++row) {
    if (!are_equal(order, columns, row - 1, columns, row)) {
      partitions.starts_peers[static_cast<size_t>(row)] = 1;
    }
  }
  return partitions;
}

std::vector<ColumnPtr> SortedOver::compute(const Batch& columns,
                                           const SortedPartitions& partitions) {
  const SortKey key = order_.empty() ? SortKey{} : order_[0];
  const Column* order =
      order_.empty() ? nullptr : &columns.column(static_cast<size_t>(key.column.value));
  const FrameBounds bounds = find_frame_bounds(spec_.frame, partitions, order, key);
  std::vector<ColumnPtr> results(calls_.size());
  for (const Group& group : groups_) {
    std::vector<ColumnPtr> group_results = group.results->compute(columns, partitions, bounds);
    for (size_t i = 0; i < group.calls.size(); ++i) {
      results[group.calls[i]] = std::move(group_results[i]);
    }
  }
  return results;
}

}  // namespace thalweg::operators
