#pragma once

#include <vector>

#include "thalweg/operators/aggregate/group_state.h"
#include "thalweg/operators/aggregate/result_changes.h"

namespace thalweg::operators {

/// GROUP BY with mini-batch (Flink's MiniBatchGroupAggFunction): rows go into the state at once,
/// but each group's change is sent once a bundle. A bundle ends after its size or latency, before a
/// snapshot and at the end; watermarks wait for it. One per subtask, task thread.
class BundleGroupAggregate final : public stream::Operator {
 public:
  explicit BundleGroupAggregate(const GroupAggregateSpec& spec);

  void open(stream::OperatorContext& context) override;
  void on_batch(Batch batch, int32_t input, stream::Output& output) override;
  void on_watermark(EventTime watermark, stream::Output& output) override;
  void on_processing_time(ProcessingTime now, stream::Output& output) override;
  void on_input_end(int32_t input, stream::Output& output) override;
  void before_snapshot(stream::Output& output) override;

 private:
  /// Rows of one bundle.
  void add_rows(const Batch& batch);
  void choose_rows(const Batch& batch);
  void touch_new_group(std::byte* record, stream::SlotId slot);
  /// Keeps the present results of groups that this bundle has not touched before.
  void touch_groups();
  void start_bundle();
  void finish_bundle(stream::Output& output);
  /// The changes of touched groups [begin, end); `before` holds the results of all of them.
  void send_changes(std::span<const ColumnPtr> before,
                    size_t begin,
                    size_t end,
                    stream::Output& output);
  void reset_groups();

  GroupAggregateSpec spec_;
  GroupState state_;
  ResultChanges changes_;
  stream::OperatorContext* context_ = nullptr;
  std::vector<int32_t> chosen_rows_;
  std::vector<std::byte*> chosen_records_;
  /// The groups of the bundle in the order of their first row; whether they are new; and their
  /// results before it.
  std::vector<stream::SlotId> touched_;
  std::vector<uint8_t> is_new_;
  std::vector<ColumnBuilder> before_;
  int64_t bundle_rows_ = 0;
  ProcessingTime deadline_ = kMaxProcessingTime;
  EventTime held_watermark_ = kMinEventTime;
  bool had_rows_ = false;
};

}  // namespace thalweg::operators
