#include "thalweg/operators/over/bounded_frame.h"

#include <limits>
#include <numeric>

#include "thalweg/operators/key_columns.h"
#include "thalweg/operators/over/call_columns.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

/// Whole frames are computed together until they have so many rows.
constexpr int32_t kFrameRowsAtOnce = 65'536;

/// The earliest time that is in a frame.
int64_t first_time_in(int64_t time_ms, int64_t preceding_ms) {
  constexpr int64_t kFirst = std::numeric_limits<int64_t>::min();
  return time_ms < kFirst + preceding_ms ? kFirst : time_ms - preceding_ms;
}

}  // namespace

BoundedFrame::BoundedFrame(const OverAggregateSpec& spec, bool peers_share)
    : is_rows_(spec.frame.is_rows),
      peers_share_(peers_share),
      preceding_(preceding_of(spec.frame)),
      columns_(columns_of_calls(spec.calls)) {
  std::vector<expression::AggregateCall> stepwise;
  std::vector<expression::AggregateCall> fresh;
  for (const expression::AggregateCall& call : calls_over(spec.calls, columns_)) {
    is_stepwise_.push_back(can_retract(call));
    (is_stepwise_.back() ? stepwise : fresh).push_back(call);
  }
  if (!stepwise.empty()) {
    stepwise_.emplace(stepwise, true);
  }
  if (!fresh.empty()) {
    fresh_.emplace(fresh);
    frames_.results = fresh_->make_result_builders();
  }
  steps_.rows = make_builders(fields_at(spec.input, columns_));
  frames_.rows = make_builders(fields_at(spec.input, columns_));
}

void BoundedFrame::declare_fields(std::vector<stream::StateField>& fields) {
  frame_field_ = fields.size();
  fields.push_back({"frame", DataType::bytes(), FrameRows::kind()});
  if (stepwise_) {
    stepwise_->declare_fields(fields);
  }
}

void BoundedFrame::bind(stream::KeyedTable& table) {
  table_ = &table;
  frame_offset_ = table.layout().offset(frame_field_);
  if (stepwise_) {
    stepwise_->bind(table.layout());
  }
}

FrameRows& BoundedFrame::frame_of(std::byte* record) {
  return static_cast<FrameRows&>(
      table_->writable_object(record + frame_offset_, *FrameRows::kind()));
}

std::vector<ColumnPtr> BoundedFrame::add_rows(const OrderedRows& rows) {
  clear();
  inputs_ = columns_at(rows.batch, columns_);
  find_frames(rows.records);
  const size_t size = rows.slots.size();
  step_of_row_.resize(size);
  frame_of_row_.resize(size);
  for (size_t begin = 0; begin < size;) {
    FrameRows& frame = *frames_of_rows_[begin];
    const int64_t bytes_before = frame.byte_size();
    size_t end = begin;
    do {
      add_row(frame, rows.records[end], rows.times[end], static_cast<int32_t>(end));
      ++end;
    } while (peers_share_ && end < size && rows.are_peers(end - 1));
    end_peers(frame, begin, end);
    table_->object_resized(frame.byte_size() - bytes_before);
    begin = end;
  }
  const std::vector<ColumnPtr> stepwise = stepwise_results();
  const std::vector<ColumnPtr> fresh = fresh_results();
  auto next_stepwise = stepwise.begin();
  auto next_fresh = fresh.begin();
  std::vector<ColumnPtr> results;
  for (const bool is_stepwise : is_stepwise_) {
    results.push_back(is_stepwise ? *next_stepwise++ : *next_fresh++);
  }
  return results;
}

void BoundedFrame::clear() {
  steps_.kinds.clear();
  steps_.records.clear();
  frame_count_ = 0;
}

/// Frames lie all over the memory: asked for together they come together.
void BoundedFrame::find_frames(std::span<std::byte* const> records) {
  frames_of_rows_.resize(records.size());
  for (size_t i = 0; i < records.size(); ++i) {
    const bool is_same = i > 0 && records[i] == records[i - 1];
    frames_of_rows_[i] = is_same ? frames_of_rows_[i - 1] : &frame_of(records[i]);
    __builtin_prefetch(frames_of_rows_[i], 1);
  }
  for (const FrameRows* frame : frames_of_rows_) {
    frame->prefetch();
  }
}

void BoundedFrame::add_row(FrameRows& frame, std::byte* record, int64_t time_ms, int32_t row) {
  const auto leaves = [&] {
    return is_rows_ ? frame.size() > preceding_
                    : frame.first_time() < first_time_in(time_ms, preceding_);
  };
  while (!frame.is_empty() && leaves()) {
    frame.take_first(steps_.rows);
    steps_.kinds.push_back(RowKind::kDelete);
    steps_.records.push_back(record);
  }
  frame.add(time_ms, inputs_, row);
  for (size_t column = 0; column < inputs_.size(); ++column) {
    steps_.rows[column].append_from(*inputs_[column], row);
  }
  steps_.kinds.push_back(RowKind::kInsert);
  steps_.records.push_back(record);
}

void BoundedFrame::end_peers(const FrameRows& frame, size_t begin, size_t end) {
  for (size_t row = begin; row < end; ++row) {
    step_of_row_[row] = static_cast<int32_t>(steps_.kinds.size()) - 1;
    frame_of_row_[row] = frame_count_;
  }
  if (fresh_) {
    const int32_t first = frames_.ends.empty() ? 0 : frames_.ends.back();
    frame.read(frames_.rows);
    frames_.begins.push_back(first);
    frames_.ends.push_back(first + static_cast<int32_t>(frame.size()));
    ++frame_count_;
    if (frames_.ends.back() >= kFrameRowsAtOnce) {
      compute_frames();
    }
  }
}

void BoundedFrame::compute_frames() {
  const int32_t rows = frames_.ends.empty() ? 0 : frames_.ends.back();
  const Batch batch(rows, finish_batch(frames_.rows).columns());
  fresh_->append_results(batch, frames_.begins, frames_.ends, frames_.results);
  frames_.begins.clear();
  frames_.ends.clear();
}

std::vector<ColumnPtr> BoundedFrame::stepwise_results() {
  const auto steps = static_cast<int32_t>(steps_.kinds.size());
  std::vector<ColumnPtr> columns = finish_batch(steps_.rows).columns();
  if (!stepwise_) {
    return {};
  }
  Batch batch(steps, std::move(columns));
  batch.set_kinds(steps_.kinds);
  all_steps_.resize(steps_.kinds.size());
  std::iota(all_steps_.begin(), all_steps_.end(), 0);
  auto before = stepwise_->make_result_builders();
  auto after = stepwise_->make_result_builders();
  stepwise_->update_rows(batch, {all_steps_, steps_.records}, *table_, before, after);
  std::vector<ColumnPtr> results;
  for (ColumnBuilder& builder : after) {
    results.push_back(gather(builder.finish(), step_of_row_));
  }
  return results;
}

std::vector<ColumnPtr> BoundedFrame::fresh_results() {
  if (!fresh_) {
    return {};
  }
  compute_frames();
  std::vector<ColumnPtr> results;
  for (ColumnBuilder& builder : frames_.results) {
    results.push_back(gather(builder.finish(), frame_of_row_));
  }
  return results;
}

}  // namespace thalweg::operators
