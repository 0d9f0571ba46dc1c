#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/operators/aggregate/distinct_values.h"
#include "thalweg/types/batch.h"

namespace thalweg::operators {

/// Decides which rows are new to the DISTINCT aggregates over one list of argument columns. Where
/// rows are never taken back, aggregates that differ by FILTER share one set of values, each with
/// its bit.
class DistinctRows {
 public:
  static constexpr uint32_t kMaxSharers = 63;

  DistinctRows(std::vector<ColumnIndex> arguments, bool counts_down)
      : arguments_(std::move(arguments)), counts_down_(counts_down) {}

  const std::vector<ColumnIndex>& arguments() const { return arguments_; }

  bool can_share() const { return !counts_down_ && sharers_ < kMaxSharers; }

  /// The bit of one more aggregate.
  uint32_t add_sharer() { return sharers_++; }

  /// The place of the set in a record: its field at first, then its offset.
  void bind(size_t place) { place_ = place; }

  size_t place() const { return place_; }

  /// True when `row` changes what aggregate `bit` counts: the value's first time when it comes, its
  /// last when it goes.
  bool observe(const Batch& batch,
               int32_t row,
               bool is_retract,
               uint32_t bit,
               std::byte* record,
               stream::StateMemory& memory);

  /// Adds the values of `from` to `into`; those new for aggregate `bit` are appended to `builders`,
  /// and their number returned.
  int32_t merge(std::byte* into,
                stream::StateMemory& into_memory,
                const std::byte* from,
                const stream::StateMemory& from_memory,
                uint32_t bit,
                std::span<ColumnBuilder> builders);

 private:
  std::vector<ColumnIndex> arguments_;
  bool counts_down_;
  uint32_t sharers_ = 0;
  size_t place_ = 0;
  std::string encoded_;
};

}  // namespace thalweg::operators
