#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python_accumulator.h"
#include "python_function.h"
#include "value_writer.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

constexpr size_t kChunk = 512;

using expression::Accumulators;
using expression::AggregateInput;

/// The methods of an opened aggregate function, bound to its object.
struct AggregateMethods {
  nb::object create_accumulator;
  nb::object accumulate;
  nb::object retract;
  nb::object merge;
  nb::object get_value;
};

/// A user's aggregate function: one Python object an accumulator, which lies in the state as it is.
/// Opened when the first rows come.
class PythonAggregateKernel final : public expression::AggregateKernel {
 public:
  PythonAggregateKernel(FunctionHandle function,
                        const expression::Signature& signature,
                        bool needs_retract,
                        std::shared_ptr<const FunctionConfig> config)
      : call_(std::move(function), signature.arguments, std::move(config)),
        result_type_(signature.result),
        needs_retract_(needs_retract) {}

  ~PythonAggregateKernel() override {
    if (Py_IsInitialized() != 0) {
      const nb::gil_scoped_acquire gil;
      methods_.reset();
      writer_.reset();
    }
  }

  std::vector<stream::StateField> accumulator() const override {
    return {{"accumulator", DataType::bytes(), PythonAccumulator::kind()}};
  }

  /// A function over Series sees whole columns: those of a frame are made anew, never those between
  /// two frames, which may be empty.
  bool supports_retract() const override { return needs_retract_ && !call_.function().vectorized; }

  void accumulate(const AggregateInput& input, const Accumulators& accumulators) const override {
    const PythonScope python;
    open();
    const bool keeps_columns = call_.function().vectorized;
    call_.guarded([&] { add_rows(methods_->accumulate, keeps_columns, input, accumulators); });
  }

  void retract(const AggregateInput& input, const Accumulators& accumulators) const override {
    const PythonScope python;
    open();
    call_.guarded([&] { add_rows(methods_->retract, false, input, accumulators); });
  }

  void merge(const Accumulators& into, const Accumulators& from) const override {
    const PythonScope python;
    open();
    call_.guarded([&] { merge_all(into, from); });
  }

  void append_results(const Accumulators& accumulators, ColumnBuilder& results) const override {
    const PythonScope python;
    open();
    call_.guarded([&] { append_values(accumulators, results); });
  }

  /// Before its first row an accumulator has shown nothing, and many functions have no value for
  /// it: they divide by a count, or take the last of no rows.
  void update_rows(const AggregateInput& input,
                   std::span<const RowKind> kinds,
                   std::span<const uint8_t> counts,
                   const Accumulators& accumulators,
                   ColumnBuilder& before,
                   ColumnBuilder& after) const override {
    const PythonScope python;
    open();
    for (size_t i = 0; i < input.rows.size(); ++i) {
      const Accumulators one{
          accumulators.records.subspan(i, 1), accumulators.offsets, accumulators.memory};
      const PythonAccumulator* accumulator = found(one, 0);
      if (accumulator == nullptr || accumulator->object() == nullptr) {
        before.append_null();
        // Also by a row that does not count: the value after it is shown.
        call_.guarded([&] { writable(one, 0); });
      } else {
        append_results(one, before);
      }
      if (counts.empty() || counts[i] != 0) {
        const AggregateInput row{input.arguments, input.rows.subspan(i, 1)};
        if (kinds.empty() || is_accumulate(kinds[i])) {
          accumulate(row, one);
        } else {
          retract(row, one);
        }
      }
      append_results(one, after);
    }
  }

 private:
  void open() const {
    if (methods_ != nullptr) {
      return;
    }
    call_.open(0, call_.session_zone());
    writer_ = std::make_unique<ValueWriter>(result_type_);
    call_.guarded([&] {
      const nb::handle opened = call_.opened();
      if (call_.function().vectorized) {
        std::vector<std::string> types;
        for (const DataType& type : call_.argument_types()) {
          types.push_back(type.with_time_attribute(TimeAttribute::kNone).to_string());
        }
        const auto& names = call_.function().row_names;
        opened.attr("bind_arguments")(types, names ? nb::cast(*names) : nb::none());
      }
      methods_ = std::make_unique<AggregateMethods>(
          AggregateMethods{opened.attr("function").attr("create_accumulator"),
                           opened.attr("function").attr("accumulate"),
                           opened.attr("function").attr("retract"),
                           opened.attr("function").attr("merge"),
                           opened.attr("function").attr("get_value")});
    });
  }

