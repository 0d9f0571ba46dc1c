#include "thalweg/operators/window/aligned_window_aggregate.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "thalweg/operators/key_columns.h"
#include "thalweg/operators/window/watermark_state.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

std::vector<ColumnIndex> table_keys(const WindowAggregateSpec& spec) {
  std::vector<ColumnIndex> keys = spec.keys;
  if (spec.window.kind == WindowKind::kAttached) {
    keys.push_back(spec.window.attached_start);
  }
  return keys;
}

bool shares_slices(const WindowSpec& window) {
  return window.kind == WindowKind::kHop || window.kind == WindowKind::kCumulate;
}

std::unique_ptr<WindowResults> make_results(const WindowAggregateSpec& spec,
                                            const std::vector<ColumnIndex>& table_keys) {
  std::vector<DataType> keys;
  for (const Field& field : fields_at(spec.input, table_keys)) {
    keys.push_back(field.type);
  }
  std::vector<DataType> contents;
  for (const expression::AggregateCall& call : spec.aggregates) {
    contents.push_back(call.signature.result);
  }
  return std::make_unique<WindowResults>(
      keys, contents, spec.columns, spec.window.kind == WindowKind::kAttached);
}

}  // namespace

AlignedWindowAggregate::AlignedWindowAggregate(const WindowAggregateSpec& spec)
    : spec_(spec),
      frame_{spec_, table_keys(spec), WindowClock(spec.window.time_zone)},
      assigner_(spec.window),
      store_(shares_slices(spec.window) ? make_shared_slices(frame_) : make_whole_windows(frame_)),
      results_(make_results(spec, frame_.keys)) {}

void AlignedWindowAggregate::open(stream::OperatorContext& context) {
  context_ = &context;
  late_rows_ = &context.counter(stream::metric::kLateRows);
  next_window_ = &context.gauge(stream::metric::kNextWindowEnd);
  store_->open(context);
  if (!spec_.window.is_processing_time) {
    watermark_state_ = &context.list_state("watermark", stream::ListMode::kUnion);
    watermark_ = restored_watermark(*watermark_state_);
  }
  refresh_next_time();
}

void AlignedWindowAggregate::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  assign_slices(batch);
  judge_rows(batch);
  auto mark = batch.marks().begin();
  size_t kept_begin = 0;
  for (const Piece& piece : pieces_) {
    add_piece(batch, kept_begin, piece);
    kept_begin = piece.kept_end;
    for (; mark != batch.marks().end() && mark->row <= piece.end; ++mark) {
      advance(mark->watermark, output);
      results_->add_mark(mark->watermark);
    }
  }
  send(output);
}

void AlignedWindowAggregate::assign_slices(const Batch& batch) {
  const auto rows = static_cast<size_t>(batch.row_count());
  slice_ends_.resize(rows);
  if (!has_time_column()) {
    const int64_t now = frame_.clock.to_local(context_->now().ms);
    first_slice_ = assigner_.slice_end(now);
    std::fill(slice_ends_.begin(), slice_ends_.end(), first_slice_);
    return;
  }
  const ColumnPtr time = flatten(batch.column_ptr(static_cast<size_t>(spec_.window.time.value)));
  const auto times = time->values<int64_t>();
  if (spec_.window.kind == WindowKind::kAttached) {
    slice_ends_.assign(times.begin(), times.end());
    const auto first = std::min_element(times.begin(), times.end());
    first_slice_ = first == times.end() ? kNever : *first;
    return;
  }
  if (frame_.clock.is_identity()) {
    first_slice_ = assigner_.slice_ends(times, slice_ends_);
    return;
  }
  times_.resize(rows);
  for (size_t i = 0; i < rows; ++i) {
    times_[i] = frame_.clock.to_local(times[i]);
  }
  first_slice_ = assigner_.slice_ends(times_, slice_ends_);
}

bool AlignedWindowAggregate::has_time_column() const {
  return !spec_.window.is_processing_time || spec_.window.kind == WindowKind::kAttached;
}

EventTime AlignedWindowAggregate::last_watermark(const Batch& batch) const {
  return batch.marks().empty() ? watermark_ : std::max(watermark_, batch.marks().back().watermark);
}

