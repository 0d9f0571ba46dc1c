#include "thalweg/operators/over/waiting_rows.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "thalweg/common/check.h"
#include "thalweg/operators/key_columns.h"
#include "thalweg/operators/row_codec.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

/// Few rows are not worth compacting.
constexpr int64_t kCompactRows = 64 * kTargetBatchRows;
/// Bytes of one item of the list.
constexpr size_t kItemBytes = size_t{1} << 20U;

template <typename T>
T take_number(std::string_view& bytes) {
  check(bytes.size() >= sizeof(T), "waiting rows end too early");
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes.remove_prefix(sizeof(T));
  return value;
}

/// With texts, which a column's own size leaves out.
int64_t held_bytes(const Batch& rows) {
  int64_t bytes = rows.byte_size();
  for (const ColumnPtr& column : rows.columns()) {
    if (column->type().physical() == PhysicalKind::kString) {
      for (const StringView& text : column->values<StringView>()) {
        bytes += static_cast<int64_t>(text.view().size());
      }
    }
  }
  return bytes;
}

bool is_ascending(std::span<const int32_t> rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] != static_cast<int32_t>(i)) {
      return false;
    }
  }
  return true;
}

}  // namespace

WaitingRows::WaitingRows(Schema schema, std::vector<ColumnIndex> keys)
    : schema_(std::move(schema)), keys_(std::move(keys)) {}

void WaitingRows::open(stream::OperatorContext& context) {
  budget_ = &context.state_budget();
  saved_ = &context.list_state("waiting", stream::ListMode::kUnion);
  restore(context);
}

void WaitingRows::close() {
  charge(-charged_bytes_);
}

void WaitingRows::charge(int64_t bytes) {
  if (bytes > 0) {
    budget_->reserve(bytes);
  } else if (bytes < 0) {
    budget_->release(-bytes);
  }
  charged_bytes_ += bytes;
}

void WaitingRows::add(const Batch& batch,
                      std::span<const int32_t> rows,
                      std::span<const int64_t> times) {
  if (std::exchange(is_saved_, false)) {
    saved_->update({});
  }
  const bool takes_all =
      rows.size() == static_cast<size_t>(batch.row_count()) && is_ascending(rows);
  std::vector<ColumnPtr> columns = batch.columns();
  if (!takes_all) {
    for (ColumnPtr& column : columns) {
      column = gather(column, rows);
    }
  }
  add_part(Batch(static_cast<int32_t>(rows.size()), std::move(columns)), times);
}

void WaitingRows::add_part(Batch rows, std::span<const int64_t> times) {
  const int32_t count = rows.row_count();
  if (count == 0) {
    return;
  }
  const int64_t bytes = held_bytes(rows) + count * static_cast<int64_t>(sizeof(Entry));
  charge(bytes);
  uint32_t part = 0;
  if (free_parts_.empty()) {
    part = static_cast<uint32_t>(parts_.size());
    parts_.emplace_back();
  } else {
    part = free_parts_.back();
    free_parts_.pop_back();
  }
  parts_[part] = {std::move(rows), count, bytes};
  part_rows_ += count;
  for (int32_t row = 0; row < count; ++row) {
    const int64_t time_ms = times[static_cast<size_t>(row)];
    entries_.push_back({time_ms, part, row});
    next_time_ = std::min(next_time_, time_ms);
  }
}

void WaitingRows::free_part(uint32_t part) {
  charge(-parts_[part].charged_bytes);
  part_rows_ -= parts_[part].rows.row_count();
  parts_[part] = {};
  free_parts_.push_back(part);
}

void WaitingRows::settle() {
  const auto by_time = [](const Entry& left, const Entry& right) {
    return left.time_ms < right.time_ms;
  };
  const auto added = entries_.begin() + static_cast<std::ptrdiff_t>(sorted_);
  if (!std::is_sorted(added, entries_.end(), by_time)) {
    std::stable_sort(added, entries_.end(), by_time);
  }
  if (added != entries_.end() && sorted_ > first_ && by_time(*added, *(added - 1))) {
    const auto overlap = std::upper_bound(
        entries_.begin() + static_cast<std::ptrdiff_t>(first_), added, *added, by_time);
    std::inplace_merge(overlap, added, entries_.end(), by_time);
  }
  sorted_ = entries_.size();
}

