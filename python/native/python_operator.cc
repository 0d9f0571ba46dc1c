#include "python_operator.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "fork_guard.h"
#include "python_values.h"
#include "thalweg/common/check.h"
#include "thalweg/common/error.h"
#include "thalweg/types/column_builder.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

/// How long one call into Python should take.
constexpr int64_t kSliceMicros = 10'000;
constexpr int32_t kMaxSliceRows = 8192;
/// Records that are gathered before they leave in the middle of a call.
constexpr size_t kFlushRows = 8192;

constexpr const char* kStateName = "python";

int64_t micros_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                               start)
      .count();
}

stream::StateSpec state_spec() {
  stream::StateSpec spec;
  spec.name = kStateName;
  spec.key = {{"key", DataType::bytes().not_null()}};
  spec.value = {{"state", DataType::opaque(), python_state_kind()}};
  return spec;
}

/// The event times of a batch as BIGINT, or null where there are none.
const Column* times_of(const Batch& batch, const StreamShape& shape) {
  if (!shape.table) {
    return &batch.column(kTimestampColumn);
  }
  if (shape.row_time < 0) {
    return nullptr;
  }
  const Column& times = batch.column(static_cast<size_t>(shape.row_time));
  return times.type().physical() == PhysicalKind::kInt64 ? &times : nullptr;
}

class PythonOperatorFactory final : public stream::OperatorFactory {
 public:
  explicit PythonOperatorFactory(PythonOperatorSpec spec)
      : spec_(std::make_shared<const PythonOperatorSpec>(std::move(spec))) {}

  std::unique_ptr<stream::Operator> create() const override {
    return std::make_unique<PythonOperator>(spec_);
  }

 private:
  std::shared_ptr<const PythonOperatorSpec> spec_;
};

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_python_operator(PythonOperatorSpec spec) {
  return std::make_shared<PythonOperatorFactory>(std::move(spec));
}

PythonOperator::PythonOperator(std::shared_ptr<const PythonOperatorSpec> spec)
    : spec_(std::move(spec)), output_(spec_->output) {}

PythonOperator::~PythonOperator() = default;

Error PythonOperator::failure_of(nb::python_error& error) const {
  const nb::object text = nb::module_::import_("thalweg.datastream.runtime.failures")
                              .attr("describe")(spec_->name, error.value());
  return {ErrorCode::kPythonFunctionFailed, nb::cast<std::string>(text)};
}

template <typename Work>
void PythonOperator::with_python(stream::Output& output, const Work& work) {
  Batch left;
  std::exception_ptr failure;
  {
    const nb::gil_scoped_acquire gil;
    const ForkGuard guard;
    release_given_up();
    target_ = &output;
    try {
      work();
    } catch (nb::python_error& error) {
      failure = failure_ != nullptr ? std::exchange(failure_, nullptr)
                                    : std::make_exception_ptr(failure_of(error));
    } catch (const std::exception&) {
      failure = std::current_exception();
    }
    report_metrics(false);
    left = take_output();
    target_ = nullptr;
  }
  if (left.row_count() > 0) {
    output.emit(std::move(left));
  }
  if (failure != nullptr) {
    std::rethrow_exception(failure);
  }
}

void PythonOperator::open(stream::OperatorContext& context) {
  context_ = &context;
  thread_ = std::make_unique<PythonThread>();
  const bool is_keyed = std::any_of(
      spec_->inputs.begin(), spec_->inputs.end(), [](const auto& one) { return one.is_keyed(); });
  if (is_keyed) {
    table_ = &context.keyed_table(state_spec());
    timers_[static_cast<size_t>(TimerDomain::kEvent)] = &context.event_timers(*table_);
    timers_[static_cast<size_t>(TimerDomain::kProcessing)] = &context.processing_timers(*table_);
  }
  const nb::gil_scoped_acquire gil;
  stream_context_ = std::make_shared<StreamContext>(*this);
  try {
    host_ = spec_->factory->get()();
    process_ = host_.attr("process");
    holds_watermark_ = nb::cast<bool>(nb::getattr(host_, "holds_watermark", nb::bool_(false)));
    host_.attr("open")(stream_context_);
  } catch (nb::python_error& error) {
    if (failure_ != nullptr) {
      std::rethrow_exception(std::exchange(failure_, nullptr));
    }
    throw failure_of(error);
  }
}

