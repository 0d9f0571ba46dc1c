#include "operator_harness.h"

#include <filesystem>

#include <unistd.h>

#include "thalweg/expression/function_registry.h"
#include "thalweg/functions/register_all.h"
#include "thalweg/state/keyed_table_impl.h"
#include "thalweg/state/operator_snapshot.h"
#include "thalweg/state/restored_state.h"
#include "thalweg/state/table_snapshot.h"
#include "thalweg/types/column_builder.h"
#include "thalweg/types/text.h"

namespace thalweg::operators {

class OperatorHarness::Context final : public stream::OperatorContext {
 public:
  explicit Context(int64_t state_limit,
                   ProcessingTime now = {},
                   std::shared_ptr<const state::RestoredState> restored = nullptr)
      : budget_("test", state_limit), state_(state_context(budget_), std::move(restored)) {
    set_time(now);
  }

  const std::string& operator_name() const override { return name_; }

  int32_t subtask() const override { return 0; }

  int32_t parallelism() const override { return 1; }

  ProcessingTime now() const override { return now_; }

  EventTime current_watermark() const override { return kMinEventTime; }

  stream::KeyedTable& keyed_table(const stream::StateSpec& spec) override {
    return state_.keyed_table(spec);
  }

  stream::KeyedTimers& event_timers(stream::KeyedTable& table) override {
    return state_.timers(table, state::TimerKind::kEventTime);
  }

  stream::KeyedTimers& processing_timers(stream::KeyedTable& table) override {
    return state_.timers(table, state::TimerKind::kProcessingTime);
  }

  stream::OperatorListState& list_state(const std::string& name, stream::ListMode mode) override {
    return state_.list_state(name, mode);
  }

  void wake_at(ProcessingTime at) override { alarm_ = std::min(alarm_, at); }

  stream::Counter& counter(const std::string& name) override { return counters_[name]; }

  stream::Gauge& gauge(const std::string& name) override { return gauges_[name]; }

  MemoryBudget& state_budget() override { return budget_; }

  /// The state as a checkpoint has it.
  std::shared_ptr<const state::RestoredState> write_state() {
    const std::string path =
        std::filesystem::temp_directory_path() / fmt::format("thalweg-operator-{}", ::getpid());
    state::StateFileWriter writer(path);
    writer.set_operator(kOperator);
    state_.begin_snapshot()->write(writer);
    writer.finish();
    auto file = std::make_shared<const state::StateFile>(path);
    std::filesystem::remove(path);
    return std::make_shared<const state::RestoredState>(kOperator, std::vector{std::move(file)});
  }

  void finish_restore() { state_.finish_restore(false); }

  /// True when the operator asked to be woken by now, or has a timer; it is then woken once.
  bool take_alarm() {
    if (alarm_ > now_ && state_.next_processing_time() > now_.ms) {
      return false;
    }
    alarm_ = kMaxProcessingTime;
    return true;
  }

  void set_time(ProcessingTime now) {
    now_ = now;
    state_.set_time(now);
  }

  int64_t state_size(size_t table) { return state_.tables()[table]->size(); }

 private:
  static state::StateContext state_context(MemoryBudget& budget) {
    state::StateContext context;
    context.operator_name = "test";
    context.budget = &budget;
    return context;
  }

  static constexpr OperatorId kOperator{7};

  std::string name_ = "test";
  MemoryBudget budget_;
  state::OperatorState state_;
  ProcessingTime now_;
  ProcessingTime alarm_ = kMaxProcessingTime;
  std::map<std::string, stream::Counter> counters_;
  std::map<std::string, stream::Gauge> gauges_;
};

class OperatorHarness::Collector final : public stream::Output {
 public:
  void emit(Batch batch) override {
    stream::for_each_run(
        batch,
        [&](int32_t begin, int32_t end) {
          for (int32_t row = begin; row < end; ++row) {
            show_row(batch, row);
          }
        },
        [&](EventTime watermark) { emit_watermark(watermark); });
  }

  void emit_watermark(EventTime watermark) override {
    text += watermark == kMaxEventTime ? "WM max\n" : fmt::format("WM {}\n", watermark.ms);
  }

