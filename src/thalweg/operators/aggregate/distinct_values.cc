#include "thalweg/operators/aggregate/distinct_values.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "thalweg/common/check.h"

namespace thalweg::operators {

namespace {

/// A node of the map with its hash, and its bucket.
constexpr int64_t kBytesPerValue = 72;

}  // namespace

const stream::StateObjectKind& DistinctValues::kind() {
  static const stream::StateObjectKind kKind{
      "distinct values", [] { return std::make_unique<DistinctValues>(); }, restore};
  return kKind;
}

int64_t& DistinctValues::mark_of(std::string_view value) {
  if (const auto known = values_.find(value); known != values_.end()) {
    return known->second;
  }
  key_bytes_ += static_cast<int64_t>(value.size());
  return values_.emplace(value, 0).first->second;
}

bool DistinctValues::add_bit(std::string_view value, uint32_t bit) {
  int64_t& mark = mark_of(value);
  const auto mask = static_cast<int64_t>(uint64_t{1} << bit);
  const bool is_new = (mark & mask) == 0;
  mark |= mask;
  return is_new;
}

bool DistinctValues::add_many(std::string_view value, int64_t times) {
  int64_t& mark = mark_of(value);
  mark += times;
  return mark == times;
}

bool DistinctValues::remove(std::string_view value) {
  const auto entry = values_.find(value);
  if (entry == values_.end()) {
    return false;
  }
  if (--entry->second > 0) {
    return false;
  }
  values_.erase(entry);
  key_bytes_ -= static_cast<int64_t>(value.size());
  return true;
}

std::unique_ptr<stream::StateObject> DistinctValues::clone() const {
  return std::make_unique<DistinctValues>(*this);
}

void DistinctValues::serialize(std::string& bytes) const {
  // Sorted, so that equal states give equal bytes.
  std::vector<const Map::value_type*> entries;
  entries.reserve(values_.size());
  for (const auto& entry : values_) {
    entries.push_back(&entry);
  }
  std::sort(entries.begin(), entries.end(), [](const auto* left, const auto* right) {
    return left->first < right->first;
  });
  for (const auto* entry : entries) {
    const auto size = static_cast<uint32_t>(entry->first.size());
    bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
    bytes.append(entry->first);
    bytes.append(reinterpret_cast<const char*>(&entry->second), sizeof(entry->second));
  }
}

std::unique_ptr<stream::StateObject> DistinctValues::restore(std::string_view bytes) {
  auto result = std::make_unique<DistinctValues>();
  while (!bytes.empty()) {
    uint32_t size = 0;
    check(bytes.size() >= sizeof(size), "distinct values end too early");
    std::memcpy(&size, bytes.data(), sizeof(size));
    bytes.remove_prefix(sizeof(size));
    check(bytes.size() >= size + sizeof(int64_t), "distinct values end too early");
    int64_t& mark = result->mark_of(bytes.substr(0, size));
    std::memcpy(&mark, bytes.data() + size, sizeof(mark));
    bytes.remove_prefix(size + sizeof(mark));
  }
  return result;
}

int64_t DistinctValues::byte_size() const {
  return static_cast<int64_t>(sizeof(*this)) + key_bytes_ +
         static_cast<int64_t>(values_.size()) * kBytesPerValue;
}

Value DistinctValues::inspect() const {
  return Value(fmt::format("{} distinct values", values_.size()));
}

}  // namespace thalweg::operators