Batch PythonOperator::with_tag(const Batch& batch, int32_t tag) {
  const Column& tags = batch.column(kExtraColumn);
  std::vector<int32_t> chosen;
  for (int32_t row = 0; row < batch.row_count(); ++row) {
    if (tags.at<int32_t>(row) == tag) {
      chosen.push_back(row);
    }
  }
  return batch.select(chosen);
}

void PythonOperator::on_batch(Batch batch, int32_t input, stream::Output& output) {
  const int32_t tag = spec_->inputs.at(static_cast<size_t>(input)).tag;
  if (tag >= 0) {
    batch = with_tag(batch, tag);
  }
  if (batch.marks().empty()) {
    run(batch, input, output);
    return;
  }
  stream::for_each_run(
      batch,
      [&](int32_t begin, int32_t end) {
        Batch part = batch.slice(begin, end);
        part.set_marks({});
        run(part, input, output);
      },
      [&](EventTime watermark) { advance(watermark, output); });
}

void PythonOperator::run(const Batch& batch, int32_t input, stream::Output& output) {
  const PythonInput& from = spec_->inputs.at(static_cast<size_t>(input));
  if (from.is_keyed()) {
    find_states(batch.column_ptr(kExtraColumn));
  }
  for (int32_t begin = 0; begin < batch.row_count();) {
    const int32_t end = std::min(batch.row_count(), begin + slice_rows_);
    const auto start = std::chrono::steady_clock::now();
    with_python(output, [&] { call_process(batch, input, begin, end); });
    const int64_t micros = std::max<int64_t>(1, micros_since(start));
    const int64_t fitting = int64_t{end - begin} * kSliceMicros / micros;
    slice_rows_ = static_cast<int32_t>(
        std::clamp<int64_t>(fitting, 1, std::min(kMaxSliceRows, slice_rows_ * 8)));
    begin = end;
  }
  call_ = {};
  if (from.is_keyed()) {
    erase_empty();
  }
}

void PythonOperator::call_process(const Batch& batch, int32_t input, int32_t begin, int32_t end) {
  const PythonInput& from = spec_->inputs.at(static_cast<size_t>(input));
  call_ = {
      static_cast<size_t>(end - begin), times_of(batch, from.shape), begin, kNoTimestamp, &batch};
  nb::object keys = nb::none();
  nb::object states = nb::none();
  if (from.is_keyed()) {
    first_state_ = static_cast<size_t>(begin);
    keys =
        keys_of(&batch.column(kExtraColumn), static_cast<size_t>(begin), static_cast<size_t>(end));
    states = dicts_of(static_cast<size_t>(begin), static_cast<size_t>(end));
  }
  process_(input, records_of(batch, input, begin, end), keys, states);
}

nb::list PythonOperator::records_of(const Batch& batch,
                                    int32_t input,
                                    int32_t begin,
                                    int32_t end) const {
  nb::list records = nb::steal<nb::list>(PyList_New(end - begin));
  const bool is_table = spec_->inputs.at(static_cast<size_t>(input)).shape.table.has_value();
  for (int32_t row = begin; row < end; ++row) {
    PyObject* record = nullptr;
    if (is_table) {
      const size_t columns = batch.columns().size();
      record = PyTuple_New(static_cast<Py_ssize_t>(columns));
      for (size_t i = 0; i < columns; ++i) {
        nb::object value = python_value(batch.column(i), row, {.as_collected = false});
        PyTuple_SET_ITEM(record, static_cast<Py_ssize_t>(i), value.release().ptr());
      }
    } else {
      record = Py_NewRef(static_cast<PyObject*>(batch.column(kRecordColumn).at<void*>(row)));
    }
    PyList_SET_ITEM(records.ptr(), row - begin, record);
  }
  return records;
}

