#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "function_call.h"
#include "thalweg/planner/function_lookup.h"

namespace thalweg::binding {

/// What the functions of a session see of its configuration: as it was when a query was last bound
/// or executed. Kernels are made later, by other threads. Shared by the session and its functions.
class FunctionSettings {
 public:
  /// `source` gives the configuration as it is now.
  explicit FunctionSettings(std::function<FunctionConfig()> source) : source_(std::move(source)) {}

  /// On the session's thread.
  void refresh();
  /// Thread-safe.
  std::shared_ptr<const FunctionConfig> get() const;

 private:
  std::function<FunctionConfig()> source_;
  mutable std::mutex mutex_;
  std::shared_ptr<const FunctionConfig> config_ = std::make_shared<const FunctionConfig>();
};

/// A Python function as the planner takes it. Queries that use it keep what it needs.
std::shared_ptr<const planner::InlineCallable> make_callable(
    const FunctionHandle& function, const std::shared_ptr<FunctionSettings>& settings);

/// Set in the configuration that functions see where a test moves the clock: rows do not wait
/// there.
inline constexpr const char* kHandDriven = "thalweg.hand-driven";

/// The signature of a call: the types that the function declares, or those given.
struct FunctionTypes {
  std::vector<DataType> arguments;
  DataType result;
};

std::variant<FunctionTypes, expression::NoMatch> types_of_call(
    const FunctionHandle& function, std::span<const expression::BoundArgument> given);

/// The columns that a table function gives: a ROW's fields, or one column "f0".
Schema result_columns(const DataType& type);

// Kernels; each opens its function when the first rows come.
std::unique_ptr<expression::ScalarKernel> make_scalar_kernel(
    FunctionHandle function,
    const expression::Signature& signature,
    std::shared_ptr<const FunctionConfig> config);
/// A function over whole columns (pandas).
std::unique_ptr<expression::ScalarKernel> make_vectorized_kernel(
    FunctionHandle function,
    const expression::Signature& signature,
    std::shared_ptr<const FunctionConfig> config);
/// A function that gets lists of rows: awaited ones, and those in worker processes.
std::unique_ptr<expression::ScalarKernel> make_rows_kernel(
    FunctionHandle function,
    const expression::Signature& signature,
    std::shared_ptr<const FunctionConfig> config);
std::unique_ptr<expression::TableKernel> make_table_kernel(
    FunctionHandle function,
    const expression::TableSignature& signature,
    std::shared_ptr<const FunctionConfig> config);
std::unique_ptr<expression::AggregateKernel> make_aggregate_kernel(
    FunctionHandle function,
    const expression::Signature& signature,
    bool needs_retract,
    std::shared_ptr<const FunctionConfig> config);

}  // namespace thalweg::binding
