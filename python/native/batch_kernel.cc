// Kernels of functions that take many rows at once: over pandas Series, awaited, in worker
// processes.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrow_export.h"
#include "arrow_import.h"
#include "python_function.h"
#include "thalweg/expression/gathering_kernel.h"
#include "thalweg/types/text.h"
#include "value_writer.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

template <typename T>
nb::object array_over(const ColumnPtr& column) {
  // The array keeps the column, and may not write to it: others read it too.
  auto* kept = new ColumnPtr(column);
  const nb::capsule owner(kept,
                          [](void* pointer) noexcept { delete static_cast<ColumnPtr*>(pointer); });
  const size_t shape[] = {static_cast<size_t>(column->size())};
  return nb::cast(
      nb::ndarray<nb::numpy, const T, nb::ndim<1>>(column->values<T>().data(), 1, shape, owner));
}

/// A numpy array over the column's own memory; nothing where the column has NULLs or no numbers.
nb::object number_array(const ColumnPtr& column) {
  if (column->is_constant() || column->may_have_nulls()) {
    return {};
  }
  switch (column->type().kind()) {
    case TypeKind::kTinyInt:
      return array_over<int8_t>(column);
    case TypeKind::kSmallInt:
      return array_over<int16_t>(column);
    case TypeKind::kInt:
      return array_over<int32_t>(column);
    case TypeKind::kBigInt:
      return array_over<int64_t>(column);
    case TypeKind::kFloat:
      return array_over<float>(column);
    case TypeKind::kDouble:
      return array_over<double>(column);
    default:
      return {};
  }
}

std::vector<std::string> type_texts(const std::vector<DataType>& types) {
  std::vector<std::string> texts;
  for (const DataType& type : types) {
    texts.push_back(type.with_time_attribute(TimeAttribute::kNone).to_string());
  }
  return texts;
}

nb::object names_or_none(const std::optional<std::vector<std::string>>& names) {
  return names ? nb::cast(*names) : nb::none();
}

/// The bytes of a numpy array of the result's own type.
ColumnPtr column_of_array(nb::handle array, const DataType& type, int32_t rows) {
  Py_buffer view;
  if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_CONTIG_RO) != 0) {
    throw nb::python_error();
  }
  MutableColumnPtr column = Column::make(type, rows);
  const size_t bytes = width_of(type.physical()) * static_cast<size_t>(rows);
  const bool fits = static_cast<size_t>(view.len) == bytes;
  if (fits) {
    std::memcpy(column->mutable_values<std::byte>().data(), view.buf, bytes);
  }
  PyBuffer_Release(&view);
  if (!fits) {
    throw ValueRefused{"an array of another length"};
  }
  return column;
}

ColumnPtr column_of_list(nb::handle values, const ValueWriter& writer) {
  ColumnBuilder builder(writer.type());
  for (const nb::handle value : values) {
    writer.append(value.ptr(), builder);
  }
  return builder.finish();
}

/// How many rows a pandas function gets at a time: as many as the configuration says, else many
/// while its calls are short.
class GatheringPace {
 public:
  explicit GatheringPace(const FunctionConfig& config)
      : bundle_rows_(number(config, "python.fn-execution.bundle.size", kMostRows)),
        given_rows_(number(config, "python.fn-execution.arrow.batch.size", 0)),
        wait_ms_(config.contains(kHandDriven) ? 0 : kWaitMs) {}

  expression::Gathering gathering() const {
    const int64_t rows = given_rows_ > 0 ? given_rows_ : is_slow_ ? kFewRows : kMostRows;
    return {static_cast<int32_t>(std::clamp<int64_t>(std::min(rows, bundle_rows_), 1, kMaxRows)),
            wait_ms_};
  }

  void measured(int64_t elapsed_ns) { is_slow_ = elapsed_ns > kSlowNs; }

 private:
  static constexpr int64_t kMostRows = 1 << 16;
  static constexpr int64_t kFewRows = kTargetBatchRows;
  static constexpr int64_t kMaxRows = 1 << 24;
  static constexpr int64_t kWaitMs = 10;
  /// Results leave too seldom when calls take longer.
  static constexpr int64_t kSlowNs = 50'000'000;

  static int64_t number(const FunctionConfig& config, const char* key, int64_t missing) {
    const auto found = config.find(key);
    return found == config.end() ? missing : text::parse_int64(found->second).value_or(missing);
  }

  int64_t bundle_rows_;
  int64_t given_rows_;
  int64_t wait_ms_;
  bool is_slow_ = false;
};

/// A function over pandas Series.
class VectorizedKernel final : public expression::GatheringKernel {
 public:
  VectorizedKernel(FunctionHandle function,
                   const expression::Signature& signature,
                   std::shared_ptr<const FunctionConfig> config)
      : pace_(*config),
        call_(std::move(function), signature.arguments, std::move(config)),
        result_type_(signature.result) {}

  ~VectorizedKernel() override {
    if (Py_IsInitialized() != 0) {
      const nb::gil_scoped_acquire gil;
      run_.reset();
    }
  }

