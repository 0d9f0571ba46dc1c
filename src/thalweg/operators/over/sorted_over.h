#pragma once

#include <memory>
#include <vector>

#include "thalweg/operators/over/frame_results.h"
#include "thalweg/operators/over/over_aggregate.h"

namespace thalweg::operators {

/// OVER in batch mode over an input sorted by partition and order: holds rows until their partition
/// is whole, then computes many small partitions, or one large, at once. Nothing of it is in
/// snapshots; the memory is charged to the state budget. One per subtask, task thread.
class SortedOver final : public stream::Operator {
 public:
  explicit SortedOver(const OverAggregateSpec& spec);

  void open(stream::OperatorContext& context) override;
  void on_batch(Batch batch, int32_t input, stream::Output& output) override;
  void on_input_end(int32_t input, stream::Output& output) override;
  void close() override;

 private:
  /// Some calls, and what computes them.
  struct Group {
    std::vector<size_t> calls;
    std::unique_ptr<FrameResults> results;
  };

  void add_group(bool of_partition_kernels);
  void find_partitions(const Batch& batch);
  /// Sends the first `rows` rows, which are whole partitions.
  void send(int32_t rows, stream::Output& output);
  std::vector<Batch> take_parts(int32_t rows);
  SortedPartitions take_partitions(int32_t rows, const Batch& columns);
  std::vector<ColumnPtr> compute(const Batch& columns, const SortedPartitions& partitions);
  void charge(int64_t bytes);

  OverAggregateSpec spec_;
  /// The columns of the input that the calls and the order look at, and both over them.
  std::vector<ColumnIndex> columns_;
  std::vector<expression::AggregateCall> calls_;
  std::vector<SortKey> order_;
  std::vector<Group> groups_;
  MemoryBudget* budget_ = nullptr;
  int64_t charged_bytes_ = 0;
  std::vector<Batch> parts_;
  int32_t rows_ = 0;
  /// Where the partitions of the held rows begin.
  std::vector<int32_t> begins_;
};

}  // namespace thalweg::operators
