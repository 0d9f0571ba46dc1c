#pragma once

#include <string>

#include "thalweg/sql/ast_expression.h"

namespace thalweg::binding {

/// Moves the clauses of a JSON function from its arguments (symbols such as NULL ON EMPTY, a type
/// after RETURNING, the default behind DEFAULT ON ...) to where the syntax tree has them.
void settle_json_clauses(sql::FunctionCall& call);

/// A type given as an argument; only inside calls that settle it.
struct TypeArgument : sql::Symbol {
  DataType type;
};

}  // namespace thalweg::binding
