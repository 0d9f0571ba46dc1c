#pragma once

#include <functional>
#include <string>

#include "thalweg/sql/ast_expression.h"
#include "thalweg/sql/ast_query.h"

namespace thalweg::sql {

/// Writes the names of a query out in full, as who knows the catalog can. The unparser tells which
/// SELECT the names stand in.
class NameExpansion {
 public:
  virtual ~NameExpansion() = default;

  virtual void enter(const Select& select) = 0;
  /// What follows belongs to no SELECT: names stay as they are until `leave`.
  virtual void enter_other() = 0;
  virtual void leave() = 0;

  virtual std::string column(const ObjectName& name) = 0;
  /// The columns that `*` or `t.*` stands for.
  virtual std::string star(const Star& star) = 0;
  virtual std::string table(const ObjectName& name) = 0;
  /// A table as an argument: (SELECT its columns FROM it).
  virtual std::string whole_table(const ObjectName& name) = 0;
  /// The alias of a table that has none; empty: it needs none.
  virtual std::string alias(const TableRef& ref) = 0;
};

struct UnparseOptions {
  /// How a function's name is written; by default a simple name in upper case, a compound one
  /// quoted.
  std::function<std::string(const ObjectName&)> function_name = {};
  /// Null: names stay as they are in the tree.
  NameExpansion* names = nullptr;
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
