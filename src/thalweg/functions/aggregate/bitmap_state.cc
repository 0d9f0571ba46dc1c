#include "thalweg/functions/aggregate/bitmap_state.h"

#include <algorithm>

#include "thalweg/functions/aggregate/ordered_counts.h"
#include "thalweg/types/bitmap_format.h"

namespace thalweg::functions {

namespace {

/// What one value costs in a bitmap at most. Measuring the whole bitmap for each value would be
/// slow, so that is done now and then.
constexpr int64_t kBytesPerValue = 2;
constexpr int64_t kChangesBetweenMeasures = 1024;
constexpr int64_t kBytesPerCount = sizeof(std::pair<const uint32_t, int64_t>) + 40;

}  // namespace

const std::shared_ptr<const stream::StateObjectKind>& BitmapState::kind() {
  static const auto made = std::make_shared<const stream::StateObjectKind>(
      stream::StateObjectKind{"bitmap", [] { return std::make_unique<BitmapState>(); }, &restore});
  return made;
}

int64_t BitmapState::add(uint32_t value) {
  ++rows_;
  const int64_t before = bytes_;
  bytes_ += set_.add(value) ? kBytesPerValue : 0;
  if (++changes_ % kChangesBetweenMeasures == 0) {
    bytes_ = set_.byte_size();
  }
  return bytes_ - before;
}

int64_t BitmapState::combine(BitmapOperation operation, const Bitmap& other, int64_t rows) {
  if (rows_ == 0 && operation == BitmapOperation::kAnd) {
    set_ = Bitmap(other);
  } else {
    set_.combine(operation, other);
  }
  rows_ += rows;
  const int64_t gained = set_.byte_size() - bytes_;
  bytes_ += gained;
  return gained;
}

std::unique_ptr<stream::StateObject> BitmapState::clone() const {
  return std::make_unique<BitmapState>(*this);
}

void BitmapState::serialize(std::string& bytes) const {
  write_item(bytes, rows_);
  write_item(bytes, set_.serialize());
}

std::unique_ptr<stream::StateObject> BitmapState::restore(std::string_view bytes) {
  auto restored = std::make_unique<BitmapState>();
  restored->rows_ = read_item<int64_t>(bytes);
  restored->set_ = Bitmap(read_item<std::string>(bytes));
  restored->bytes_ = restored->set_.byte_size();
  return restored;
}

const std::shared_ptr<const stream::StateObjectKind>& BitmapCounts::kind() {
  static const auto made = std::make_shared<const stream::StateObjectKind>(stream::StateObjectKind{
      "bitmap-counts", [] { return std::make_unique<BitmapCounts>(); }, &restore});
  return made;
}

int64_t BitmapCounts::count(uint32_t value, int64_t step) {
  const auto other = other_counts_.find(value);
  const bool is_other = other != other_counts_.end();
  const int64_t before = is_other ? other->second : (present_.contains(value) ? 1 : 0);
  const int64_t after = before + step;
  const int64_t bytes_before = bytes_;
  if (before <= 0 && after > 0) {
    present_.add(value);
    bytes_ += kBytesPerValue;
  } else if (before > 0 && after <= 0) {
    present_.remove(value);
    bytes_ -= std::min(bytes_, kBytesPerValue);
  }
  const bool stays_other = after != 0 && after != 1;
  if (stays_other) {
    other_counts_[value] = after;
    bytes_ += is_other ? 0 : kBytesPerCount;
  } else if (is_other) {
    other_counts_.erase(other);
    bytes_ -= std::min(bytes_, kBytesPerCount);
  }
  if (++changes_ % kChangesBetweenMeasures == 0) {
    bytes_ = measure();
  }
  return bytes_ - bytes_before;
}

int64_t BitmapCounts::measure() const {
  return present_.byte_size() + static_cast<int64_t>(other_counts_.size()) * kBytesPerCount;
}

int64_t BitmapCounts::merge(const BitmapCounts& other) {
  rows_ += other.rows_;
  int64_t gained = 0;
  bitmap::visit_runs(other.present_.serialize(), [&](uint32_t first, uint32_t last) {
    for (uint64_t value = first; value <= last; ++value) {
      if (!other.other_counts_.contains(static_cast<uint32_t>(value))) {
        gained += count(static_cast<uint32_t>(value), 1);
      }
    }
    return true;
  });
  for (const auto& [value, number] : other.other_counts_) {
    gained += count(value, number);
  }
  return gained;
}

Bitmap BitmapCounts::in_all_rows() const {
  Bitmap result = rows_ == 1 ? present_ : Bitmap();
  for (const auto& [value, number] : other_counts_) {
    if (number == rows_) {
      result.add(value);
    } else {
      result.remove(value);
    }
  }
  return result;
}

std::unique_ptr<stream::StateObject> BitmapCounts::clone() const {
  return std::make_unique<BitmapCounts>(*this);
}

void BitmapCounts::serialize(std::string& bytes) const {
  write_item(bytes, rows_);
  write_item(bytes, present_.serialize());
  write_item(bytes, static_cast<uint64_t>(other_counts_.size()));
  for (const auto& [value, number] : other_counts_) {
    write_item(bytes, value);
    write_item(bytes, number);
  }
}

std::unique_ptr<stream::StateObject> BitmapCounts::restore(std::string_view bytes) {
  auto restored = std::make_unique<BitmapCounts>();
  restored->rows_ = read_item<int64_t>(bytes);
  restored->present_ = Bitmap(read_item<std::string>(bytes));
  const auto size = read_item<uint64_t>(bytes);
  for (uint64_t i = 0; i < size; ++i) {
    const auto value = read_item<uint32_t>(bytes);
    restored->other_counts_[value] = read_item<int64_t>(bytes);
  }
  restored->bytes_ = restored->measure();
  return restored;
}

}  // namespace thalweg::functions
