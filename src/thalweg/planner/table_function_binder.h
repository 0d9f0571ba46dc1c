#pragma once

#include <optional>

#include "thalweg/expression/expression.h"
#include "thalweg/expression/table_function.h"
#include "thalweg/planner/planner_context.h"
#include "thalweg/planner/scope.h"
#include "thalweg/sql/ast_query.h"

namespace thalweg::planner {

/// A table function with its arguments over the columns of a scope.
struct BoundTableFunction {
  std::shared_ptr<const expression::TableFunction> function;
  expression::TableSignature signature;
  std::vector<expression::ExpressionPtr> arguments;
};

/// Binds a call; throws where there is no such table function or the arguments do not fit.
BoundTableFunction bind_table_call(const sql::FunctionCall& call,
                                   const Scope& scope,
                                   const PlannerContext& context);

/// UNNEST(collection) [WITH ORDINALITY].
BoundTableFunction bind_unnest(const sql::Unnest& unnest,
                               const Scope& scope,
                               const PlannerContext& context);

/// True for references whose rows depend on those before them: LATERAL TABLE(...), UNNEST.
bool is_lateral(const sql::TableRef& ref);

/// The literal TRUE.
bool is_true(const sql::ExprPtr& condition);

}  // namespace thalweg::planner
