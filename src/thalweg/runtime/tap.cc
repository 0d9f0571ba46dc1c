#include "thalweg/runtime/tap.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/types/text.h"

namespace thalweg::runtime {

namespace {

constexpr size_t kLargestRing = 100'000;

int64_t wall_time_ms() {
  return SystemClock().now().ms;
}

std::string row_text(const Batch& batch, int32_t row) {
  std::string text;
  for (size_t column = 0; column < batch.columns().size(); ++column) {
    if (column > 0) {
      text += ", ";
    }
    try {
      text::append_value(text, batch.column(column), row, text::Style::kCast, TimeZone::utc());
    } catch (const std::exception& exception) {
      // An object of the user's that can't be printed must not end the job.
      text += fmt::format("({})", exception.what());
    }
  }
  return text;
}

}  // namespace

std::string TappedRow::id() const {
  return position >= 0 ? fmt::format("{}@{}", split, position)
                       : fmt::format("{}.{}@{}", operator_id.value, subtask, sequence);
}

void Tap::reset(size_t capacity) {
  const std::lock_guard lock(mutex_);
  capacity_ = capacity;
  rows_.clear();
}

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

int64_t Tap::read(int64_t from, size_t limit, TapReading& reading) const {
  const std::lock_guard lock(mutex_);
  if (rows_.empty()) {
    return next_sequence_;
  }
  const int64_t oldest = rows_.front().sequence;
  reading.missed += std::max<int64_t>(0, oldest - from);
  const int64_t begin = std::max(from, oldest);
  const auto count = static_cast<size_t>(std::max<int64_t>(0, next_sequence_ - begin));
  const auto first = rows_.begin() + (begin - oldest);
  const auto last = first + static_cast<ptrdiff_t>(std::min(count, limit));
  reading.rows.insert(reading.rows.end(), first, last);
  return begin + (last - first);
}

void TapPoint::attach(size_t capacity) {
  tap_.reset(std::clamp<size_t>(capacity, 1, kLargestRing));
  is_on_.store(true, std::memory_order_relaxed);
}

void TapPoint::detach() {
  is_on_.store(false, std::memory_order_relaxed);
  tap_.reset(0);
}

TapBoard::TapBoard(const JobGraph& graph) {
  const auto add = [this](OperatorId id, int32_t parallelism) {
    for (int32_t subtask = 0; subtask < parallelism; ++subtask) {
      points_[id].push_back(std::make_unique<TapPoint>(id, subtask));
    }
  };
  for (const Vertex& vertex : graph.vertices) {
    if (vertex.source) {
      add(vertex.source->id, vertex.parallelism);
    }
    for (const ChainedOperator& one : vertex.operators) {
      add(one.id, vertex.parallelism);
    }
    if (vertex.sink) {
      add(vertex.sink->id, vertex.parallelism);
    }
  }
}

const std::vector<std::unique_ptr<TapPoint>>& TapBoard::points_of(OperatorId id) const {
  const auto found = points_.find(id);
  if (found == points_.end()) {
    throw Error(ErrorCode::kValidation, fmt::format("The job has no operator {}", id.value))
        .hint("`thalweg jobs ID` lists the operators of a job with their numbers");
  }
  return found->second;
}

void TapBoard::attach(OperatorId id, size_t capacity) {
  for (const auto& point : points_of(id)) {
    point->attach(capacity);
  }
}

void TapBoard::detach(OperatorId id) {
  for (const auto& point : points_of(id)) {
    point->detach();
  }
}

TapReading TapBoard::read(OperatorId id, const TapCursor& from, size_t limit) const {
  const auto& points = points_of(id);
  TapReading reading;
  for (size_t i = 0; i < points.size(); ++i) {
    const bool has_cursor = i < from.size();
    TapReading part;
    reading.next.push_back(points[i]->tap().read(has_cursor ? from[i] : 0, limit, part));
    reading.missed += has_cursor ? part.missed : 0;
    std::move(part.rows.begin(), part.rows.end(), std::back_inserter(reading.rows));
  }
  std::stable_sort(
      reading.rows.begin(), reading.rows.end(), [](const TappedRow& left, const TappedRow& right) {
        return left.wall_time_ms < right.wall_time_ms;
      });
  return reading;
}

}  // namespace thalweg::runtime
