#pragma once

#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "function_call.h"
#include "python_objects.h"
#include "python_output.h"
#include "python_state.h"
#include "stream_shape.h"
#include "thalweg/stream/operator.h"

namespace thalweg::binding {

/// One input of a Python operator.
struct PythonInput {
  StreamShape shape;
  /// The side output that it reads, 0 for the main one; -1 where there are none.
  int32_t tag = -1;

  bool is_keyed() const { return !shape.table && shape.extra == StreamExtra::kKey; }
};

struct PythonOperatorSpec {
  std::string name;
  /// Makes the host of one subtask: an object as `thalweg.datastream.runtime.host` describes it.
  std::shared_ptr<const SharedObject> factory;
  std::vector<PythonInput> inputs;
  StreamShape output;
  bool is_batch = false;
  /// The session's settings, for functions that ask for them.
  std::map<std::string, std::string> config;
};

enum class TimerDomain : uint8_t { kEvent, kProcessing };

class StreamContext;

/// Runs a Python host: batches go in as lists, what it emits comes out as batches. Keyed state is
/// one table with a Python dict for each key. Task thread only; takes the GIL a slice of rows at a
/// time and gives it up to emit.
class PythonOperator final : public stream::Operator {
 public:
  explicit PythonOperator(std::shared_ptr<const PythonOperatorSpec> spec);
  ~PythonOperator() override;

  // stream::Operator
  void open(stream::OperatorContext& context) override;
  void on_batch(Batch batch, int32_t input, stream::Output& output) override;
  void on_watermark(EventTime watermark, stream::Output& output) override;
  void on_processing_time(ProcessingTime now, stream::Output& output) override;
  void on_input_end(int32_t input, stream::Output& output) override;
  void on_split(const std::string& split, bool ended) override;
  void before_snapshot(stream::Output& output) override;
  void close() override;

  // For the host, through its context; with the GIL.
  void emit(nanobind::handle records, nanobind::handle rows, nanobind::handle extra);
  void emit_at(nanobind::handle records, nanobind::handle timestamps, nanobind::handle extra);
  nanobind::list timestamps() const;
  nanobind::object kinds() const;
  nanobind::object split() const;
  /// Whether there was something to change.
  bool change_timer(TimerDomain domain, size_t row, int64_t time, bool adds);
  nanobind::dict operator_state(const std::string& name);
  /// Where the host's functions put their metrics; made when asked for.
  nanobind::object metric_group();
  void emit_watermark(int64_t watermark);
  void emit_idle(bool idle);
  void wake_at(int64_t ms);

  int64_t current_watermark() const { return watermark_.ms; }

  stream::OperatorContext& context() { return *context_; }

  const PythonOperatorSpec& spec() const { return *spec_; }

 private:
  /// The rows that the host is being called with.
  struct Call {
    size_t rows = 0;
    /// Times of the rows from `first` on, or null: then `time` is that of all.
    const Column* times = nullptr;
    int32_t first = 0;
    int64_t time = kNoTimestamp;
    const Batch* batch = nullptr;

    int64_t time_of(size_t row) const {
      const int32_t place = first + static_cast<int32_t>(row);
      return times == nullptr || times->is_null(place) ? time : times->at<int64_t>(place);
    }
  };

  struct OperatorStateDict {
    stream::OperatorListState* list = nullptr;
    nanobind::dict dict;
  };

  static Batch with_tag(const Batch& batch, int32_t tag);
  template <typename Work>
  void with_python(stream::Output& output, const Work& work);
  void run(const Batch& batch, int32_t input, stream::Output& output);
  void call_process(const Batch& batch, int32_t input, int32_t begin, int32_t end);
  nanobind::list records_of(const Batch& batch, int32_t input, int32_t begin, int32_t end) const;
  void find_states(const ColumnPtr& keys);
  void add_state(stream::SlotId slot, std::byte* record);
  nanobind::list keys_of(const Column* encoded, size_t begin, size_t end);
  nanobind::list dicts_of(size_t begin, size_t end);
  void erase_empty();
  void advance(EventTime watermark, stream::Output& output);
  void fire(TimerDomain domain, int64_t until, stream::Output& output);
  void call_timers(TimerDomain domain);
  void call_if_present(const char* method, const nanobind::object& argument);
  template <typename TimeOf>
  void append(nanobind::handle records, const TimeOf& time_of, nanobind::handle extra);
  /// Shows the engine what the metric group holds; at most once a second unless `now`.
  void report_metrics(bool now);
  void flush();
  Batch take_output();
  Error failure_of(nanobind::python_error& error) const;

  std::shared_ptr<const PythonOperatorSpec> spec_;
  stream::OperatorContext* context_ = nullptr;
  std::unique_ptr<PythonThread> thread_;
  std::shared_ptr<StreamContext> stream_context_;
  nanobind::object host_;
  nanobind::object process_;
  nanobind::object metrics_;
  std::chrono::steady_clock::time_point reported_;
  bool holds_watermark_ = false;
  stream::KeyedTable* table_ = nullptr;
  stream::KeyedTimers* timers_[2] = {nullptr, nullptr};
  std::vector<std::pair<std::string, OperatorStateDict>> operator_states_;
  PythonOutput output_;
  stream::Output* target_ = nullptr;
  /// What was thrown below the host's own frames.
  std::exception_ptr failure_;
  EventTime watermark_ = kMinEventTime;
  int64_t wake_at_ = INT64_MAX;
  Call call_;
  /// By row of the present batch, or of the present timers.
  std::vector<stream::SlotId> slots_;
  std::vector<PythonState*> states_;
  /// Where the present call begins in them.
  size_t first_state_ = 0;
  std::vector<std::byte*> records_;
  std::vector<uint8_t> inserted_;
  std::vector<stream::Timer> due_;
  int32_t slice_rows_ = 1;
};

std::shared_ptr<const stream::OperatorFactory> make_python_operator(PythonOperatorSpec spec);

/// What a host holds of its operator; its methods fail once the operator has closed.
class StreamContext {
 public:
  explicit StreamContext(PythonOperator& operator_of_host) : operator_(&operator_of_host) {}

  void close() { operator_ = nullptr; }

  PythonOperator& get() const;

 private:
  PythonOperator* operator_;
};

void bind_stream_context(nanobind::module_& module);

}  // namespace thalweg::binding
