#include "python_function.h"

#include <algorithm>
#include <cctype>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "engine_values.h"
#include "python_values.h"
#include "thalweg/sql/parser.h"
#include "thalweg/types/column_builder.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

/// The text of the Python error that is set, which is then cleared.
std::string python_error_text(const nb::python_error& error) {
  return error.what();
}

/// A scalar function in one task. Batches go to `thalweg.table.function_runtime` as lists of
/// argument tuples.
class PythonScalarKernel final : public expression::ScalarKernel {
 public:
  PythonScalarKernel(FunctionHandle function, expression::Signature signature)
      : function_(std::move(function)), signature_(std::move(signature)) {}

  ~PythonScalarKernel() override {
    if (runner_ == nullptr || Py_IsInitialized() == 0) {
      return;
    }
    const nb::gil_scoped_acquire gil;
    try {
      runner_->get().attr("close")();
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("closing a Python function");
    }
  }

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const expression::EvaluationContext& context,
                     expression::RowErrors& errors) override {
    const nb::gil_scoped_acquire gil;
    ColumnBuilder builder(signature_.result);
    int32_t failed_row = 0;
    try {
      open(context.subtask);
      const nb::object answer = runner_->get().attr("run")(rows_of(arguments, rows));
      const nb::object results = answer[0];
      for (const nb::handle value : results) {
        failed_row = builder.size();
        builder.append_value(engine_value(value, signature_.result, function_.name));
      }
      if (!nb::object(answer[1]).is_none()) {
        errors.add(builder.size(),
                   Error(ErrorCode::kPythonFunctionFailed, nb::cast<std::string>(answer[1])));
      }
    } catch (const nb::python_error& error) {
      errors.add(0,
                 Error(ErrorCode::kPythonFunctionFailed,
                       function_.name + " failed: " + python_error_text(error)));
    } catch (const Error& error) {
      errors.add(
          failed_row,
          Error(ErrorCode::kPythonValue,
                fmt::format("The Python function {} gave a value that is not of its type {}: {}",
                            function_.name,
                            signature_.result.to_string(),
                            error.message())));
    }
    while (builder.size() < rows) {
      builder.append_null();
    }
    return builder.finish();
  }

 private:
  void open(int32_t subtask) {
    if (runner_ != nullptr) {
      return;
    }
    nb::list types;
    for (const DataType& type : signature_.arguments) {
      types.append(type.with_time_attribute(TimeAttribute::kNone).to_string());
    }
    nb::object runner = nb::module_::import_("thalweg.table.function_runtime")
                            .attr("ScalarRunner")(function_.name,
                                                  function_.instance->get(),
                                                  types,
                                                  function_.result_type,
                                                  function_.vectorized,
                                                  subtask);
    runner_ = std::make_unique<SharedObject>(std::move(runner));
  }

  static nb::list rows_of(std::span<const ColumnPtr> arguments, int32_t rows) {
    nb::list result;
    for (int32_t row = 0; row < rows; ++row) {
      nb::list values;
      for (const ColumnPtr& column : arguments) {
        values.append(python_value(*column, row, {}));
      }
      result.append(nb::tuple(values));
    }
    return result;
  }

  FunctionHandle function_;
  expression::Signature signature_;
  std::unique_ptr<SharedObject> runner_;
};

std::string upper(std::string text) {
  std::transform(
      text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::variant<expression::Signature, expression::NoMatch> signature_for(
    const FunctionHandle& function, std::span<const expression::BoundArgument> given) {
  expression::Signature signature;
  signature.result = sql::parse_data_type(function.result_type);
  if (!function.argument_types) {
    for (const expression::BoundArgument& argument : given) {
      signature.arguments.push_back(argument.type);
    }
    return signature;
  }
  if (function.argument_types->size() != given.size()) {
    return expression::NoMatch{fmt::format("the Python function {} takes {} arguments, not {}",
                                           function.name,
                                           function.argument_types->size(),
                                           given.size())};
  }
  for (const std::string& type : *function.argument_types) {
    signature.arguments.push_back(sql::parse_data_type(type));
  }
  return signature;
}

}  // namespace

SharedObject::~SharedObject() {
  if (Py_IsInitialized() != 0) {
    const nb::gil_scoped_acquire gil;
    Py_DECREF(object_);
  }
}

void PythonFunctions::add(const std::string& name,
                          const FunctionHandle& function,
                          expression::FunctionRegistry& registry) {
  if (function.kind != "scalar") {
    throw Error(
        ErrorCode::kNotSupported,
        fmt::format(
            "Python functions of this kind are not supported yet: {} ({})", name, function.kind));
  }
  const std::string key = upper(name);
  const bool is_ours = functions_->contains(key);
  if (!is_ours && registry.find_scalar(key) != nullptr &&
      !registry.find_scalar(key)->forms.empty()) {
    throw Error(ErrorCode::kAlreadyExists,
                fmt::format("There is a built-in function of this name: {}", key));
  }
  (*functions_)[key] = function;
  if (registry.find_scalar(key) != nullptr) {
    return;
  }
  expression::ScalarFunction entry;
  entry.names = {key};
  entry.is_deterministic = function.deterministic;
  entry.bind = [functions = functions_, key](std::span<const expression::BoundArgument> given)
      -> std::variant<expression::Signature, expression::NoMatch> {
    const auto found = functions->find(key);
    if (found == functions->end()) {
      return expression::NoMatch{"the Python function was dropped"};
    }
    return signature_for(found->second, given);
  };
  entry.make_kernel = [functions = functions_, key](
                          const expression::Signature& signature,
                          std::span<const expression::BoundArgument> given) {
    static_cast<void>(given);
    return std::make_unique<PythonScalarKernel>(functions->at(key), signature);
  };
  registry.add(std::move(entry));
}

bool PythonFunctions::remove(const std::string& name) {
  return functions_->erase(upper(name)) > 0;
}

std::vector<std::string> PythonFunctions::names() const {
  std::vector<std::string> names;
  for (const auto& [name, function] : *functions_) {
    if (!name.starts_with("*")) {
      names.push_back(name);
    }
  }
  return names;
}

const std::string& PythonFunctions::inline_name(FunctionHandle& function,
                                                expression::FunctionRegistry& registry) {
  if (function.inline_name.empty()) {
    function.inline_name = fmt::format("*{}${}*", upper(function.name), ++next_inline_);
    add(function.inline_name, function, registry);
  }
  return function.inline_name;
}

}  // namespace thalweg::binding
