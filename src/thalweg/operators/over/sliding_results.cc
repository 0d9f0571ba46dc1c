#include "thalweg/operators/over/sliding_results.h"

#include <algorithm>
#include <numeric>

#include "thalweg/common/check.h"
#include "thalweg/operators/over/call_columns.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

using expression::AggregateCall;

namespace {

/// Rows of a frame up to which computing it anew costs less than taking rows back.
constexpr int64_t kShortFrame = 32;
constexpr size_t kStepsAtOnce = 8192;

bool is_approximate(const AggregateCall& call) {
  return std::any_of(call.signature.arguments.begin(),
                     call.signature.arguments.end(),
                     [](const DataType& type) { return type.is_approximate(); });
}

bool are_short(const FrameBounds& bounds) {
  int64_t total = 0;
  for (size_t i = 0; i < bounds.begins.size(); ++i) {
    total += std::max(0, bounds.ends[i] - bounds.begins[i]);
  }
  return total <= kShortFrame * static_cast<int64_t>(bounds.begins.size());
}

}  // namespace

SlidingResults::SlidingResults(const std::vector<AggregateCall>& calls) {
  std::vector<AggregateCall> stepwise;
  std::vector<AggregateCall> fresh;
  for (const AggregateCall& call : calls) {
    is_stepwise_.push_back(can_retract(call) && !is_approximate(call));
    (is_stepwise_.back() ? stepwise : fresh).push_back(call);
  }
  if (!fresh.empty()) {
    fresh_.emplace(fresh);
  }
  if (!stepwise.empty()) {
    short_.emplace(stepwise);
    stepwise_.emplace(stepwise, true);
    layout_ = bound_layout(*stepwise_);
    scratch_.emplace(*layout_);
  }
}

std::vector<ColumnPtr> SlidingResults::compute(const Batch& rows,
                                               const SortedPartitions& partitions,
                                               const FrameBounds& bounds) {
  std::vector<ColumnPtr> fresh;
  if (fresh_) {
    fresh = fresh_results(*fresh_, rows, bounds);
  }
  std::vector<ColumnPtr> stepwise;
  if (stepwise_) {
    stepwise = are_short(bounds) ? fresh_results(*short_, rows, bounds)
                                 : stepwise_results(rows, partitions, bounds);
  }
  auto next_fresh = fresh.begin();
  auto next_stepwise = stepwise.begin();
  std::vector<ColumnPtr> results;
  for (const bool is_stepwise : is_stepwise_) {
    results.push_back(is_stepwise ? *next_stepwise++ : *next_fresh++);
  }
  return results;
}

std::vector<ColumnPtr> SlidingResults::fresh_results(FreshFrames& frames,
                                                     const Batch& rows,
                                                     const FrameBounds& bounds) {
  auto results = frames.make_result_builders();
  frames.append_results(rows, bounds.begins, bounds.ends, results);
  return finish_batch(results).columns();
}

std::vector<ColumnPtr> SlidingResults::stepwise_results(const Batch& rows,
                                                        const SortedPartitions& partitions,
                                                        const FrameBounds& bounds) {
  auto results = stepwise_->make_result_builders();
  scratch_->reset(partitions.size() + 1);
  int32_t count = 0;
  if (has_empty_frame(bounds)) {
    // The first result is that of no rows, from the last record.
    stepwise_->append_results({scratch_->records().last(1), *scratch_}, results);
    ++count;
  }
  std::vector<int32_t> result_of_row;
  for (size_t i = 0; i < partitions.size(); ++i) {
    begin_ = partitions.begins[i];
    end_ = begin_;
    int32_t result = 0;
    for (int32_t row = partitions.begins[i]; row < partitions.begins[i + 1]; ++row) {
      const size_t steps_before = steps_.rows.size();
      step_to(bounds, row, scratch_->records()[i]);
      if (steps_.rows.size() != steps_before) {
        steps_.results.push_back(static_cast<int32_t>(steps_.rows.size()) - 1);
        result = count++;
      }
      result_of_row.push_back(result);
      if (steps_.rows.size() >= kStepsAtOnce) {
        run_steps(rows, results);
      }
    }
  }
  run_steps(rows, results);
  std::vector<ColumnPtr> columns;
  for (ColumnBuilder& builder : results) {
    columns.push_back(gather(builder.finish(), result_of_row));
  }
  return columns;
}

void SlidingResults::step_to(const FrameBounds& bounds, int32_t row, std::byte* record) {
  const int32_t begin = bounds.begins[static_cast<size_t>(row)];
  const int32_t end = bounds.ends[static_cast<size_t>(row)];
  const bool is_empty = begin >= end;
  while (begin_ < end_ && (is_empty || begin_ < begin)) {
    add_step(begin_++, RowKind::kDelete, record);
  }
  if (is_empty) {
    return;
  }
  if (begin_ == end_) {
    begin_ = begin;
    end_ = begin;
  }
  check(begin_ == begin && end_ <= end, "a frame goes back");
  while (end_ < end) {
    add_step(end_++, RowKind::kInsert, record);
  }
}

void SlidingResults::add_step(int32_t row, RowKind kind, std::byte* record) {
  steps_.rows.push_back(row);
  steps_.kinds.push_back(kind);
  steps_.records.push_back(record);
}

void SlidingResults::run_steps(const Batch& rows, std::span<ColumnBuilder> results) {
  std::vector<ColumnPtr> columns;
  for (const ColumnPtr& column : rows.columns()) {
    columns.push_back(gather(column, steps_.rows));
  }
  Batch batch(static_cast<int32_t>(steps_.rows.size()), std::move(columns));
  batch.set_kinds(steps_.kinds);
  std::vector<int32_t> all_steps(steps_.rows.size());
  std::iota(all_steps.begin(), all_steps.end(), 0);
  auto before = stepwise_->make_result_builders();
  auto after = stepwise_->make_result_builders();
  stepwise_->update_rows(batch, {all_steps, steps_.records}, *scratch_, before, after);
  for (size_t i = 0; i < results.size(); ++i) {
    const ColumnPtr column = after[i].finish();
    for (const int32_t step : steps_.results) {
      results[i].append_from(*column, step);
    }
  }
  steps_ = {};
}

}  // namespace thalweg::operators
