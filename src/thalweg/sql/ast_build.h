#pragma once

#include <string>
#include <vector>

#include "thalweg/sql/ast_expression.h"

namespace thalweg::sql {

// Short ways to make expression nodes without text: the Table API, rewrites and tests use them.

ExprPtr make_null();
ExprPtr make_boolean(bool value);
ExprPtr make_exact(std::string digits);
ExprPtr make_string(std::string text);
/// A literal of `kind` whose type is given rather than derived.
ExprPtr make_typed_literal(LiteralKind kind, std::string text, DataType type);
ExprPtr make_interval(std::string text, IntervalQualifier qualifier);
ExprPtr make_column(std::string name);
ExprPtr make_column(std::vector<std::string> parts);
ExprPtr make_star();
ExprPtr make_operator(Op op, std::vector<ExprPtr> operands);
ExprPtr make_call(std::string name, std::vector<ExprPtr> args);
ExprPtr make_cast(ExprPtr operand, DataType type, bool is_try = false);
ExprPtr make_symbol(std::string text);

}  // namespace thalweg::sql
