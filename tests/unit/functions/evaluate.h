#pragma once

#include <string>

#include "thalweg/expression/evaluator.h"
#include "thalweg/expression/function_registry.h"

namespace thalweg::functions {

/// All functions, registered once for the test program.
const expression::FunctionRegistry& registry();

/// Parses and binds an SQL expression over the columns of `schema`.
expression::ExpressionPtr bind_sql(const std::string& sql, const Schema& schema = {});

/// Its value as a query shows it; "ERROR message" when it fails.
std::string evaluate_sql(const std::string& sql, const expression::EvaluationContext& context = {});

/// Its type: "DECIMAL(3, 1) NOT NULL".
std::string type_of_sql(const std::string& sql);

}  // namespace thalweg::functions
