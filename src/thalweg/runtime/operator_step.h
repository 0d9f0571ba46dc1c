#pragma once

#include <memory>
#include <string>

#include "thalweg/runtime/step.h"
#include "thalweg/runtime/task_services.h"
#include "thalweg/stream/operator.h"

namespace thalweg::runtime {

/// Runs one operator of a chain: is its context, keeps its watermark, alarms and state. Owned by
/// the chain, task thread only.
class OperatorStep final : public Step, public stream::OperatorContext {
 public:
  struct Place {
    int32_t subtask = 0;
    int32_t parallelism = 1;
    int32_t inputs = 1;
  };

  OperatorStep(const ChainedOperator& description,
               Place place,
               const TaskServices& services,
               const Inbox& inbox,
               MemoryBudget& task_budget,
               OperatorProbe& probe,
               Step& next,
               std::shared_ptr<const state::RestoredState> restored);

  void open();
  void close();
  /// The earliest moment at which `run_due` has something to do.
  ProcessingTime next_alarm() const;
  void run_due(ProcessingTime now);
  void before_snapshot();
  std::unique_ptr<state::OperatorSnapshot> begin_snapshot();

  OperatorId id() const { return id_; }

  const state::OperatorState& state() const { return state_; }

  // Step
  void on_batch(Batch batch, int32_t input) override;
  void on_watermark(EventTime watermark) override;
  void on_idle(bool idle) override;
  void on_input_end(int32_t input) override;
  void on_split(const std::string& split, bool ended) override;

  // OperatorContext
  const std::string& operator_name() const override { return name_; }

  int32_t subtask() const override { return place_.subtask; }

  int32_t parallelism() const override { return place_.parallelism; }

  ProcessingTime now() const override;

  EventTime current_watermark() const override { return watermark_; }

  stream::KeyedTable& keyed_table(const stream::StateSpec& spec) override;
  stream::KeyedTimers& event_timers(stream::KeyedTable& table) override;
  stream::KeyedTimers& processing_timers(stream::KeyedTable& table) override;
  stream::OperatorListState& list_state(const std::string& name, stream::ListMode mode) override;
  void wake_at(ProcessingTime at) override;
  stream::Counter& counter(const std::string& name) override;
  stream::Gauge& gauge(const std::string& name) override;

  MemoryBudget& state_budget() override { return budget_; }

 private:
  void enter();
  void check_opening() const;

  OperatorId id_;
  std::string name_;
  Place place_;
  const TaskServices& services_;
  OperatorProbe& probe_;
  MemoryBudget budget_;
  state::OperatorState state_;
  std::unique_ptr<stream::Operator> operator_;
  stream::Counter& rows_in_;
  stream::Gauge& watermark_gauge_;
  StepOutput output_;
  EventTime watermark_ = kMinEventTime;
  ProcessingTime alarm_ = kMaxProcessingTime;
  int32_t open_inputs_;
  bool opening_ = false;
};

}  // namespace thalweg::runtime
