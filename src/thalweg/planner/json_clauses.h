#pragma once

#include <string>
#include <vector>

#include "thalweg/expression/expression.h"
#include "thalweg/sql/ast_expression.h"

namespace thalweg::planner {

/// The defaults of ON EMPTY and ON ERROR, bound; null where none is written.
struct JsonDefaults {
  expression::ExpressionPtr on_empty;
  expression::ExpressionPtr on_error;
};

/// The registry's function for a JSON function with its ON NULL clause: the rarer form is one of
/// its own.
std::string json_function(const std::string& name, const sql::JsonClauses& clauses);

/// Adds what is written behind the arguments as further operands, in the order that
/// functions/scalar/json_*.cc take them; nothing when no clause is written.
void add_json_clauses(const std::string& name,
                      const sql::JsonClauses& clauses,
                      const JsonDefaults& defaults,
                      SourcePosition position,
                      std::vector<expression::ExpressionPtr>& operands);

}  // namespace thalweg::planner
