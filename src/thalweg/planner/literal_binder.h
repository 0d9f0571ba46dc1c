#pragma once

#include "thalweg/expression/expression.h"
#include "thalweg/sql/ast_expression.h"

namespace thalweg::planner {

/// A literal with its type by Flink's rules: 1 is INT NOT NULL, 1.50 DECIMAL(3, 2) NOT NULL, 'ab'
/// CHAR(2) NOT NULL, and so on. `negate` stands for a minus before a number.
expression::ExpressionPtr bind_literal(const sql::Literal& literal, bool negate = false);

/// The milliseconds (or months) of an interval literal; checks the precision of its leading field.
int64_t interval_value(const sql::Literal& literal);

/// Throws where Calcite lets no bare NULL stand: as a column of SELECT, or a value of VALUES.
void refuse_untyped_null(const sql::Expr& expr);

}  // namespace thalweg::planner
