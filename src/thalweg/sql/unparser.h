#pragma once

#include <functional>
#include <string>

#include "thalweg/sql/ast_expression.h"
#include "thalweg/sql/ast_query.h"

namespace thalweg::sql {

struct UnparseOptions {
  /// How a function's name is written; by default a simple name in upper case, a compound one
  /// quoted.
  std::function<std::string(const ObjectName&)> function_name = {};
};

/// Flink's canonical text of an expression, as in DESCRIBE and SHOW CREATE: UPPER(`name`), `ts` -
/// INTERVAL '5' SECOND.
std::string unparse(const Expr& expr, const UnparseOptions& options = {});

/// Flink's canonical text of a query, over several lines as in SHOW CREATE VIEW. Names stay as they
/// are in the tree.
std::string unparse(const Query& query, const UnparseOptions& options = {});

/// `a`.`b`.`c`.
std::string unparse(const ObjectName& name);

/// A string literal with its quotes doubled: 'it''s'.
std::string quote_string(std::string_view text);

/// The operator's canonical text, for example "IS NOT DISTINCT FROM".
std::string_view to_string(Op op);

}  // namespace thalweg::sql
