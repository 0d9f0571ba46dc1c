#pragma once

#include <functional>

#include "thalweg/sql/ast_expression.h"

namespace thalweg::planner {

/// Calls `visit` on each operand of a node, subqueries and window definitions excepted.
void for_each_operand(const sql::Expr& expr, const std::function<void(const sql::Expr&)>& visit);

/// True when `test` holds for the node or any node below.
bool any_node(const sql::Expr& expr, const std::function<bool(const sql::Expr&)>& test);

}  // namespace thalweg::planner
