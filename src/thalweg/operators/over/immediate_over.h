#pragma once

#include <optional>
#include <vector>

#include "thalweg/operators/over/over_aggregate.h"
#include "thalweg/operators/over/partition_expiry.h"
#include "thalweg/operators/over/running_frame.h"

namespace thalweg::operators {

/// OVER by processing time with a frame that rows need not wait for: each row is sent with its
/// results as it comes (Flink's ProcTimeUnboundedPrecedingFunction, which is that of RANGE too, and
/// ProcTimeRowsBoundedPrecedingFunction). One per subtask, task thread.
class ImmediateOver final : public stream::Operator {
 public:
  explicit ImmediateOver(const OverAggregateSpec& spec);

  void open(stream::OperatorContext& context) override;
  void on_batch(Batch batch, int32_t input, stream::Output& output) override;
  void on_processing_time(ProcessingTime now, stream::Output& output) override;

 private:
  OverAggregateSpec spec_;
  std::unique_ptr<RunningFrame> frame_;
  /// By the time to live.
  std::optional<PartitionExpiry> expiry_;
  stream::OperatorContext* context_ = nullptr;
  stream::KeyedTable* table_ = nullptr;
  stream::KeyedTimers* timers_ = nullptr;
  std::vector<stream::SlotId> slots_;
  std::vector<std::byte*> records_;
  std::vector<uint8_t> inserted_;
  std::vector<int64_t> times_;
};

}  // namespace thalweg::operators
