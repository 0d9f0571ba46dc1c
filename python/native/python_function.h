#pragma once

#include <functional>
#include <memory>

#include "function_call.h"
#include "thalweg/planner/function_lookup.h"

namespace thalweg::binding {

/// Gives a session's configuration as it is now; called while a query is bound.
using ConfigSource = std::function<FunctionConfig()>;

/// A Python function as the planner takes it. Queries that use it keep what it needs.
std::shared_ptr<const planner::InlineCallable> make_callable(const FunctionHandle& function,
                                                             ConfigSource config);

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
