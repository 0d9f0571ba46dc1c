#pragma once

#include "thalweg/operators/aggregate/group_state.h"

namespace thalweg::operators {

/// GROUP BY in batch mode: each group once, when the input ends, in the order of their first rows.
/// One per subtask, task thread.
class BatchGroupAggregate final : public stream::Operator {
 public:
  explicit BatchGroupAggregate(const GroupAggregateSpec& spec);

  void open(stream::OperatorContext& context) override;
  void on_batch(Batch batch, int32_t input, stream::Output& output) override;
  void on_input_end(int32_t input, stream::Output& output) override;

 private:
  void send(std::span<const stream::SlotId> slots, stream::Output& output);

  GroupAggregateSpec spec_;
  GroupState state_;
};

}  // namespace thalweg::operators
