#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "thalweg/stream/state.h"
#include "thalweg/types/hash.h"

namespace thalweg::operators {

/// The values that the DISTINCT aggregates of one record have seen, by their encoded bytes. Where
/// rows are never taken back, `mark` is a bit for each aggregate that counted the value (they
/// differ by FILTER); else it is how often the one aggregate saw it. Owned by its record.
class DistinctValues final : public stream::StateObject {
 public:
  struct Hash {
    using is_transparent = void;

    size_t operator()(std::string_view bytes) const { return hash_bytes(bytes); }
  };

  using Map = std::unordered_map<std::string, int64_t, Hash, std::equal_to<>>;

  static const stream::StateObjectKind& kind();

  /// Sets the bit; true when it was not set.
  bool add_bit(std::string_view value, uint32_t bit);

  /// Counts one up; true when the value is new.
  bool add(std::string_view value) { return add_many(value, 1); }

  bool add_many(std::string_view value, int64_t times);
  /// Counts one down; true when the value is gone.
  bool remove(std::string_view value);

  const Map& values() const { return values_; }

  std::unique_ptr<stream::StateObject> clone() const override;
  void serialize(std::string& bytes) const override;
  int64_t byte_size() const override;
  Value inspect() const override;

 private:
  static std::unique_ptr<stream::StateObject> restore(std::string_view bytes);

  int64_t& mark_of(std::string_view value);

  Map values_;
  int64_t key_bytes_ = 0;
};

}  // namespace thalweg::operators