void PythonOperator::find_states(const ColumnPtr& keys) {
  const auto rows = static_cast<size_t>(keys->size());
  slots_.resize(rows);
  records_.resize(rows);
  inserted_.resize(rows);
  const std::array<ColumnPtr, 1> columns{keys};
  table_->find_or_insert({.columns = columns}, slots_, records_, inserted_);
  states_.clear();
  for (size_t row = 0; row < rows; ++row) {
    add_state(slots_[row], records_[row]);
  }
}

void PythonOperator::add_state(stream::SlotId slot, std::byte* record) {
  static_cast<void>(slot);
  std::byte* place = record + table_->layout().offset(0);
  states_.push_back(
      static_cast<PythonState*>(&table_->writable_object(place, *python_state_kind())));
}

nb::list PythonOperator::keys_of(const Column* encoded, size_t begin, size_t end) {
  nb::list keys = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(end - begin)));
  for (size_t row = begin; row < end; ++row) {
    PyObject* key = nullptr;
    if (encoded != nullptr) {
      key = states_[row]->key(encoded->string_at(static_cast<int32_t>(row)));
    } else if (!states_[row]->has_key()) {
      std::vector<ColumnBuilder> builders = make_builders(table_->spec().key);
      table_->append_keys({&slots_[row], 1}, builders);
      const ColumnPtr column = builders[0].finish();
      key = states_[row]->key(column->string_at(0));
    } else {
      key = states_[row]->key({});
    }
    PyList_SET_ITEM(keys.ptr(), static_cast<Py_ssize_t>(row - begin), Py_NewRef(key));
  }
  return keys;
}

nb::list PythonOperator::dicts_of(size_t begin, size_t end) {
  nb::list dicts = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(end - begin)));
  for (size_t row = begin; row < end; ++row) {
    PyList_SET_ITEM(
        dicts.ptr(), static_cast<Py_ssize_t>(row - begin), Py_NewRef(states_[row]->dict()));
  }
  return dicts;
}

void PythonOperator::erase_empty() {
  std::vector<stream::SlotId> empty;
  for (size_t i = 0; i < states_.size(); ++i) {
    if (states_[i]->is_empty()) {
      empty.push_back(slots_[i]);
    }
  }
  states_.clear();
  if (!empty.empty()) {
    std::sort(empty.begin(), empty.end());
    empty.erase(std::unique(empty.begin(), empty.end()), empty.end());
    table_->erase(empty);
  }
}

void PythonOperator::on_watermark(EventTime watermark, stream::Output& output) {
  advance(watermark, output);
}

void PythonOperator::advance(EventTime watermark, stream::Output& output) {
  if (watermark <= watermark_) {
    return;
  }
  watermark_ = watermark;
  if (table_ != nullptr) {
    fire(TimerDomain::kEvent, watermark.ms, output);
  }
  with_python(output, [&] { call_if_present("on_watermark", nb::int_(watermark.ms)); });
  if (!holds_watermark_ || watermark == kMaxEventTime) {
    output.emit_watermark(watermark);
  }
}

void PythonOperator::fire(TimerDomain domain, int64_t until, stream::Output& output) {
  stream::KeyedTimers& timers = *timers_[static_cast<size_t>(domain)];
  if (timers.next_time() > until) {
    return;
  }
  with_python(output, [&] {
    while (timers.pop_due(until, due_)) {
      call_timers(domain);
      erase_empty();
    }
  });
}

void PythonOperator::call_timers(TimerDomain domain) {
  const bool is_processing = domain == TimerDomain::kProcessing;
  const int64_t time = due_.front().time_ms;
  slots_.clear();
  states_.clear();
  for (const stream::Timer& timer : due_) {
    slots_.push_back(timer.slot);
    add_state(timer.slot, table_->writable(timer.slot));
    PythonState::Times& times = states_.back()->times(is_processing);
    times.erase(std::remove(times.begin(), times.end(), time), times.end());
  }
  first_state_ = 0;
  call_ = {slots_.size(), nullptr, 0, is_processing ? kNoTimestamp : time, nullptr};
  host_.attr("on_timers")(is_processing ? "processing" : "event",
                          time,
                          keys_of(nullptr, 0, slots_.size()),
                          dicts_of(0, slots_.size()));
}