void AlignedWindowAggregate::judge_rows(const Batch& batch) {
  pieces_.clear();
  const int32_t rows = batch.row_count();
  const EventTime last = last_watermark(batch);
  // Else no row is late and no window of the batch closes with it, whatever its marks.
  const bool may_be_late = !spec_.window.is_processing_time && !spec_.is_batch && rows > 0 &&
                           frame_.clock.closing_time(first_slice_) <= last.ms;
  fired_ = may_be_late ? last : kMinEventTime;
  const bool may_have_no_window =
      spec_.window.kind == WindowKind::kHop && spec_.window.step_ms > spec_.window.size_ms;
  const Column* time =
      has_time_column() ? &batch.column(static_cast<size_t>(spec_.window.time.value)) : nullptr;
  const bool may_be_null = time != nullptr && time->may_have_nulls();
  if (!may_be_null && !may_have_no_window && !may_be_late) {
    keep_all_rows(rows);
    return;
  }
  chosen_rows_.clear();
  chosen_ends_.clear();
  int64_t late = 0;
  EventTime watermark = watermark_;
  EventTime piece_watermark = watermark_;
  auto mark = batch.marks().begin();
  for (int32_t row = 0; row < rows; ++row) {
    for (; mark != batch.marks().end() && mark->row <= row; ++mark) {
      watermark = std::max(watermark, mark->watermark);
    }
    const int64_t end = slice_ends_[static_cast<size_t>(row)];
    if (may_be_null && time->is_null(row)) {
      continue;
    }
    if (may_be_late && frame_.clock.closing_time(end) <= watermark.ms) {
      if (frame_.clock.closing_time(assigner_.last_window_end(end)) <= watermark.ms) {
        ++late;
        continue;
      }
      if (watermark != piece_watermark) {
        pieces_.push_back({row, chosen_rows_.size(), piece_watermark});
        piece_watermark = watermark;
      }
    }
    if (may_have_no_window && assigner_.first_window_end(end) > assigner_.last_window_end(end)) {
      continue;
    }
    chosen_rows_.push_back(row);
    chosen_ends_.push_back(end);
  }
  kept_rows_ = chosen_rows_;
  kept_ends_ = chosen_ends_;
  pieces_.push_back({rows, kept_rows_.size(), piece_watermark});
  if (late > 0) {
    late_rows_->add(late);
  }
}

void AlignedWindowAggregate::keep_all_rows(int32_t rows) {
  const auto count = static_cast<size_t>(rows);
  if (all_rows_.size() < count) {
    all_rows_.resize(count);
    std::iota(all_rows_.begin(), all_rows_.end(), 0);
  }
  kept_rows_ = std::span(all_rows_).first(count);
  kept_ends_ = slice_ends_;
  pieces_.push_back({rows, count, watermark_});
}

void AlignedWindowAggregate::add_piece(const Batch& batch, size_t kept_begin, const Piece& piece) {
  const size_t count = piece.kept_end - kept_begin;
  if (count == 0) {
    return;
  }
  store_->add(batch,
              kept_rows_.subspan(kept_begin, count),
              kept_ends_.subspan(kept_begin, count),
              piece.watermark,
              fired_);
  refresh_next_time();
}

void AlignedWindowAggregate::advance(EventTime watermark, stream::Output& output) {
  watermark_ = std::max(watermark_, watermark);
  if (spec_.is_batch || spec_.window.is_processing_time || next_time_ > watermark.ms) {
    return;
  }
  store_->fire(watermark.ms, *results_, output);
  refresh_next_time();
}

void AlignedWindowAggregate::refresh_next_time() {
  next_time_ = store_->next_time();
  next_window_->set(next_time_);
  if (spec_.window.is_processing_time && next_time_ != kNever) {
    // The window's last ms must be over, or rows of the same ms would open it again.
    context_->wake_at({next_time_ + 1});
  }
}

void AlignedWindowAggregate::send(stream::Output& output) {
  store_->flush(*results_);
  results_->send(output);
}

void AlignedWindowAggregate::on_watermark(EventTime watermark, stream::Output& output) {
  advance(watermark, output);
  results_->add_mark(watermark);
  send(output);
}

void AlignedWindowAggregate::on_processing_time(ProcessingTime now, stream::Output& output) {
  if (spec_.window.is_processing_time && next_time_ < now.ms) {
    store_->fire(now.ms - 1, *results_, output);
    send(output);
    refresh_next_time();
  }
}

void AlignedWindowAggregate::on_input_end(int32_t /*input*/, stream::Output& output) {
  if (spec_.is_batch) {
    store_->fire(kNever, *results_, output);
    send(output);
  } else if (spec_.window.is_processing_time) {
    context_->counter(stream::metric::kDroppedAtEnd).add(store_->pending_rows());
  }
}

void AlignedWindowAggregate::before_snapshot(stream::Output& /*output*/) {
  if (watermark_state_ != nullptr) {
    keep_watermark(*watermark_state_, watermark_);
  }
}

}  // namespace thalweg::operators