  /// `arguments[-1]` must be there for the callee to use.
  nb::object call(const nb::object& method, PyObject** arguments, size_t count) const {
    nb::object result = nb::steal(PyObject_Vectorcall(
        method.ptr(), arguments, count | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
    if (!result.is_valid()) {
      throw call_.take_error(arguments, count);
    }
    return result;
  }

  nb::object create() const {
    PyObject* arguments[] = {nullptr};
    return call(methods_->create_accumulator, arguments + 1, 0);
  }

  PythonAccumulator& writable(const Accumulators& accumulators, size_t index) const {
    stream::StateObject& object = accumulators.memory.writable_object(
        accumulators.records[index] + accumulators.offsets[0], *PythonAccumulator::kind());
    auto& accumulator = static_cast<PythonAccumulator&>(object);
    if (accumulator.object() == nullptr) {
      accumulator.set(create().release().ptr());
      accumulators.memory.object_resized(accumulator.byte_size());
    }
    return accumulator;
  }

  static const PythonAccumulator* found(const Accumulators& accumulators, size_t index) {
    return static_cast<const PythonAccumulator*>(
        accumulators.memory.object(accumulators.records[index] + accumulators.offsets[0]));
  }

  void merge_all(const Accumulators& into, const Accumulators& from) const {
    for (size_t i = 0; i < into.records.size(); ++i) {
      const PythonAccumulator* other = found(from, i);
      if (other == nullptr || other->object() == nullptr) {
        continue;
      }
      nb::list others;
      others.append(nb::handle(other->object()));
      PyObject* arguments[] = {nullptr, writable(into, i).object(), others.ptr()};
      call(methods_->merge, arguments + 1, 2);
    }
  }

  void append_values(const Accumulators& accumulators, ColumnBuilder& results) const {
    for (size_t i = 0; i < accumulators.records.size(); ++i) {
      const PythonAccumulator* accumulator = found(accumulators, i);
      const nb::object object = accumulator == nullptr || accumulator->object() == nullptr
                                    ? create()
                                    : nb::borrow(nb::handle(accumulator->object()));
      PyObject* arguments[] = {nullptr, object.ptr()};
      const nb::object value = call(methods_->get_value, arguments + 1, 1);
      try {
        writer_->append(value.ptr(), results);
      } catch (const ValueRefused& refused) {
        throw call_.refused(refused.reason);
      }
    }
  }

  /// What `PandasAggregate.accumulate` does; false where the accumulator is another process's.
  static bool append_to_columns(PyObject* accumulator, PyObject** values, size_t width) {
    if (!PyList_CheckExact(accumulator)) {
      return false;
    }
    for (size_t i = 0; i < width; ++i) {
      if (PyList_Append(PyList_GET_ITEM(accumulator, static_cast<Py_ssize_t>(i)), values[i]) != 0) {
        throw nb::python_error();
      }
    }
    return true;
  }

  void add_rows(const nb::object& method,
                bool keeps_columns,
                const AggregateInput& input,
                const Accumulators& accumulators) const {
    const size_t width = call_.width();
    // Before the row's arguments: the accumulator, and a place for the callee to use.
    const size_t stride = width + 2;
    ObjectBuffer buffer;
    for (size_t begin = 0; begin < input.rows.size();) {
      size_t end = begin + 1;
      while (end < input.rows.size() && end - begin < kChunk &&
             input.rows[end] == input.rows[end - 1] + 1) {
        ++end;
      }
      PyObject** values = buffer.reset((end - begin) * stride);
      call_.read(input.arguments, input.rows[begin], input.rows[end - 1] + 1, values + 2, stride);
      for (size_t i = begin; i < end; ++i) {
        PyObject** arguments = values + (i - begin) * stride + 1;
        arguments[0] = writable(accumulators, i).object();
        Py_INCREF(arguments[0]);
        if (!keeps_columns || !append_to_columns(arguments[0], arguments + 1, width)) {
          call(method, arguments, width + 1);
        }
      }
      begin = end;
    }
  }

  // Opening changes no result, so kernels, which are const for their callers, do it late.
  mutable FunctionCall call_;
  DataType result_type_;
  bool needs_retract_;
  mutable std::unique_ptr<AggregateMethods> methods_;
  mutable std::unique_ptr<ValueWriter> writer_;
};

}  // namespace

std::unique_ptr<expression::AggregateKernel> make_aggregate_kernel(
    FunctionHandle function,
    const expression::Signature& signature,
    bool needs_retract,
    std::shared_ptr<const FunctionConfig> config) {
  return std::make_unique<PythonAggregateKernel>(
      std::move(function), signature, needs_retract, std::move(config));
}

}  // namespace thalweg::binding
