#pragma once

#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>

#include "thalweg/stream/state.h"

namespace thalweg::functions {

/// Appends and takes plain numbers and texts to and from bytes.
template <typename T>
void write_item(std::string& bytes, const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    write_item(bytes, static_cast<uint64_t>(value.size()));
    bytes += value;
  } else {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
}

template <typename T>
T read_item(std::string_view& bytes) {
  if constexpr (std::is_same_v<T, std::string>) {
    const auto size = read_item<uint64_t>(bytes);
    std::string text(bytes.substr(0, size));
    bytes.remove_prefix(size);
    return text;
  } else {
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    bytes.remove_prefix(sizeof(T));
    return value;
  }
}

/// Numbers by value, NaN last.
struct ValueOrder {
  template <typename T>
  bool operator()(const T& left, const T& right) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(left) || std::isnan(right)) {
        return !std::isnan(left) && std::isnan(right);
      }
    }
    return left < right;
  }
};

/// How often each value is there: the state of an aggregate that can lose its extreme value. A
/// value may be owed (negative count) when its retraction came first. Owned by a state record.
template <typename T>
class OrderedCounts final : public stream::StateObject {
 public:
  using Map = std::map<T, int64_t, ValueOrder>;

  static const std::shared_ptr<const stream::StateObjectKind>& kind();

  /// Bytes gained or lost.
  int64_t add(const T& value, int64_t count) {
    const auto [entry, inserted] = counts_.try_emplace(value, 0);
    entry->second += count;
    if (entry->second == 0) {
      counts_.erase(entry);
      return inserted ? 0 : -entry_size(value);
    }
    return inserted ? entry_size(value) : 0;
  }

  const Map& counts() const { return counts_; }

  std::unique_ptr<stream::StateObject> clone() const override {
    return std::make_unique<OrderedCounts>(*this);
  }

  void serialize(std::string& bytes) const override {
    write_item(bytes, static_cast<uint64_t>(counts_.size()));
    for (const auto& [value, count] : counts_) {
      write_item(bytes, value);
      write_item(bytes, count);
    }
  }

  static std::unique_ptr<stream::StateObject> restore(std::string_view bytes) {
    auto restored = std::make_unique<OrderedCounts>();
    const auto size = read_item<uint64_t>(bytes);
    for (uint64_t i = 0; i < size; ++i) {
      T value = read_item<T>(bytes);
      const auto count = read_item<int64_t>(bytes);
      restored->counts_.emplace_hint(restored->counts_.end(), std::move(value), count);
    }
    return restored;
  }

  int64_t byte_size() const override {
    int64_t bytes = 0;
    for (const auto& entry : counts_) {
      bytes += entry_size(entry.first);
    }
    return bytes;
  }

  Value inspect() const override { return Value(static_cast<int64_t>(counts_.size())); }

 private:
  static int64_t entry_size(const T& value) {
    constexpr auto kNode = static_cast<int64_t>(sizeof(typename Map::value_type)) + 40;
    if constexpr (std::is_same_v<T, std::string>) {
      return kNode + static_cast<int64_t>(value.capacity() > 15 ? value.capacity() : 0);
    } else {
      static_cast<void>(value);
      return kNode;
    }
  }

  Map counts_;
};

template <typename T>
const std::shared_ptr<const stream::StateObjectKind>& OrderedCounts<T>::kind() {
  static const auto made = std::make_shared<const stream::StateObjectKind>(stream::StateObjectKind{
      "ordered-counts", [] { return std::make_unique<OrderedCounts>(); }, &restore});
  return made;
}

}  // namespace thalweg::functions
