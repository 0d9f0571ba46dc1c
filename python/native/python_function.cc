#include "python_function.h"

#include <algorithm>
#include <cctype>

#include "thalweg/planner/insert_cast.h"
#include "thalweg/sql/parser.h"

namespace thalweg::binding {

using expression::BoundArgument;
using expression::NoMatch;
using expression::Signature;
using expression::TableSignature;

namespace {

/// What plans show.
std::string display_name(const FunctionHandle& function) {
  return function.name;
}

/// "f(BIGINT, STRING)", or "f(...)" where the function takes what comes.
std::string forms_of(const FunctionHandle& function) {
  return fmt::format("{}({})",
                     function.name,
                     function.argument_types
                         ? fmt::format("{}", fmt::join(*function.argument_types, ", "))
                         : "...");
}

/// Whether Flink turns the one into the other without being told to (LogicalTypeCasts).
bool may_be_given(const DataType& type, const DataType& declared) {
  const bool may_be_null = type.is_nullable() && type.kind() != TypeKind::kNull;
  return (declared.is_nullable() || !may_be_null) &&
         planner::supports_implicit_cast(type, declared);
}

std::variant<Signature, NoMatch> scalar_signature(const FunctionHandle& function,
                                                  std::span<const BoundArgument> given) {
  auto types = types_of_call(function, given);
  if (auto* mismatch = std::get_if<NoMatch>(&types)) {
    return *mismatch;
  }
  auto& fitting = std::get<FunctionTypes>(types);
  return Signature{std::move(fitting.arguments), std::move(fitting.result)};
}

expression::ScalarFunction scalar_function(const FunctionHandle& function,
                                           const std::shared_ptr<FunctionSettings>& config) {
  expression::ScalarFunction made;
  made.names = {display_name(function)};
  made.forms = forms_of(function);
  made.is_deterministic = function.deterministic;
  made.is_foreign = true;
  made.bind = [function, config](std::span<const BoundArgument> given) {
    config->refresh();
    return scalar_signature(function, given);
  };
  made.make_kernel = [function, config](const Signature& signature,
                                        std::span<const BoundArgument> /*given*/) {
    const auto settings = config->get();
    const auto mode = settings->find("python.execution-mode");
    const bool is_remote = mode != settings->end() && mode->second == "process";
    if (function.kind == "async_scalar" || (is_remote && !function.vectorized)) {
      return make_rows_kernel(function, signature, settings);
    }
    return function.vectorized ? make_vectorized_kernel(function, signature, settings)
                               : make_scalar_kernel(function, signature, settings);
  };
  return made;
}

expression::AggregateFunction aggregate_function(const FunctionHandle& function,
                                                 const std::shared_ptr<FunctionSettings>& config) {
  expression::AggregateFunction made;
  made.names = {display_name(function)};
  made.forms = forms_of(function);
  made.is_foreign = true;
  made.bind = [function, config](std::span<const BoundArgument> given) {
    config->refresh();
    return scalar_signature(function, given);
  };
  made.make_kernel = [function, config](const Signature& signature,
                                        std::span<const BoundArgument> /*given*/,
                                        bool needs_retract) {
    return make_aggregate_kernel(function, signature, needs_retract, config->get());
  };
  return made;
}

expression::TableFunction table_function(const FunctionHandle& function,
                                         const std::shared_ptr<FunctionSettings>& config) {
  expression::TableFunction made;
  made.names = {display_name(function)};
  made.is_deterministic = function.deterministic;
  made.is_foreign = true;
  made.bind = [function, config](
                  std::span<const BoundArgument> given) -> std::variant<TableSignature, NoMatch> {
    config->refresh();
    auto types = types_of_call(function, given);
    if (auto* mismatch = std::get_if<NoMatch>(&types)) {
      return *mismatch;
    }
    auto& fitting = std::get<FunctionTypes>(types);
    return TableSignature{std::move(fitting.arguments), result_columns(fitting.result)};
  };
  made.make_kernel = [function, config](const TableSignature& signature) {
    return make_table_kernel(function, signature, config->get());
  };
  return made;
}

}  // namespace

void FunctionSettings::refresh() {
  auto fresh = std::make_shared<const FunctionConfig>(source_());
  const std::scoped_lock lock(mutex_);
  config_ = std::move(fresh);
}

std::shared_ptr<const FunctionConfig> FunctionSettings::get() const {
  const std::scoped_lock lock(mutex_);
  return config_;
}

Schema result_columns(const DataType& type) {
  return type.kind() == TypeKind::kRow ? type.fields() : Schema{{"f0", type}};
}

std::variant<FunctionTypes, NoMatch> types_of_call(const FunctionHandle& function,
                                                   std::span<const BoundArgument> given) {
  FunctionTypes types;
  types.result = sql::parse_data_type(function.result_type);
  const bool is_declared = function.argument_types && !function.row_names;
  const auto fits = [&](int32_t least, int32_t most) {
    const auto count = static_cast<int32_t>(given.size());
    return count >= least && (most < 0 || count <= most);
  };
  const auto declared = static_cast<int32_t>(is_declared ? function.argument_types->size() : 0);
  const int32_t least = is_declared ? declared : function.least_arguments;
  const int32_t most = is_declared ? declared : function.most_arguments;
  if (!function.row_names && !fits(least, most)) {
    std::string expected = std::to_string(least);
    if (most < 0) {
      expected = "at least " + expected;
    } else if (most != least) {
      expected += fmt::format(" to {}", most);
    }
    return NoMatch{fmt::format("The Python function {} takes {} argument{}, not {}",
                               function.name,
                               expected,
                               most == 1 ? "" : "s",
                               given.size())};
  }
  for (size_t i = 0; i < given.size(); ++i) {
    const DataType& type = given[i].type;
    if (!is_declared) {
      types.arguments.push_back(type);
      continue;
    }
    types.arguments.push_back(sql::parse_data_type(function.argument_types->at(i)));
    if (!may_be_given(type, types.arguments.back())) {
      return NoMatch{
          fmt::format("Invalid input arguments. Expected signatures are:\n{}\nInvalid argument "
                      "type at position "
                      "{}. Data type {} expected but {} passed.",
                      forms_of(function),
                      i,
                      types.arguments.back().to_string(),
                      type.to_string())};
    }
  }
  return types;
}

std::shared_ptr<const planner::InlineCallable> make_callable(
    const FunctionHandle& function, const std::shared_ptr<FunctionSettings>& settings) {
  auto callable = std::make_shared<planner::InlineCallable>();
  planner::FoundFunction& found = callable->function;
  if (function.kind == "scalar" || function.kind == "async_scalar") {
    found.scalar =
        std::make_shared<const expression::ScalarFunction>(scalar_function(function, settings));
  } else if (function.kind == "table") {
    found.table =
        std::make_shared<const expression::TableFunction>(table_function(function, settings));
  } else if (function.kind == "aggregate" || function.kind == "table_aggregate") {
    found.aggregate = std::make_shared<const expression::AggregateFunction>(
        aggregate_function(function, settings));
  } else {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("Python functions of this kind are not supported yet: {} ({})",
                            function.name,
                            function.kind));
  }
  return callable;
}

}  // namespace thalweg::binding
