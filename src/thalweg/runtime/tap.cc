#include "thalweg/runtime/tap.h"

#include <chrono>

#include "thalweg/types/text.h"

namespace thalweg::runtime {

namespace {

int64_t wall_time_ms() {
  return SystemClock().now().ms;
}

std::string row_text(const Batch& batch, int32_t row) {
  std::string text;
  for (size_t column = 0; column < batch.columns().size(); ++column) {
    if (column > 0) {
      text += ", ";
    }
    text::append_value(text, batch.column(column), row, text::Style::kCast, TimeZone::utc());
  }
  return text;
}

}  // namespace

Tap::Tap(OperatorId operator_id, int32_t subtask, size_t capacity)
    : operator_id_(operator_id), subtask_(subtask), capacity_(std::max<size_t>(capacity, 1)) {}

void Tap::record(const Batch& batch, EventTime watermark) {
  const int64_t now = wall_time_ms();
  const std::lock_guard lock(mutex_);
  // Rows that the ring would drop again at once are counted but never printed.
  const int32_t first = std::max(0, batch.row_count() - static_cast<int32_t>(capacity_));
  auto mark = batch.marks().begin();
  for (int32_t i = 0; i < batch.row_count(); ++i) {
    for (; mark != batch.marks().end() && mark->row <= i; ++mark) {
      watermark = mark->watermark;
    }
    const int64_t sequence = next_sequence_++;
    if (i < first) {
      continue;
    }
    TappedRow row;
    row.sequence = sequence;
    row.text = row_text(batch, i);
    row.kind = batch.kind(i);
    if (batch.origin().split != nullptr) {
      row.split = *batch.origin().split;
      row.position = batch.origin().first_position < 0 ? -1 : batch.origin().first_position + i;
    }
    if (batch.event_times() != nullptr && !batch.event_times()->is_null(i)) {
      row.event_time_ms = batch.event_times()->at<int64_t>(i);
    }
    row.watermark = watermark;
    row.operator_id = operator_id_;
    row.subtask = subtask_;
    row.wall_time_ms = now;
    rows_.push_back(std::move(row));
    if (rows_.size() > capacity_) {
      rows_.pop_front();
    }
  }
}

std::vector<TappedRow> Tap::read(int64_t sequence, size_t limit) const {
  const std::lock_guard lock(mutex_);
  std::vector<TappedRow> rows;
  for (const TappedRow& row : rows_) {
    if (row.sequence >= sequence && rows.size() < limit) {
      rows.push_back(row);
    }
  }
  return rows;
}

void TapPoint::attach(size_t capacity) {
  const std::lock_guard lock(mutex_);
  made_.push_back(std::make_unique<Tap>(operator_id_, subtask_, capacity));
  tap_.store(made_.back().get(), std::memory_order_release);
}

void TapPoint::detach() {
  const std::lock_guard lock(mutex_);
  tap_.store(nullptr, std::memory_order_release);
}

std::vector<TappedRow> TapPoint::read(int64_t sequence, size_t limit) const {
  const std::lock_guard lock(mutex_);
  return made_.empty() ? std::vector<TappedRow>{} : made_.back()->read(sequence, limit);
}

}  // namespace thalweg::runtime