void PythonOperator::call_if_present(const char* method, const nb::object& argument) {
  const nb::object found = nb::getattr(host_, method, nb::none());
  if (!found.is_none()) {
    call_ = {};
    found(argument);
  }
}

void PythonOperator::on_processing_time(ProcessingTime now, stream::Output& output) {
  if (table_ != nullptr) {
    fire(TimerDomain::kProcessing, now.ms, output);
  }
  if (now.ms >= wake_at_) {
    wake_at_ = INT64_MAX;
    with_python(output, [&] { call_if_present("on_wake", nb::int_(now.ms)); });
  }
}

void PythonOperator::on_input_end(int32_t input, stream::Output& output) {
  with_python(output, [&] {
    call_if_present("on_end", nb::int_(input));
    report_metrics(true);
  });
}

void PythonOperator::on_split(const std::string& split, bool ended) {
  const nb::gil_scoped_acquire gil;
  const nb::object hook = nb::getattr(host_, "on_split", nb::none());
  if (hook.is_none()) {
    return;
  }
  try {
    hook(split, ended);
  } catch (nb::python_error& error) {
    throw failure_of(error);
  }
}

void PythonOperator::before_snapshot(stream::Output& output) {
  with_python(output, [&] {
    const nb::object hook = nb::getattr(host_, "snapshot", nb::none());
    if (!hook.is_none()) {
      hook();
    }
    for (auto& [name, state] : operator_states_) {
      const nb::object bytes =
          nb::module_::import_("thalweg.datastream.runtime.pickling").attr("dumps")(state.dict);
      state.list->update({std::string(PyBytes_AS_STRING(bytes.ptr()),
                                      static_cast<size_t>(PyBytes_GET_SIZE(bytes.ptr())))});
    }
  });
}

void PythonOperator::close() {
  if (thread_ == nullptr) {
    return;
  }
  std::exception_ptr failure;
  {
    const nb::gil_scoped_acquire gil;
    try {
      if (host_.is_valid() && nb::hasattr(host_, "close")) {
        host_.attr("close")();
      }
    } catch (nb::python_error& error) {
      failure = std::make_exception_ptr(failure_of(error));
    }
    if (stream_context_ != nullptr) {
      stream_context_->close();
    }
    report_metrics(true);
    metrics_.reset();
    process_.reset();
    host_.reset();
    operator_states_.clear();
    release_given_up();
  }
  thread_.reset();
  if (failure != nullptr) {
    std::rethrow_exception(failure);
  }
}

Batch PythonOperator::take_output() {
  Batch batch = output_.take();
  if (batch.row_count() > 0 && call_.batch != nullptr) {
    batch.set_origin({call_.batch->origin().split});
  }
  return batch;
}

