#pragma once

#include <vector>

#include "thalweg/operators/aggregate/aggregate_set.h"
#include "thalweg/operators/window/window_store.h"

namespace thalweg::operators {

/// A table of accumulators by key and window (or slice) end, with a count of rows where it is
/// needed: to see windows that retractions emptied, and to tell at the end how many rows a
/// processing-time window lost. Owned by a window store.
class WindowRecords {
 public:
  WindowRecords(const WindowFrame& frame, std::string name);

  void open(stream::OperatorContext& context);

  /// Finds or makes the records of some rows and adds the rows to them.
  void add(const Batch& batch, std::span<const int32_t> rows, std::span<const int64_t> ends);

  /// Adds the rows to records that need not be in the table.
  void accumulate(const Batch& batch, const RowRecords& rows, stream::StateMemory& memory);

  /// What the last `add` found.
  const std::vector<ColumnPtr>& key_columns() const { return key_columns_; }

  const std::vector<stream::SlotId>& slots() const { return slots_; }

  const std::vector<uint8_t>& inserted() const { return inserted_; }

  bool counts_rows() const { return counts_rows_; }

  int64_t& row_count(std::byte* record) const {
    return *reinterpret_cast<int64_t*>(record + row_count_offset_);
  }

  int64_t total_rows() const;

  /// Adds records `from` to `into`, row counts too.
  void merge(const RecordSpan& into, const RecordSpan& from);

  stream::KeyedTable& table() const { return *table_; }

  AggregateSet& aggregates() { return aggregates_; }

 private:
  const WindowFrame& frame_;
  std::string name_;
  bool counts_rows_;
  AggregateSet aggregates_;
  stream::KeyedTable* table_ = nullptr;
  size_t row_count_offset_ = 0;
  std::vector<ColumnPtr> key_columns_;
  std::vector<stream::SlotId> slots_;
  std::vector<std::byte*> records_;
  std::vector<uint8_t> inserted_;
};

}  // namespace thalweg::operators
