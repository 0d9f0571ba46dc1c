#pragma once

#include <memory>
#include <span>
#include <vector>

#include "thalweg/expression/aggregate_function.h"
#include "thalweg/operators/aggregate/distinct_rows.h"
#include "thalweg/stream/state.h"
#include "thalweg/types/batch.h"

namespace thalweg::operators {

/// Some rows of a batch, ascending, and the record that each belongs to.
struct RowRecords {
  std::span<const int32_t> rows;
  std::span<std::byte* const> records;
};

/// Records and the memory that owns them.
struct RecordSpan {
  std::span<std::byte* const> records;
  stream::StateMemory& memory;
};

/// All aggregates of one operator, working on records that hold an accumulator for each: FILTER and
/// DISTINCT are settled here, the rest is the kernels'. Owned by an operator; task thread only.
class AggregateSet {
 public:
  AggregateSet(const std::vector<expression::AggregateCall>& calls, bool needs_retract);
  ~AggregateSet();

  size_t size() const;

  const DataType& result_type(size_t aggregate) const;
  /// One for each aggregate.
  std::vector<ColumnBuilder> make_result_builders() const;

  /// Appends the fields that a record needs; once, before the table is declared.
  void declare_fields(std::vector<stream::StateField>& fields);
  /// Tells where they lie in the table's records.
  void bind(const stream::RecordLayout& layout);

  void accumulate(const Batch& batch, const RowRecords& rows, stream::StateMemory& memory);
  void retract(const Batch& batch, const RowRecords& rows, stream::StateMemory& memory);
  /// Accumulates +I and +U rows, retracts the others.
  void apply(const Batch& batch, const RowRecords& rows, stream::StateMemory& memory);
  /// Row by row: results before and after each row, one builder for each aggregate.
  void update_rows(const Batch& batch,
                   const RowRecords& rows,
                   stream::StateMemory& memory,
                   std::span<ColumnBuilder> before,
                   std::span<ColumnBuilder> after);
  /// Adds record i of `from` to record i of `into`.
  void merge(const RecordSpan& into, const RecordSpan& from);
  void append_results(const RecordSpan& records, std::span<ColumnBuilder> builders) const;

 private:
  struct Aggregate;

  /// The rows that an aggregate counts: those that pass its FILTER and are not seen before.
  RowRecords counted_rows(const Aggregate& aggregate,
                          const Batch& batch,
                          const RowRecords& rows,
                          bool is_retract,
                          stream::StateMemory& memory);

  void merge_distinct(const Aggregate& aggregate, const RecordSpan& into, const RecordSpan& from);

  std::vector<Aggregate> aggregates_;
  std::vector<DistinctRows> distincts_;
  bool needs_retract_;
  std::vector<int32_t> counted_rows_;
  std::vector<std::byte*> counted_records_;
  std::vector<RowKind> kinds_;
  std::vector<uint8_t> counts_;
};

/// Records that are only read, in the form that kernels take.
std::byte* read_only(const std::byte* record);

}  // namespace thalweg::operators
