#include "thalweg/operators/sort/ranked_rows.h"

#include <algorithm>
#include <cstring>

#include "thalweg/common/check.h"

namespace thalweg::operators {

namespace {

/// A node of the map, or a string in its list.
constexpr int64_t kBytesPerRow = 64;

void put_text(std::string_view text, std::string& bytes) {
  const auto size = static_cast<uint32_t>(text.size());
  bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
  bytes.append(text);
}

std::string_view take_text(std::string_view& bytes) {
  uint32_t size = 0;
  check(bytes.size() >= sizeof(size), "ranked rows end too early");
  std::memcpy(&size, bytes.data(), sizeof(size));
  bytes.remove_prefix(sizeof(size));
  check(bytes.size() >= size, "ranked rows end too early");
  const std::string_view text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return text;
}

}  // namespace

const std::shared_ptr<const stream::StateObjectKind>& RankedRows::kind() {
  static const auto kKind = std::make_shared<const stream::StateObjectKind>(
      stream::StateObjectKind{"ranked rows",
                              [] { return std::make_unique<RankedRows>(); },
                              [](std::string_view bytes) -> std::unique_ptr<stream::StateObject> {
                                auto rows = std::make_unique<RankedRows>();
                                while (!bytes.empty()) {
                                  const std::string_view key = take_text(bytes);
                                  rows->insert(key, take_text(bytes));
                                }
                                return rows;
                              }});
  return kKind;
}

int64_t RankedRows::insert(std::string_view sort_key, std::string_view row) {
  auto place = rows_.find(sort_key);
  if (place == rows_.end()) {
    place = rows_.emplace(sort_key, std::vector<std::string>()).first;
    bytes_ += static_cast<int64_t>(sort_key.size()) + kBytesPerRow;
  }
  place->second.emplace_back(row);
  bytes_ += static_cast<int64_t>(row.size()) + kBytesPerRow;
  ++size_;
  if (std::next(place) == rows_.end()) {
    return size_;
  }
  int64_t rank = 0;
  for (auto entry = rows_.begin();; ++entry) {
    rank += static_cast<int64_t>(entry->second.size());
    if (entry == place) {
      return rank;
    }
  }
}

std::optional<int64_t> RankedRows::remove(std::string_view sort_key, std::string_view row) {
  const auto place = rows_.find(sort_key);
  if (place == rows_.end()) {
    return std::nullopt;
  }
  std::vector<std::string>& rows = place->second;
  const auto found = std::find(rows.begin(), rows.end(), row);
  if (found == rows.end()) {
    return std::nullopt;
  }
  int64_t rank = found - rows.begin() + 1;
  for (auto entry = rows_.begin(); entry != place; ++entry) {
    rank += static_cast<int64_t>(entry->second.size());
  }
  rows.erase(found);
  bytes_ -= static_cast<int64_t>(row.size()) + kBytesPerRow;
  --size_;
  if (rows.empty()) {
    bytes_ -= static_cast<int64_t>(sort_key.size()) + kBytesPerRow;
    rows_.erase(place);
  }
  return rank;
}

void RankedRows::remove_last() {
  const auto last = std::prev(rows_.end());
  bytes_ -= static_cast<int64_t>(last->second.back().size()) + kBytesPerRow;
  last->second.pop_back();
  --size_;
  if (last->second.empty()) {
    bytes_ -= static_cast<int64_t>(last->first.size()) + kBytesPerRow;
    rows_.erase(last);
  }
}

std::optional<RankedRows::Place> RankedRows::find_prefix(std::string_view prefix) const {
  for (const auto& [key, rows] : rows_) {
    for (const std::string& row : rows) {
      if (row.starts_with(prefix)) {
        return Place{key, row};
      }
    }
  }
  return std::nullopt;
}

void RankedRows::replace(const Place& place, std::string_view row) {
  std::vector<std::string>& rows = rows_.at(place.sort_key);
  *std::find(rows.begin(), rows.end(), place.row) = row;
  bytes_ += static_cast<int64_t>(row.size()) - static_cast<int64_t>(place.row.size());
}

std::vector<std::string_view> RankedRows::range(int64_t first, int64_t last) const {
  std::vector<std::string_view> result;
  int64_t rank = 0;
  for (auto entry = rows_.begin(); entry != rows_.end() && rank < last; ++entry) {
    for (const std::string& row : entry->second) {
      ++rank;
      if (rank >= first && rank <= last) {
        result.emplace_back(row);
      }
    }
  }
  return result;
}

std::unique_ptr<stream::StateObject> RankedRows::clone() const {
  return std::make_unique<RankedRows>(*this);
}

void RankedRows::serialize(std::string& bytes) const {
  for (const auto& [key, rows] : rows_) {
    for (const std::string& row : rows) {
      put_text(key, bytes);
      put_text(row, bytes);
    }
  }
}

int64_t RankedRows::byte_size() const {
  return static_cast<int64_t>(sizeof(*this)) + bytes_;
}

Value RankedRows::inspect() const {
  return Value(fmt::format("{} rows", size_));
}

}  // namespace thalweg::operators
