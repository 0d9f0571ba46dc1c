#include "thalweg/operators/aggregate/row_group_aggregate.h"

#include <algorithm>

#include "thalweg/operators/aggregate/empty_group.h"

namespace thalweg::operators {

namespace {

/// A row count that says: emptied within this part, to be erased before the group lives again.
constexpr int64_t kEmptied = -1;

/// How many rows to try after a part was cut short.
constexpr int32_t kStepAfterCut = 16;

std::vector<ColumnPtr> finish_all(std::vector<ColumnBuilder>& builders) {
  std::vector<ColumnPtr> columns;
  columns.reserve(builders.size());
  for (ColumnBuilder& builder : builders) {
    columns.push_back(builder.finish());
  }
  return columns;
}

}  // namespace

RowGroupAggregate::RowGroupAggregate(const GroupAggregateSpec& spec)
    : spec_(spec), state_(spec_, false) {}

void RowGroupAggregate::open(stream::OperatorContext& context) {
  state_.open(context);
}

void RowGroupAggregate::on_batch(Batch batch, int32_t /*input*/, stream::Output& output) {
  const std::vector<Mark> marks = batch.marks();
  batch.set_marks({});
  const int32_t rows = batch.row_count();
  had_rows_ = had_rows_ || rows > 0;
  auto mark = marks.begin();
  int32_t begin = 0;
  int32_t step = rows;
  do {
    const int32_t end = std::min(rows, begin + step);
    const Batch part = batch.slice(begin, end);
    const int32_t done = process(part);
    std::vector<Mark> moved;
    for (; mark != marks.end() && (mark->row < begin + done || begin + done == rows); ++mark) {
      moved.push_back({changes_before_[static_cast<size_t>(mark->row - begin)], mark->watermark});
    }
    result_.set_marks(std::move(moved));
    if (result_.row_count() > 0 || !result_.marks().empty()) {
      output.emit(std::move(result_));
    }
    step = begin + done < end ? kStepAfterCut : std::min(step, rows) * 2;
    begin += done;
  } while (begin < rows);
}

int32_t RowGroupAggregate::process(const Batch& part) {
  changes_.clear();
  state_.find_or_insert(part);
  const int32_t done = choose_rows(part);
  send_changes(part, done);
  erase_empty_groups();
  return done;
}

int32_t RowGroupAggregate::choose_rows(const Batch& part) {
  const auto rows = static_cast<size_t>(part.row_count());
  empty_slots_.clear();
  if (!spec_.needs_retract) {
    const auto all = state_.all_rows(rows);
    chosen_rows_.assign(all.begin(), all.end());
    chosen_records_ = state_.records;
    is_first_ = state_.inserted;
    is_last_.assign(rows, 0);
    return part.row_count();
  }
  chosen_rows_.clear();
  chosen_records_.clear();
  is_first_.clear();
  is_last_.clear();
  for (size_t i = 0; i < rows; ++i) {
    std::byte* record = state_.records[i];
    int64_t& count = state_.row_count(record);
    const bool adds = is_accumulate(part.kind(static_cast<int32_t>(i)));
    if (adds && count == kEmptied) {
      return static_cast<int32_t>(i);
    }
    if (!adds && count <= 0) {
      // Nothing to take back from: the first message of a group, or its state has expired.
      if (count == 0) {
        count = kEmptied;
        empty_slots_.push_back(state_.slots[i]);
      }
      continue;
    }
    is_first_.push_back(static_cast<uint8_t>(count == 0));
    count += adds ? 1 : -1;
    is_last_.push_back(static_cast<uint8_t>(count == 0));
    if (count == 0) {
      count = kEmptied;
      empty_slots_.push_back(state_.slots[i]);
    }
    chosen_rows_.push_back(static_cast<int32_t>(i));
    chosen_records_.push_back(record);
  }
  return part.row_count();
}

void RowGroupAggregate::send_changes(const Batch& part, int32_t rows) {
  auto before_builders = state_.make_result_builders();
  auto after_builders = state_.make_result_builders();
  state_.aggregates().update_rows(
      part, {chosen_rows_, chosen_records_}, state_.table(), before_builders, after_builders);
  const auto before = finish_all(before_builders);
  const auto after = finish_all(after_builders);
  // With a time to live unchanged results are sent too, so that state further on does not expire.
  is_changed_.assign(chosen_rows_.size(), static_cast<uint8_t>(spec_.ttl_ms.has_value()));
  if (!spec_.ttl_ms.has_value()) {
    mark_changes(before, after, is_changed_);
  }
  changes_before_.clear();
  size_t i = 0;
  for (int32_t row = 0; row < rows; ++row) {
    changes_before_.push_back(changes_.size());
    if (i == chosen_rows_.size() || chosen_rows_[i] != row) {
      continue;
    }
    const auto result = static_cast<int32_t>(i);
    if (is_first_[i] != 0) {
      changes_.add(RowKind::kInsert, row, result, false);
    } else if (is_last_[i] != 0) {
      changes_.add(RowKind::kDelete, row, result, true);
    } else if (is_changed_[i] != 0) {
      if (spec_.generate_update_before) {
        changes_.add(RowKind::kUpdateBefore, row, result, true);
      }
      changes_.add(RowKind::kUpdateAfter, row, result, false);
    }
    ++i;
  }
  changes_before_.push_back(changes_.size());
  result_ = changes_.build(state_.key_columns, before, after);
}

void RowGroupAggregate::erase_empty_groups() {
  if (!empty_slots_.empty()) {
    state_.table().erase(empty_slots_);
  }
}

void RowGroupAggregate::on_input_end(int32_t /*input*/, stream::Output& output) {
  if (spec_.keys.empty() && spec_.emit_when_empty && !had_rows_) {
    send_empty_group(state_, output);
  }
}

}  // namespace thalweg::operators
