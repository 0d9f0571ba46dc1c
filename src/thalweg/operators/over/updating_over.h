#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "thalweg/operators/aggregate/aggregate_set.h"
#include "thalweg/operators/aggregate/scratch_records.h"
#include "thalweg/operators/over/over_aggregate.h"
#include "thalweg/operators/sort/ranked_rows.h"

namespace thalweg::operators {

/// OVER in streaming mode by columns that are no time (Flink's NonTime*UnboundedPrecedingFunction):
/// the table "partitions" keeps all rows of a partition in order. A row is sent with its result at
/// once, as +I or +U, or -D when it is taken back; each row whose result it changes is sent as -U
/// and +U, in the window's order. One per subtask, task thread.
class UpdatingOver final : public stream::Operator {
 public:
  explicit UpdatingOver(const OverAggregateSpec& spec);

  void open(stream::OperatorContext& context) override;
  void on_batch(Batch batch, int32_t input, stream::Output& output) override;

 private:
  /// A partition while a batch is worked on.
  struct Partition {
    RankedRows* kept = nullptr;
    /// Its rows in order, as rows of the pool, and their results.
    std::vector<int32_t> rows;
    std::vector<ColumnPtr> results;
  };

  /// What is sent: rows of the pool, and their results.
  struct Changes {
    std::vector<RowKind> kinds;
    std::vector<int32_t> rows;
    std::vector<ColumnBuilder> results;
    std::vector<Mark> marks;
  };

  void find_partitions(const Batch& batch);
  /// Puts the rows of all partitions and of the batch together.
  void fill_pool(const Batch& batch);
  void change(Partition& partition, RowKind kind, int32_t row);
  void compute(Partition& partition);
  /// Gives each row the result behind the last of its peers.
  std::vector<int32_t> results_of_peers(const std::vector<int32_t>& rows) const;
  /// Sends what the change of one row makes of the partition: `at` is its place, among the rows
  /// before where it went, among those behind where it came.
  void add_changes(const Partition& before, const Partition& after, size_t at, RowKind kind);
  void add_change(RowKind kind, const Partition& partition, size_t place);
  void send(stream::Output& output);

  OverAggregateSpec spec_;
  AggregateSet aggregates_;
  stream::RecordLayout layout_;
  ScratchRecords scratch_;
  stream::KeyedTable* table_ = nullptr;
  size_t rows_offset_ = 0;

  std::vector<stream::SlotId> slots_;
  std::vector<std::byte*> records_;
  std::vector<uint8_t> inserted_;
  std::vector<stream::SlotId> order_of_slots_;
  std::unordered_map<stream::SlotId, Partition> partitions_;
  std::vector<ColumnPtr> pool_;
  int32_t pool_rows_ = 0;
  Changes changes_;
  std::string sort_key_;
  std::string row_;
};

}  // namespace thalweg::operators
