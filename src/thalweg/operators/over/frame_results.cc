#include "thalweg/operators/over/frame_results.h"

#include <algorithm>
#include <numeric>

#include "thalweg/operators/aggregate/aggregate_set.h"
#include "thalweg/operators/aggregate/scratch_records.h"
#include "thalweg/operators/over/fresh_frames.h"
#include "thalweg/operators/over/sliding_results.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

using expression::AggregateCall;
using expression::OverBoundKind;

namespace {

std::vector<ColumnPtr> gather_all(std::vector<ColumnBuilder>& builders,
                                  std::span<const int32_t> rows) {
  std::vector<ColumnPtr> columns;
  for (ColumnBuilder& builder : builders) {
    columns.push_back(gather(builder.finish(), rows));
  }
  return columns;
}

/// Frames that are their partition: one result for each.
class WholeResults final : public FrameResults {
 public:
  explicit WholeResults(const std::vector<AggregateCall>& calls) : frames_(calls) {}

  std::vector<ColumnPtr> compute(const Batch& rows,
                                 const SortedPartitions& partitions,
                                 const FrameBounds& /*bounds*/) override {
    const std::span begins(partitions.begins);
    auto results = frames_.make_result_builders();
    frames_.append_results(rows, begins.first(partitions.size()), begins.subspan(1), results);
    std::vector<int32_t> partition_of_row;
    for (size_t i = 0; i < partitions.size(); ++i) {
      partition_of_row.resize(static_cast<size_t>(begins[i + 1]), static_cast<int32_t>(i));
    }
    return gather_all(results, partition_of_row);
  }

 private:
  FreshFrames frames_;
};

/// Frames that begin with their partition: rows are only added, and a frame's result is the one
/// behind its last row.
class RunningResults final : public FrameResults {
 public:
  explicit RunningResults(const std::vector<AggregateCall>& calls)
      : aggregates_(calls, false), layout_(bound_layout(aggregates_)), scratch_(layout_) {}

  std::vector<ColumnPtr> compute(const Batch& rows,
                                 const SortedPartitions& partitions,
                                 const FrameBounds& bounds) override {
    auto results = aggregates_.make_result_builders();
    append_running(rows, partitions, results);
    if (has_empty_frame(bounds)) {
      aggregates_.append_results({scratch_.records().last(1), scratch_}, results);
    }
    std::vector<int32_t> result_of_row;
    for (size_t i = 0; i < partitions.size(); ++i) {
      const int32_t begin = partitions.begins[i];
      for (int32_t row = begin; row < partitions.begins[i + 1]; ++row) {
        const int32_t end = bounds.ends[static_cast<size_t>(row)];
        result_of_row.push_back(end > begin ? end - 1 : rows.row_count());
      }
    }
    return gather_all(results, result_of_row);
  }

 private:
  static constexpr size_t kRowsAtOnce = 8192;

  /// The result behind each row. The last of the records stays empty.
  void append_running(const Batch& rows,
                      const SortedPartitions& partitions,
                      std::span<ColumnBuilder> results) {
    scratch_.reset(partitions.size() + 1);
    std::vector<std::byte*> records;
    for (size_t i = 0; i < partitions.size(); ++i) {
      records.resize(static_cast<size_t>(partitions.begins[i + 1]), scratch_.records()[i]);
    }
    std::vector<int32_t> all_rows(records.size());
    std::iota(all_rows.begin(), all_rows.end(), 0);
    for (size_t begin = 0; begin < records.size(); begin += kRowsAtOnce) {
      const size_t size = std::min(kRowsAtOnce, records.size() - begin);
      auto before = aggregates_.make_result_builders();
      aggregates_.update_rows(
          rows,
          {std::span(all_rows).subspan(begin, size), std::span(records).subspan(begin, size)},
          scratch_,
          before,
          results);
    }
  }

  AggregateSet aggregates_;
  stream::RecordLayout layout_;
  ScratchRecords scratch_;
};

class PartitionFunctions final : public FrameResults {
 public:
  explicit PartitionFunctions(const std::vector<AggregateCall>& calls) : calls_(calls) {
    for (const AggregateCall& call : calls) {
      std::vector<expression::BoundArgument> arguments;
      for (const DataType& type : call.signature.arguments) {
        arguments.push_back({type});
      }
      kernels_.push_back(call.function->make_partition_kernel(call.signature, arguments));
    }
  }

  std::vector<ColumnPtr> compute(const Batch& rows,
                                 const SortedPartitions& partitions,
                                 const FrameBounds& /*bounds*/) override {
    std::vector<ColumnPtr> results;
    for (size_t call = 0; call < calls_.size(); ++call) {
      std::vector<ColumnPtr> arguments;
      for (const ColumnIndex argument : calls_[call].arguments) {
        arguments.push_back(rows.column_ptr(static_cast<size_t>(argument.value)));
      }
      ColumnBuilder builder(calls_[call].signature.result);
      for (size_t i = 0; i < partitions.size(); ++i) {
        const int32_t begin = partitions.begins[i];
        const int32_t end = partitions.begins[i + 1];
        const auto starts =
            std::span(partitions.starts_peers)
                .subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
        kernels_[call]->append_results({arguments, begin, end, starts}, builder);
      }
      results.push_back(builder.finish());
    }
    return results;
  }

 private:
  std::vector<AggregateCall> calls_;
  std::vector<std::unique_ptr<expression::PartitionKernel>> kernels_;
};

}  // namespace

std::unique_ptr<FrameResults> make_frame_results(const std::vector<AggregateCall>& calls,
                                                 const expression::OverFrame& frame) {
  if (frame.lower.kind != OverBoundKind::kUnboundedPreceding) {
    return std::make_unique<SlidingResults>(calls);
  }
  if (frame.upper.kind != OverBoundKind::kUnboundedFollowing) {
    return std::make_unique<RunningResults>(calls);
  }
  return std::make_unique<WholeResults>(calls);
}

std::unique_ptr<FrameResults> make_partition_results(const std::vector<AggregateCall>& calls) {
  return std::make_unique<PartitionFunctions>(calls);
}

}  // namespace thalweg::operators
