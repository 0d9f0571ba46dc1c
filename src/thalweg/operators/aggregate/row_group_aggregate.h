#pragma once

#include <vector>

#include "thalweg/operators/aggregate/group_state.h"
#include "thalweg/operators/aggregate/result_changes.h"

namespace thalweg::operators {

/// GROUP BY that sends each row's change of its group (Flink's GroupAggFunction): the first row +I,
/// then -U and +U, -D for the last. One per subtask, task thread.
class RowGroupAggregate final : public stream::Operator {
 public:
  explicit RowGroupAggregate(const GroupAggregateSpec& spec);

  void open(stream::OperatorContext& context) override;
  void on_batch(Batch batch, int32_t input, stream::Output& output) override;
  void on_input_end(int32_t input, stream::Output& output) override;

 private:
  /// Handles a start of `part` (all of it, where rows are never taken back) and returns how many
  /// rows that was. Fills changes_ and changes_before_.
  int32_t process(const Batch& part);
  /// Chooses the rows that count, up to one that comes for a group that this part emptied.
  int32_t choose_rows(const Batch& part);
  void send_changes(const Batch& part, int32_t rows);
  void erase_empty_groups();

  GroupAggregateSpec spec_;
  GroupState state_;
  ResultChanges changes_;
  /// How many changes were sent before each row of the part.
  std::vector<int32_t> changes_before_;
  std::vector<int32_t> chosen_rows_;
  std::vector<std::byte*> chosen_records_;
  /// For each chosen row: it makes its group, it empties it, its results differ.
  std::vector<uint8_t> is_first_;
  std::vector<uint8_t> is_last_;
  std::vector<uint8_t> is_changed_;
  std::vector<stream::SlotId> empty_slots_;
  Batch result_;
  bool had_rows_ = false;
};

}  // namespace thalweg::operators
