#pragma once

#include <memory>

#include "thalweg/catalog/function.h"
#include "thalweg/expression/aggregate_function.h"
#include "thalweg/expression/scalar_function.h"
#include "thalweg/expression/table_function.h"
#include "thalweg/planner/planner_context.h"
#include "thalweg/sql/ast_expression.h"

namespace thalweg::planner {

/// What a function's name stands for: at most one of the kinds.
struct FoundFunction {
  std::shared_ptr<const expression::ScalarFunction> scalar = nullptr;
  std::shared_ptr<const expression::AggregateFunction> aggregate = nullptr;
  std::shared_ptr<const expression::TableFunction> table = nullptr;
};

/// A function of the catalog that is ready to be called: what a session's host makes of a user's
/// code.
struct InlineCallable final : catalog::InlineFunction {
  FoundFunction function;
};

/// Looks a name up as Flink does: temporary system functions, built-in ones, temporary functions of
/// a catalog, functions of a catalog; a path means the last two only. Loads the function where the
/// catalog only says where its code is. Throws kNotSupported for code that does not run here.
FoundFunction find_function(const sql::ObjectName& name, const PlannerContext& context);

/// The aggregate function that a call means, or null.
std::shared_ptr<const expression::AggregateFunction> find_aggregate(const sql::FunctionCall& call,
                                                                    const PlannerContext& context);

}  // namespace thalweg::planner