  void emit_idle(bool idle) override { text += idle ? "idle\n" : "active\n"; }

  std::string text;

 private:
  void show_row(const Batch& batch, int32_t row) {
    text += fmt::format("{}(", short_name(batch.kind(row)));
    for (size_t i = 0; i < batch.columns().size(); ++i) {
      text += i == 0 ? "" : ", ";
      const Column& column = batch.column(i);
      if (column.type().is_timestamp() && !column.is_null(row)) {
        text += fmt::format("{}", column.at<int64_t>(row));
      } else {
        text::append_value(text, column, row, text::Style::kCast, TimeZone::utc());
      }
    }
    text += ")\n";
  }
};

OperatorHarness::OperatorHarness(const std::shared_ptr<const stream::OperatorFactory>& factory,
                                 Schema input,
                                 int64_t state_bytes)
    : factory_(factory),
      input_(std::move(input)),
      state_limit_(state_bytes),
      context_(std::make_unique<Context>(state_bytes)),
      collector_(std::make_unique<Collector>()),
      operator_(factory->create()) {
  operator_->open(*context_);
}

OperatorHarness::~OperatorHarness() {
  operator_->close();
}

Batch OperatorHarness::make_batch(const std::vector<Row>& rows) const {
  std::vector<ColumnBuilder> builders = make_builders(input_);
  std::vector<RowKind> kinds;
  for (const Row& row : rows) {
    for (size_t i = 0; i < builders.size(); ++i) {
      builders[i].append_value(row.values[i]);
    }
    kinds.push_back(row.kind);
  }
  Batch batch = finish_batch(builders);
  batch.set_kinds(std::move(kinds));
  return batch;
}

void OperatorHarness::feed(const std::vector<Row>& rows, std::vector<Mark> marks) {
  Batch batch = make_batch(rows);
  batch.set_marks(std::move(marks));
  feed_batch(std::move(batch));
}

void OperatorHarness::feed_batch(Batch batch) {
  operator_->on_batch(std::move(batch), 0, *collector_);
}

void OperatorHarness::watermark(int64_t ms) {
  operator_->on_watermark({ms}, *collector_);
}

void OperatorHarness::split(const std::string& name, bool ended) {
  operator_->on_split(name, ended);
}

void OperatorHarness::set_time(int64_t ms) {
  context_->set_time({ms});
  if (context_->take_alarm()) {
    operator_->on_processing_time({ms}, *collector_);
  }
}

void OperatorHarness::end() {
  operator_->on_input_end(0, *collector_);
}

void OperatorHarness::before_snapshot() {
  operator_->before_snapshot(*collector_);
}

void OperatorHarness::restart() {
  before_snapshot();
  const auto written = context_->write_state();
  operator_->close();
  context_ = std::make_unique<Context>(state_limit_, context_->now(), written);
  operator_ = factory_->create();
  operator_->open(*context_);
  context_->finish_restore();
}

std::string OperatorHarness::take() {
  return std::exchange(collector_->text, {});
}

int64_t OperatorHarness::counter(const std::string& name) {
  return context_->counter(name).value();
}

int64_t OperatorHarness::state_bytes() const {
  return context_->state_budget().used_bytes();
}

int64_t OperatorHarness::state_size(size_t table) {
  return context_->state_size(table);
}

expression::AggregateCall call(const std::string& function,
                               std::vector<DataType> types,
                               std::vector<int32_t> arguments) {
  std::vector<expression::BoundArgument> bound;
  for (const DataType& type : types) {
    bound.push_back({type});
  }
  return call_bound(function, bound, std::move(arguments));
}

expression::AggregateCall call_bound(const std::string& function,
                                     const std::vector<expression::BoundArgument>& bound,
                                     std::vector<int32_t> arguments) {
  static const auto registry = [] {
    auto made = std::make_unique<expression::FunctionRegistry>();
    functions::register_all(*made);
    return made;
  }();
  expression::AggregateCall result;
  result.function = registry->find_aggregate(function);
  result.signature = std::get<expression::Signature>(result.function->bind(bound));
  for (const int32_t argument : arguments) {
    result.arguments.push_back({argument});
  }
  result.name = function;
  return result;
}

}  // namespace thalweg::operators
