#pragma once

#include <vector>

#include <nanobind/nanobind.h>

#include "handles.h"
#include "thalweg/sql/ast_expression.h"
#include "thalweg/sql/ast_query.h"

namespace thalweg::binding {

/// The syntax tree of a Python expression tree (`thalweg/_native.pyi` describes these). `owner` is
/// the session in which tables inside the tree (IN) are registered.
sql::ExprPtr expression_from(nanobind::handle tree, SessionHandle& owner);

std::vector<sql::ExprPtr> expressions_from(nanobind::handle trees, SessionHandle& owner);

/// Expressions with the aliases of their ("as", ...) nodes.
std::vector<sql::SelectItem> select_items_from(nanobind::handle trees, SessionHandle& owner);

std::vector<sql::OrderItem> order_items_from(nanobind::handle trees, SessionHandle& owner);

/// The elements of a Python sequence of strings.
std::vector<std::string> strings_from(nanobind::handle names);

}  // namespace thalweg::binding
