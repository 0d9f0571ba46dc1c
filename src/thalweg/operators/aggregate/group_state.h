#pragma once

#include <numeric>
#include <optional>
#include <vector>

#include "thalweg/operators/aggregate/aggregate_set.h"
#include "thalweg/operators/aggregate/group_aggregate.h"
#include "thalweg/operators/aggregate/scratch_records.h"
#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// The table "accumulators" of a GROUP BY without windows: a record for each group that has rows.
/// Shared by the three ways of emitting results. Owned by its operator.
class GroupState {
 public:
  GroupState(const GroupAggregateSpec& spec, bool tracks_bundle);

  void open(stream::OperatorContext& context);

  /// The groups of all rows of `batch`, new ones inserted: fills key_columns, slots, records and
  /// inserted.
  void find_or_insert(const Batch& batch);

  /// Rows in the group: kept only where rows are taken back.
  int64_t& row_count(std::byte* record) const {
    return *reinterpret_cast<int64_t*>(record + row_count_offset_);
  }

  /// Set while the group waits for the end of a bundle.
  uint8_t& is_touched(std::byte* record) const {
    return *reinterpret_cast<uint8_t*>(record + touched_offset_);
  }

  /// Results of the aggregates over no rows at all, for a keyless query.
  void append_empty_results(std::span<ColumnBuilder> builders);

  std::vector<ColumnBuilder> make_key_builders() const;

  std::vector<ColumnBuilder> make_result_builders() const {
    return aggregates_.make_result_builders();
  }

  /// 0, 1, ... `rows` - 1.
  std::span<const int32_t> all_rows(size_t rows);

  stream::KeyedTable& table() { return *table_; }

  AggregateSet& aggregates() { return aggregates_; }

  std::vector<ColumnPtr> key_columns;
  std::vector<stream::SlotId> slots;
  std::vector<std::byte*> records;
  std::vector<uint8_t> inserted;

 private:
  const GroupAggregateSpec& spec_;
  bool tracks_bundle_;
  AggregateSet aggregates_;
  stream::KeyedTable* table_ = nullptr;
  size_t row_count_offset_ = 0;
  size_t touched_offset_ = 0;
  std::vector<int32_t> all_rows_;
};

}  // namespace thalweg::operators
