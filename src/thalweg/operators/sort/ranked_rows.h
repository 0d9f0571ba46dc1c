#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/stream/state.h"

namespace thalweg::operators {

/// Encoded rows by encoded sort key; rows of one key as they came. Ranks count from 1. Owned by its
/// record.
class RankedRows final : public stream::StateObject {
 public:
  static const std::shared_ptr<const stream::StateObjectKind>& kind();

  int64_t size() const { return size_; }

  /// Adds the row behind those of its key; returns its rank.
  int64_t insert(std::string_view sort_key, std::string_view row);
  /// Removes the first equal row; returns the rank it had, nullopt when there is none.
  std::optional<int64_t> remove(std::string_view sort_key, std::string_view row);
  void remove_last();

  struct Place {
    std::string sort_key;
    std::string row;
  };

  /// The first row that starts with `prefix`.
  std::optional<Place> find_prefix(std::string_view prefix) const;
  /// Puts another row in the place of one that is there.
  void replace(const Place& place, std::string_view row);

  const std::string& last_key() const { return rows_.rbegin()->first; }

  /// The rows of ranks [first, last], as far as there are any.
  std::vector<std::string_view> range(int64_t first, int64_t last) const;

  std::unique_ptr<stream::StateObject> clone() const override;
  void serialize(std::string& bytes) const override;
  int64_t byte_size() const override;
  Value inspect() const override;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> rows_;
  int64_t size_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace thalweg::operators
