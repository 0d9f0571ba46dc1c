#include "thalweg/operators/over/timed_rows.h"

#include <algorithm>
#include <cstring>

#include "thalweg/common/check.h"
#include "thalweg/operators/row_codec.h"

namespace thalweg::operators {

namespace {

/// Taken rows are let go of when they are at least so many, and half of all.
constexpr size_t kCompactRows = 32;

/// What an empty queue keeps, so that a row now and then does not allocate.
constexpr size_t kKeptBytes = 256;

template <typename T>
void put(const T& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <typename T>
T take(std::string_view& bytes) {
  check(bytes.size() >= sizeof(T), "timed rows end too early");
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes.remove_prefix(sizeof(T));
  return value;
}

}  // namespace

const std::shared_ptr<const stream::StateObjectKind>& TimedRows::kind() {
  static const auto kKind = std::make_shared<const stream::StateObjectKind>(
      stream::StateObjectKind{"timed rows", [] { return std::make_unique<TimedRows>(); }, restore});
  return kKind;
}

bool TimedRows::add(int64_t time_ms, std::span<const ColumnPtr> columns, int32_t row) {
  Place place{time_ms, bytes_.size(), 0};
  encode_row(columns, row, bytes_);
  place.size = bytes_.size() - place.begin;
  if (is_empty() || places_.back().time_ms < time_ms) {
    places_.push_back(place);
    return true;
  }
  const auto behind =
      std::upper_bound(places_.begin() + static_cast<std::ptrdiff_t>(first_),
                       places_.end(),
                       time_ms,
                       [](int64_t time, const Place& other) { return time < other.time_ms; });
  const bool is_first_of_time = behind == places_.begin() + static_cast<std::ptrdiff_t>(first_) ||
                                (behind - 1)->time_ms != time_ms;
  places_.insert(behind, place);
  return is_first_of_time;
}

void TimedRows::take_first(std::span<ColumnBuilder> builders) {
  decode_row(row(places_[first_]), builders);
  ++first_;
  if (is_empty() || (first_ >= kCompactRows && first_ * 2 >= places_.size())) {
    compact();
  }
}

void TimedRows::compact() {
  if (is_empty() && bytes_.capacity() + places_.capacity() * sizeof(Place) <= kKeptBytes) {
    bytes_.clear();
    places_.clear();
    first_ = 0;
    return;
  }
  std::vector<Place> places(places_.begin() + static_cast<std::ptrdiff_t>(first_), places_.end());
  std::string bytes;
  for (Place& place : places) {
    const std::string_view kept = row(place);
    place.begin = bytes.size();
    bytes += kept;
  }
  places_ = std::move(places);
  bytes_ = std::move(bytes);
  first_ = 0;
}

void TimedRows::read(std::span<ColumnBuilder> builders) const {
  for (size_t i = first_; i < places_.size(); ++i) {
    decode_row(row(places_[i]), builders);
  }
}

std::unique_ptr<stream::StateObject> TimedRows::clone() const {
  return std::make_unique<TimedRows>(*this);
}

/// For each row: its time, the size of the rest (32 bits), the values.
void TimedRows::serialize(std::string& bytes) const {
  for (size_t i = first_; i < places_.size(); ++i) {
    put(places_[i].time_ms, bytes);
    put(static_cast<uint32_t>(places_[i].size), bytes);
    bytes += row(places_[i]);
  }
}

std::unique_ptr<stream::StateObject> TimedRows::restore(std::string_view bytes) {
  auto rows = std::make_unique<TimedRows>();
  while (!bytes.empty()) {
    Place place{take<int64_t>(bytes), rows->bytes_.size(), take<uint32_t>(bytes)};
    check(bytes.size() >= place.size, "timed rows end too early");
    rows->bytes_ += bytes.substr(0, place.size);
    bytes.remove_prefix(place.size);
    rows->places_.push_back(place);
  }
  return rows;
}

int64_t TimedRows::byte_size() const {
  return static_cast<int64_t>(sizeof(*this) + bytes_.capacity() +
                              places_.capacity() * sizeof(Place));
}

Value TimedRows::inspect() const {
  return Value(fmt::format("{} rows", size()));
}

}  // namespace thalweg::operators