TimedBatch WaitingRows::take(int64_t time_ms) {
  TimedBatch taken;
  if (!has_due(time_ms)) {
    return taken;
  }
  settle();
  size_t end = first_;
  while (end < entries_.size() && entries_[end].time_ms <= time_ms) {
    const bool is_full = end - first_ >= static_cast<size_t>(kTargetBatchRows);
    if (is_full && entries_[end].time_ms != entries_[end - 1].time_ms) {
      break;
    }
    taken.times.push_back(entries_[end].time_ms);
    ++end;
  }
  const auto entries = std::span(entries_).subspan(first_, end - first_);
  taken.rows = gather_rows(entries);
  for (const Entry& entry : entries) {
    if (--parts_[entry.part].waiting == 0) {
      free_part(entry.part);
    }
  }
  first_ = end;
  if (first_ * 2 >= entries_.size()) {
    entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
    sorted_ -= first_;
    first_ = 0;
  }
  next_time_ = size() == 0 ? kNever : entries_[first_].time_ms;
  if (part_rows_ > kCompactRows && part_rows_ > 4 * size()) {
    compact();
  }
  return taken;
}

Batch WaitingRows::gather_rows(std::span<const Entry> entries) {
  std::vector<Part*> parts;
  for (const Entry& entry : entries) {
    Part& part = parts_[entry.part];
    if (part.gathered.empty()) {
      parts.push_back(&part);
    }
    part.gathered.push_back(entry.row);
  }
  int32_t begin = 0;
  for (Part* part : parts) {
    part->next = begin;
    begin += static_cast<int32_t>(part->gathered.size());
  }
  std::vector<int32_t> order;
  order.reserve(entries.size());
  for (const Entry& entry : entries) {
    order.push_back(parts_[entry.part].next++);
  }
  const bool is_ordered = is_ascending(order);
  std::vector<ColumnPtr> columns;
  for (size_t column = 0; column < schema_.size(); ++column) {
    std::vector<ColumnPtr> pieces;
    for (const Part* part : parts) {
      pieces.push_back(gather(part->rows.column_ptr(column), part->gathered));
    }
    const ColumnPtr together = pieces.size() == 1 ? pieces[0] : concat(pieces);
    columns.push_back(is_ordered ? together : gather(together, order));
  }
  for (Part* part : parts) {
    part->gathered.clear();
  }
  return Batch(static_cast<int32_t>(entries.size()), std::move(columns));
}

void WaitingRows::compact() {
  settle();
  const auto entries = std::span(entries_).subspan(first_);
  const Batch together = gather_rows(entries);
  // Builders copy texts: nothing of the old parts is held.
  std::vector<ColumnBuilder> builders = make_builders(schema_);
  std::vector<int64_t> times;
  for (int32_t row = 0; row < together.row_count(); ++row) {
    for (size_t column = 0; column < builders.size(); ++column) {
      builders[column].append_from(together.column(column), row);
    }
    times.push_back(entries[static_cast<size_t>(row)].time_ms);
  }
  parts_.clear();
  free_parts_.clear();
  entries_.clear();
  first_ = 0;
  sorted_ = 0;
  part_rows_ = 0;
  charge(-charged_bytes_);
  add_part(finish_batch(builders), times);
  settle();
}

void WaitingRows::save() {
  settle();
  std::vector<std::string> items;
  for (size_t i = first_; i < entries_.size(); ++i) {
    if (items.empty() || items.back().size() >= kItemBytes) {
      items.emplace_back();
      items.back().reserve(kItemBytes + kItemBytes / 8);
    }
    std::string& item = items.back();
    const Entry& entry = entries_[i];
    item.append(reinterpret_cast<const char*>(&entry.time_ms), sizeof(entry.time_ms));
    const size_t head = item.size();
    item.append(sizeof(uint32_t), '\0');
    encode_row(parts_[entry.part].rows.columns(), entry.row, item);
    const auto size = static_cast<uint32_t>(item.size() - head - sizeof(uint32_t));
    std::memcpy(item.data() + head, &size, sizeof(size));
  }
  is_saved_ = !items.empty();
  saved_->update(std::move(items));
}

void WaitingRows::restore(stream::OperatorContext& context) {
  std::vector<ColumnBuilder> builders = make_builders(schema_);
  std::vector<int64_t> times;
  for (const std::string& item : saved_->restored()) {
    for (std::string_view bytes = item; !bytes.empty();) {
      times.push_back(take_number<int64_t>(bytes));
      const auto size = take_number<uint32_t>(bytes);
      check(bytes.size() >= size, "waiting rows end too early");
      decode_row(bytes.substr(0, size), builders);
      bytes.remove_prefix(size);
    }
  }
  const Batch all = finish_batch(builders);
  std::vector<uint64_t> hashes(times.size());
  if (!keys_.empty()) {
    hash_rows(columns_at(all, keys_), hashes);
  }
  std::vector<int32_t> own;
  std::vector<int64_t> own_times;
  for (size_t i = 0; i < times.size(); ++i) {
    if (subtask_of(key_group_of(hashes[i]), context.parallelism()) == context.subtask()) {
      own.push_back(static_cast<int32_t>(i));
      own_times.push_back(times[i]);
    }
  }
  add(all, own, own_times);
}

}  // namespace thalweg::operators
