#include "thalweg/runtime/operator_step.h"

#include <thread>

#include "thalweg/common/check.h"

namespace thalweg::runtime {

namespace {

state::StateContext state_context(const ChainedOperator& description,
                                  const OperatorStep::Place& place,
                                  const TaskServices& services,
                                  MemoryBudget& budget) {
  state::StateContext context;
  context.operator_name = description.name;
  context.budget = &budget;
  context.key_groups = key_groups_of(place.subtask, place.parallelism);
  context.subtask = place.subtask;
  context.parallelism = place.parallelism;
  context.opaque = services.options.opaque_operations;
  context.pause = [&scheduler = services.scheduler] {
    scheduler.pause_point();
    std::this_thread::yield();
  };
  return context;
}

}  // namespace

OperatorStep::OperatorStep(const ChainedOperator& description,
                           Place place,
                           const TaskServices& services,
                           const Inbox& inbox,
                           MemoryBudget& task_budget,
                           OperatorProbe& probe,
                           Step& next,
                           std::shared_ptr<const state::RestoredState> restored)
    : id_(description.id),
      name_(description.name),
      place_(place),
      services_(services),
      probe_(probe),
      budget_("state of " + description.name, MemoryBudget::kUnlimited, &task_budget),
      state_(state_context(description, place, services, budget_), std::move(restored)),
      operator_(description.factory->create()),
      rows_in_(probe.metrics.counter(stream::metric::kRowsIn)),
      watermark_gauge_(probe.metrics.gauge(stream::metric::kCurrentWatermark)),
      output_(inbox, next, probe.metrics.counter(stream::metric::kRowsOut), probe.tap),
      open_inputs_(place.inputs) {
  watermark_gauge_.set(kMinEventTime.ms);
}

void OperatorStep::open() {
  state_.set_time(now());
  opening_ = true;
  operator_->open(*this);
  opening_ = false;
  state_.finish_restore(services_.options.allow_non_restored_state);
}

void OperatorStep::close() {
  operator_->close();
}

void OperatorStep::enter() {
  if (state_.uses_time()) {
    state_.set_time(now());
  }
}

void OperatorStep::on_batch(Batch batch, int32_t input) {
  enter();
  rows_in_.add(batch.row_count());
  const EventTime reached =
      batch.marks().empty() ? watermark_ : std::max(watermark_, batch.marks().back().watermark);
  operator_->on_batch(std::move(batch), input, output_);
  if (reached != watermark_) {
    watermark_ = reached;
    watermark_gauge_.set(reached.ms);
  }
}

void OperatorStep::on_watermark(EventTime watermark) {
  if (watermark <= watermark_) {
    return;
  }
  enter();
  watermark_ = watermark;
  watermark_gauge_.set(watermark.ms);
  operator_->on_watermark(watermark, output_);
}

void OperatorStep::on_idle(bool idle) {
  output_.emit_idle(idle);
}

void OperatorStep::on_input_end(int32_t input) {
  enter();
  operator_->on_input_end(input, output_);
  if (--open_inputs_ == 0) {
    output_.emit_end();
  }
}

void OperatorStep::on_split(const std::string& split, bool ended) {
  operator_->on_split(split, ended);
  output_.emit_split(split, ended);
}

ProcessingTime OperatorStep::next_alarm() const {
  return std::min(alarm_, ProcessingTime{state_.next_processing_time()});
}

void OperatorStep::run_due(ProcessingTime now) {
  if (now < next_alarm()) {
    return;
  }
  enter();
  if (now >= alarm_) {
    alarm_ = kMaxProcessingTime;
  }
  operator_->on_processing_time(now, output_);
}

void OperatorStep::before_snapshot() {
  enter();
  operator_->before_snapshot(output_);
}

std::unique_ptr<state::OperatorSnapshot> OperatorStep::begin_snapshot() {
  return state_.begin_snapshot();
}

ProcessingTime OperatorStep::now() const {
  return services_.scheduler.now();
}

void OperatorStep::check_opening() const {
  check(opening_, "state is declared outside open");
}

stream::KeyedTable& OperatorStep::keyed_table(const stream::StateSpec& spec) {
  check_opening();
  return state_.keyed_table(spec);
}

stream::KeyedTimers& OperatorStep::event_timers(stream::KeyedTable& table) {
  check_opening();
  return state_.timers(table, state::TimerKind::kEventTime);
}

stream::KeyedTimers& OperatorStep::processing_timers(stream::KeyedTable& table) {
  check_opening();
  return state_.timers(table, state::TimerKind::kProcessingTime);
}

stream::OperatorListState& OperatorStep::list_state(const std::string& name,
                                                    stream::ListMode mode) {
  check_opening();
  return state_.list_state(name, mode);
}

void OperatorStep::wake_at(ProcessingTime at) {
  alarm_ = std::min(alarm_, at);
}

stream::Counter& OperatorStep::counter(const std::string& name) {
  return probe_.metrics.counter(name);
}

stream::Gauge& OperatorStep::gauge(const std::string& name) {
  return probe_.metrics.gauge(name);
}

}  // namespace thalweg::runtime
