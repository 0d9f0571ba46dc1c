#include "python_function.h"

#include <algorithm>
#include <cctype>
#include <mutex>

#include "thalweg/sql/parser.h"

namespace thalweg::binding {

using expression::BoundArgument;
using expression::NoMatch;
using expression::Signature;
using expression::TableSignature;

namespace {

/// The configuration when the latest query with a function was bound; its kernels are made later,
/// by other threads.
class ConfigSlot {
 public:
  explicit ConfigSlot(ConfigSource source) : source_(std::move(source)) {}

  void refresh() {
    auto fresh = std::make_shared<const FunctionConfig>(source_());
    const std::scoped_lock lock(mutex_);
    config_ = std::move(fresh);
  }

  std::shared_ptr<const FunctionConfig> get() const {
    const std::scoped_lock lock(mutex_);
    return config_;
  }

 private:
  ConfigSource source_;
  mutable std::mutex mutex_;
  std::shared_ptr<const FunctionConfig> config_ = std::make_shared<const FunctionConfig>();
};

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
                                           const std::shared_ptr<ConfigSlot>& config) {
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
                                                 const std::shared_ptr<ConfigSlot>& config) {
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
                                         const std::shared_ptr<ConfigSlot>& config) {
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
    types.arguments.push_back(is_declared ? sql::parse_data_type(function.argument_types->at(i))
                                          : given[i].type);
  }
  return types;
}

std::shared_ptr<const planner::InlineCallable> make_callable(const FunctionHandle& function,
                                                             ConfigSource config) {
  auto slot = std::make_shared<ConfigSlot>(std::move(config));
  auto callable = std::make_shared<planner::InlineCallable>();
  planner::FoundFunction& found = callable->function;
  if (function.kind == "scalar" || function.kind == "async_scalar") {
    found.scalar =
        std::make_shared<const expression::ScalarFunction>(scalar_function(function, slot));
  } else if (function.kind == "table") {
    found.table = std::make_shared<const expression::TableFunction>(table_function(function, slot));
  } else if (function.kind == "aggregate" || function.kind == "table_aggregate") {
    found.aggregate =
        std::make_shared<const expression::AggregateFunction>(aggregate_function(function, slot));
  } else {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("Python functions of this kind are not supported yet: {} ({})",
                            function.name,
                            function.kind));
  }
  return callable;
}

}  // namespace thalweg::binding
