#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "thalweg/types/data_type.h"

namespace thalweg::variant {

/// Both parts of a variant are at most this long.
inline constexpr size_t kSizeLimit = size_t{1} << 24U;

/// Writes one variant after the other. Values are appended depth first; a container is closed by
/// finish_object or finish_array, which put its header in front of what was appended since
/// `begin()`.
class Builder {
 public:
  /// What finish needs to know of each value of a container, in the order of appending.
  struct Entry {
    uint32_t key = 0;
    uint32_t offset = 0;
  };

  void append_null();
  void append_boolean(bool value);
  /// In the smallest of 1, 2, 4 and 8 bytes.
  void append_integer(int64_t value);
  void append_double(double value);
  /// At most 38 digits, and as many behind the point.
  void append_decimal(Int128 unscaled, int32_t scale);
  void append_string(std::string_view text);

  /// Remembers where a container starts.
  size_t begin() const { return value_.size(); }

  /// The number of a field's name in the dictionary.
  uint32_t key(std::string_view name);

  /// Entries since `first_entry` are the container's own and are taken off.
  void finish_array(size_t begin, std::vector<Entry>& entries, size_t first_entry);
  /// False when two fields have one name, unless the last of them is to stay.
  bool finish_object(size_t begin,
                     std::vector<Entry>& entries,
                     size_t first_entry,
                     bool keeps_last);

  /// Appends the finished variant and starts anew. False when it is longer than the limit.
  bool finish(std::string& out);
  void clear();

 private:
  void drop_repeated(size_t begin, std::vector<Entry>& entries, size_t first_entry);
  std::string_view name(uint32_t key) const;

  std::string value_;
  std::string header_;
  /// All names, one behind the other, and where each ends.
  std::string names_;
  std::vector<uint32_t> ends_;
  /// The names' numbers, once there are too many to look through.
  std::unordered_map<std::string, uint32_t> keys_;
};

}  // namespace thalweg::variant
