#pragma once

#include <memory>
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
    /// The accumulators behind the last row.
    std::unique_ptr<ScratchRecords> last;
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
  /// The results of all rows.
  void compute(Partition& partition);
  /// Those of a row behind all others, which has no peers.
  void compute_last(Partition& partition);
  bool are_peers(int32_t left, int32_t right) const;
  /// Gives each row the result behind the last of its peers.
  std::vector<int32_t> results_of_peers(const std::vector<int32_t>& rows) const;
  /// What a row that came to place `at` makes of the results from row `first` on.
  void add_coming(const Partition& partition,
                  const std::vector<ColumnPtr>& results_before,
                  size_t first,
                  size_t at,
                  RowKind kind);
  /// The same for row `gone`, which was at place `at`.
  void add_going(const Partition& partition,
                 const std::vector<ColumnPtr>& results_before,
                 size_t first,
                 size_t at,
                 int32_t gone);
  /// An update of a row whose results are at different places before and after.
  void add_update(int32_t row,
                  const std::vector<ColumnPtr>& results_before,
                  size_t place_before,
                  const std::vector<ColumnPtr>& results,
                  size_t place);
  void add_change(RowKind kind, int32_t row, const std::vector<ColumnPtr>& results, size_t place);
  void send(stream::Output& output);

  OverAggregateSpec spec_;
  AggregateSet aggregates_;
  stream::RecordLayout layout_;
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
