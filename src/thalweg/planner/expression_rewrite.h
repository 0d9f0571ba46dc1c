#pragma once

#include <functional>
#include <vector>

#include "thalweg/expression/expression.h"

namespace thalweg::planner {

/// Rebuilds a tree from its leaves: `rewrite` gets each node with its new operands and gives the
/// node to put in its place.
expression::ExpressionPtr transform(
    const expression::ExpressionPtr& expr,
    const std::function<expression::ExpressionPtr(const expression::ExpressionPtr&)>& rewrite);

/// The same expression over the columns that `columns` compute: column i becomes columns[i].
expression::ExpressionPtr substitute(const expression::ExpressionPtr& expr,
                                     const std::vector<expression::ExpressionPtr>& columns);

/// The conjunction of two conditions, either of which may be null.
expression::ExpressionPtr both(const expression::ExpressionPtr& left,
                               const expression::ExpressionPtr& right);

/// False when evaluating it twice for a row may give two values (RAND). Time attributes count as
/// deterministic: a plan may compute PROCTIME() where it likes.
bool is_deterministic(const expression::Expression& expr);

/// The column when the expression is nothing but one, else -1.
int32_t plain_column(const expression::Expression& expr);

}  // namespace thalweg::planner
