#include "python_function.h"
#include "value_writer.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

/// Enough rows for one call.
constexpr size_t kRowsPerCall = 2048;
/// Looking at the clock for every result would cost more than most results.
constexpr uint32_t kResultsPerLook = 32;

DataType row_type_of(const Schema& columns) {
  return DataType::row(columns);
}

/// A table function. What it gives is taken as PyFlink takes it: lists, ranges, generators and
/// other iterators are many rows, None is no row, anything else is one. A generator may be left in
/// the middle, so that endless ones make progress too.
class PythonTableKernel final : public expression::TableKernel {
 public:
  PythonTableKernel(FunctionHandle function,
                    const expression::TableSignature& signature,
                    std::shared_ptr<const FunctionConfig> config)
      : call_(std::move(function), signature.arguments, std::move(config)),
        result_type_(row_type_of(signature.result)) {}

  ~PythonTableKernel() override {
    if (Py_IsInitialized() != 0) {
      const nb::gil_scoped_acquire gil;
      callable_.reset();
      writer_.reset();
      arguments_.clear();
      results_ = nb::object();
    }
  }

  int32_t evaluate(std::span<const ColumnPtr> arguments,
                   int32_t begin,
                   int32_t end,
                   const expression::EvaluationContext& context,
                   const expression::TableRows& rows,
                   expression::RowErrors& errors) override {
    const PythonScope python;
    deadline_ = steady_ns() + RowPace::kSliceNs;
    int32_t row = begin;
    try {
      open(context);
      for (; row < end; ++row) {
        if (!results_.is_valid()) {
          if (row > begin && is_time_up(rows)) {
            return row;
          }
          call_.guarded([&] { start_row(arguments, row); });
        }
        if (!call_.guarded([&] { return take_results(row, rows); })) {
          return row;
        }
      }
    } catch (const Error& error) {
      results_ = nb::object();
      errors.add(row, error);
    }
    return row;
  }

 private:
  void open(const expression::EvaluationContext& context) {
    if (callable_ != nullptr) {
      return;
    }
    call_.open(context.subtask, context.time_zone);
    writer_ = std::make_unique<ValueWriter>(result_type_);
    callable_ = std::make_unique<SharedObject>(call_.method("callable"));
  }

  bool is_time_up(const expression::TableRows& rows) const {
    return rows.sources.size() >= kRowsPerCall || steady_ns() >= deadline_;
  }

  /// Calls the function for a row; `results_` is then an iterator over what it gives.
  void start_row(std::span<const ColumnPtr> arguments, int32_t row) {
    const size_t width = call_.width();
    PyObject** values = arguments_.reset(width + 1) + 1;
    call_.read(arguments, row, row + 1, values, width);
    nb::object given = nb::steal(PyObject_Vectorcall(
        callable_->get().ptr(), values, width | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
    if (!given.is_valid()) {
      throw call_.take_error(values, width);
    }
    if (given.is_none()) {
      given = nb::tuple();
    } else if (!PyList_Check(given.ptr()) && Py_TYPE(given.ptr()) != &PyRange_Type &&
               PyIter_Check(given.ptr()) == 0) {
      given = nb::make_tuple(given);
    }
    results_ = nb::steal(PyObject_GetIter(given.ptr()));
    if (!results_.is_valid()) {
      throw call_.take_error(values, width);
    }
  }

  /// False when it stopped before the last result.
  bool take_results(int32_t row, const expression::TableRows& rows) {
    for (uint32_t taken = 1;; ++taken) {
      const nb::object result = nb::steal(PyIter_Next(results_.ptr()));
      if (!result.is_valid()) {
        if (PyErr_Occurred() != nullptr) {
          throw call_.take_error(arguments_.data() + 1, call_.width());
        }
        results_ = nb::object();
        return true;
      }
      try {
        writer_->append_fields(result.ptr(), rows.columns);
      } catch (const ValueRefused& refused) {
        throw call_.refused(refused.reason);
      }
      rows.sources.push_back(row);
      if (rows.sources.size() >= kRowsPerCall ||
          (taken % kResultsPerLook == 0 && steady_ns() >= deadline_)) {
        return false;
      }
    }
  }

  FunctionCall call_;
  DataType result_type_;
  std::unique_ptr<SharedObject> callable_;
  std::unique_ptr<ValueWriter> writer_;
  ObjectBuffer arguments_;
  /// What the row begun still gives.
  nb::object results_;
  int64_t deadline_ = 0;
};

}  // namespace

std::unique_ptr<expression::TableKernel> make_table_kernel(
    FunctionHandle function,
    const expression::TableSignature& signature,
    std::shared_ptr<const FunctionConfig> config) {
  return std::make_unique<PythonTableKernel>(std::move(function), signature, std::move(config));
}

}  // namespace thalweg::binding