  expression::Gathering gathering() const override { return pace_.gathering(); }

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const expression::EvaluationContext& context,
                     expression::RowErrors& errors) override {
    const PythonScope python;
    try {
      open(context);
      const int64_t started = steady_ns();
      const nb::object result =
          call_.guarded([&] { return run_->get()(series_arguments(arguments, rows), rows); });
      pace_.measured(steady_ns() - started);
      return call_.guarded([&] { return result_column(result, result_type_, rows); });
    } catch (const ValueRefused& refused) {
      errors.add(0, call_.refused(refused.reason));
    } catch (const Error& error) {
      errors.add(0, error);
    }
    return Column::make_null(result_type_.as_nullable(), rows);
  }

 private:
  void open(const expression::EvaluationContext& context) {
    if (run_ != nullptr) {
      return;
    }
    call_.open(context.subtask, context.time_zone);
    call_.guarded([&] {
      const nb::object function =
          call_.opened().attr("vectorized")(type_texts(call_.argument_types()),
                                            result_type_.to_string(),
                                            names_or_none(call_.function().row_names),
                                            context.time_zone);
      run_ = std::make_unique<SharedObject>(function.attr("run"));
    });
  }

  /// A numpy array where the numbers can be shown as they are, Arrow's capsules for other flat
  /// columns, lists of values for nested ones.
  nb::list series_arguments(std::span<const ColumnPtr> arguments, int32_t rows) const {
    nb::list columns;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const ColumnPtr& argument = arguments[i];
      if (nb::object array = number_array(argument); array.is_valid()) {
        columns.append(array);
      } else if (is_arrow_type(argument->type())) {
        columns.append(arrow_capsules(argument));
      } else {
        columns.append(call_.list_of(*argument, i, rows));
      }
    }
    return columns;
  }

  /// From a numpy array of the type's own numbers, an Arrow array, a tuple with a result for each
  /// field of a ROW, or a list of values.
  static ColumnPtr result_column(nb::handle result, const DataType& type, int32_t rows) {
    if (nb::isinstance<nb::list>(result)) {
      return column_of_list(result, ValueWriter(type));
    }
    if (nb::isinstance<nb::tuple>(result)) {
      std::vector<ColumnPtr> fields;
      for (const nb::handle field : result) {
        fields.push_back(result_column(field, type.child(fields.size()), rows));
      }
      return Column::make_struct(type, rows, std::move(fields));
    }
    return nb::hasattr(result, "__arrow_c_array__") ? column_of_arrow(result, type)
                                                    : column_of_array(result, type, rows);
  }

  GatheringPace pace_;
  FunctionCall call_;
  DataType result_type_;
  std::unique_ptr<SharedObject> run_;
};

/// A function that gets a list of rows at once: awaited ones, and those in worker processes.
class RowsKernel final : public expression::ScalarKernel {
 public:
  RowsKernel(FunctionHandle function,
             const expression::Signature& signature,
             std::shared_ptr<const FunctionConfig> config)
      : call_(std::move(function), signature.arguments, std::move(config)),
        result_type_(signature.result) {}

  ~RowsKernel() override {
    if (Py_IsInitialized() == 0) {
      return;
    }
    const nb::gil_scoped_acquire gil;
    writer_.reset();
    if (runner_ != nullptr) {
      try {
        runner_->get().attr("close")();
      } catch (nb::python_error& error) {
        error.discard_as_unraisable("closing a Python function");
      }
      runner_.reset();
    }
  }

  int32_t preferred_rows() const override { return kRowsAtOnce; }

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const expression::EvaluationContext& context,
                     expression::RowErrors& errors) override {
    const PythonScope python;
    ColumnBuilder builder(result_type_);
    try {
      open(context);
      call_.guarded([&] { run(arguments, rows, builder); });
    } catch (const ValueRefused& refused) {
      errors.add(builder.size(), call_.refused(refused.reason));
    } catch (const Error& error) {
      errors.add(builder.size(), error);
    }
    while (builder.size() < rows) {
      builder.append_null();
    }
    return builder.finish();
  }

 private:
  static constexpr int32_t kRowsAtOnce = 256;

  void open(const expression::EvaluationContext& context) {
    if (runner_ != nullptr) {
      return;
    }
    call_.open(context.subtask, context.time_zone);
    writer_ = std::make_unique<ValueWriter>(result_type_);
    runner_ = std::make_unique<SharedObject>(call_.opened().attr("rows_runner")());
  }

  void run(std::span<const ColumnPtr> arguments, int32_t rows, ColumnBuilder& builder) {
    const size_t width = call_.width();
    ObjectBuffer buffer;
    PyObject** values = buffer.reset(static_cast<size_t>(rows) * width);
    call_.read(arguments, 0, rows, values, width);
    nb::list calls;
    for (size_t row = 0; row < static_cast<size_t>(rows); ++row) {
      nb::list one;
      for (size_t i = 0; i < width; ++i) {
        one.append(nb::handle(values[row * width + i]));
      }
      calls.append(one);
    }
    const nb::object outcome = runner_->get().attr("run")(calls);
    for (const nb::handle value : nb::object(outcome[0])) {
      writer_->append(value.ptr(), builder);
    }
    const nb::object error = outcome[1];
    if (!error.is_none()) {
      PyErr_SetObject(error.type().ptr(), error.ptr());
      throw call_.take_error(values + static_cast<size_t>(builder.size()) * width, width);
    }
  }

  FunctionCall call_;
  DataType result_type_;
  std::unique_ptr<SharedObject> runner_;
  std::unique_ptr<ValueWriter> writer_;
};

}  // namespace

std::unique_ptr<expression::ScalarKernel> make_vectorized_kernel(
    FunctionHandle function,
    const expression::Signature& signature,
    std::shared_ptr<const FunctionConfig> config) {
  return std::make_unique<VectorizedKernel>(std::move(function), signature, std::move(config));
}

std::unique_ptr<expression::ScalarKernel> make_rows_kernel(
    FunctionHandle function,
    const expression::Signature& signature,
    std::shared_ptr<const FunctionConfig> config) {
  return std::make_unique<RowsKernel>(std::move(function), signature, std::move(config));
}

}  // namespace thalweg::binding
