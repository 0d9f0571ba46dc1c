#pragma once

#include <functional>
#include <string>
#include <vector>

#include "thalweg/sql/ast_expression.h"

namespace thalweg::sql {

using ExprVisitor = std::function<void(const Expr&)>;

/// Calls `visit` for each direct operand of `expr`, those in FILTER, ORDER BY and OVER included;
/// queries are left out.
void for_each_child(const Expr& expr, const ExprVisitor& visit);

/// Calls `visit` for `expr` and everything below it, parents first.
void for_each_node(const Expr& expr, const ExprVisitor& visit);

/// The first parts of all column names in `expr`, each once, in the order of their appearance.
std::vector<std::string> referenced_columns(const Expr& expr);

}  // namespace thalweg::sql