void PythonOperator::flush() {
  Batch batch = take_output();
  if (batch.row_count() == 0) {
    return;
  }
  const nb::gil_scoped_release release;
  try {
    target_->emit(std::move(batch));
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
}

template <typename TimeOf>
void PythonOperator::append(nb::handle records, const TimeOf& time_of, nb::handle extra) {
  check(target_ != nullptr, "a host emits outside of a call");
  try {
    output_.append(records, time_of, extra);
  } catch (const Error&) {
    failure_ = std::current_exception();
    throw;
  }
  if (output_.size() >= kFlushRows) {
    flush();
  }
}

void PythonOperator::emit(nb::handle records, nb::handle rows, nb::handle extra) {
  if (rows.is_none()) {
    append(records, [this](size_t i) { return call_.time_of(i); }, extra);
  } else {
    append(records, [&](size_t i) { return call_.time_of(nb::cast<size_t>(rows[i])); }, extra);
  }
}

void PythonOperator::emit_at(nb::handle records, nb::handle timestamps, nb::handle extra) {
  const auto time_from = [](nb::handle time) {
    return time.is_none() ? kNoTimestamp : nb::cast<int64_t>(time);
  };
  if (PyList_Check(timestamps.ptr())) {
    append(records, [&](size_t i) { return time_from(timestamps[i]); }, extra);
  } else {
    const int64_t time = time_from(timestamps);
    append(records, [time](size_t) { return time; }, extra);
  }
}

nb::list PythonOperator::timestamps() const {
  nb::list times;
  for (size_t i = 0; i < call_.rows; ++i) {
    const int64_t time = call_.time_of(i);
    if (time == kNoTimestamp) {
      times.append(nb::none());
    } else {
      times.append(time);
    }
  }
  return times;
}

nb::object PythonOperator::kinds() const {
  if (call_.batch == nullptr || call_.batch->is_insert_only()) {
    return nb::none();
  }
  nb::list kinds;
  for (size_t i = 0; i < call_.rows; ++i) {
    kinds.append(static_cast<int>(call_.batch->kind(call_.first + static_cast<int32_t>(i))));
  }
  return kinds;
}

nb::object PythonOperator::split() const {
  if (call_.batch == nullptr || call_.batch->origin().split == nullptr) {
    return nb::none();
  }
  return nb::str(call_.batch->origin().split->c_str());
}

nb::object PythonOperator::metric_group() {
  if (!metrics_.is_valid()) {
    metrics_ = nb::module_::import_("thalweg.metrics.local").attr("LocalMetricGroup")();
  }
  return metrics_;
}

void PythonOperator::report_metrics(bool now) {
  if (!metrics_.is_valid()) {
    return;
  }
  const auto time = std::chrono::steady_clock::now();
  if (!now && time - reported_ < std::chrono::seconds(1)) {
    return;
  }
  reported_ = time;
  try {
    for (const auto& [name, value] : nb::cast<nb::dict>(metrics_.attr("snapshot")())) {
      context_->gauge(nb::cast<std::string>(name)).set(nb::cast<int64_t>(nb::int_(value)));
    }
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("reading a metric");
  }
}

bool PythonOperator::change_timer(TimerDomain domain, size_t row, int64_t time, bool adds) {
  check(row < call_.rows && first_state_ + row < states_.size(), "a timer of a row without a key");
  PythonState::Times& times =
      states_[first_state_ + row]->times(domain == TimerDomain::kProcessing);
  stream::KeyedTimers& timers = *timers_[static_cast<size_t>(domain)];
  const stream::SlotId slot = slots_[first_state_ + row];
  const auto found = std::find(times.begin(), times.end(), time);
  if (adds == (found != times.end())) {
    return false;
  }
  if (adds) {
    times.push_back(time);
    timers.add(time, slot);
  } else {
    times.erase(found);
    timers.remove(time, slot);
  }
  return true;
}

nb::dict PythonOperator::operator_state(const std::string& name) {
  for (const auto& [known, state] : operator_states_) {
    if (known == name) {
      return state.dict;
    }
  }
  OperatorStateDict state{&context_->list_state(name, stream::ListMode::kUnion), nb::dict()};
  const nb::object loads =
      nb::module_::import_("thalweg.datastream.runtime.pickling").attr("loads");
  for (const std::string& item : state.list->restored()) {
    state.dict.update(nb::cast<nb::dict>(loads(nb::bytes(item.data(), item.size()))));
  }
  operator_states_.emplace_back(name, state);
  return state.dict;
}

void PythonOperator::emit_watermark(int64_t watermark) {
  check(target_ != nullptr, "a host emits outside of a call");
  flush();
  const nb::gil_scoped_release release;
  target_->emit_watermark({watermark});
}

void PythonOperator::emit_idle(bool idle) {
  check(target_ != nullptr, "a host emits outside of a call");
  flush();
  const nb::gil_scoped_release release;
  target_->emit_idle(idle);
}

void PythonOperator::wake_at(int64_t ms) {
  wake_at_ = std::min(wake_at_, ms);
  context_->wake_at({ms});
}

}  // namespace thalweg::binding
