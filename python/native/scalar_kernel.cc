#include "python_function.h"
#include "value_writer.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

/// Rows whose arguments are made at once.
constexpr int32_t kChunk = 512;

/// Rows from `size` on get NULLs: they are in error, or behind an error.
ColumnPtr finish_with_nulls(ColumnBuilder& builder, int32_t rows) {
  while (builder.size() < rows) {
    builder.append_null();
  }
  return builder.finish();
}

/// A scalar function called once a row. The arguments of some hundred rows are made a column at a
/// time, results go straight into the result's column.
class PythonScalarKernel final : public expression::ScalarKernel {
 public:
  PythonScalarKernel(FunctionHandle function,
                     const expression::Signature& signature,
                     std::shared_ptr<const FunctionConfig> config)
      : call_(std::move(function), signature.arguments, std::move(config)),
        result_type_(signature.result) {}

  ~PythonScalarKernel() override {
    if (Py_IsInitialized() != 0) {
      const nb::gil_scoped_acquire gil;
      callable_.reset();
      writer_.reset();
      arguments_.clear();
    }
  }

  int32_t preferred_rows() const override { return pace_.preferred_rows(); }

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const expression::EvaluationContext& context,
                     expression::RowErrors& errors) override {
    const int64_t started = steady_ns();
    ColumnBuilder builder(result_type_);
    const PythonScope python;
    try {
      open(context);
      call_.guarded([&] {
        for (int32_t begin = 0; begin < rows; begin += kChunk) {
          call_rows(arguments, begin, std::min(rows, begin + kChunk), builder);
        }
      });
    } catch (const Error& error) {
      errors.add(builder.size(), error);
    }
    arguments_.clear();
    pace_.measured(rows, steady_ns() - started);
    return finish_with_nulls(builder, rows);
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

  void call_rows(std::span<const ColumnPtr> arguments,
                 int32_t begin,
                 int32_t end,
                 ColumnBuilder& builder) {
    const size_t width = call_.width();
    // One place before each row's arguments, for methods to put their object into.
    const size_t stride = width + 1;
    PyObject** values = arguments_.reset(static_cast<size_t>(end - begin) * stride);
    call_.read(arguments, begin, end, values + 1, stride);
    PyObject* callable = callable_->get().ptr();
    for (int32_t row = begin; row < end; ++row) {
      PyObject** first = values + static_cast<size_t>(row - begin) * stride + 1;
      const nb::object result = nb::steal(
          PyObject_Vectorcall(callable, first, width | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
      if (!result.is_valid()) {
        throw call_.take_error(first, width);
      }
      try {
        writer_->append(result.ptr(), builder);
      } catch (const ValueRefused& refused) {
        throw call_.refused(refused.reason);
      }
    }
  }

  FunctionCall call_;
  DataType result_type_;
  std::unique_ptr<SharedObject> callable_;
  std::unique_ptr<ValueWriter> writer_;
  ObjectBuffer arguments_;
  RowPace pace_;
};

}  // namespace

std::unique_ptr<expression::ScalarKernel> make_scalar_kernel(
    FunctionHandle function,
    const expression::Signature& signature,
    std::shared_ptr<const FunctionConfig> config) {
  return std::make_unique<PythonScalarKernel>(std::move(function), signature, std::move(config));
}

}  // namespace thalweg::binding
