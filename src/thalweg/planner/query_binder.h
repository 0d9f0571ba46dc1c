#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/catalog/table.h"
#include "thalweg/planner/logical_plan.h"
#include "thalweg/planner/planner_context.h"
#include "thalweg/planner/scope.h"
#include "thalweg/sql/ast_query.h"

namespace thalweg::planner {

/// The rows of a FROM clause and the names for them.
struct BoundFrom {
  LogicalPtr plan;
  Scope scope;
};

/// A SELECT with the columns that ORDER BY needs behind the visible ones.
struct BoundSelect {
  LogicalPtr plan;
  size_t visible_columns = 0;
  std::vector<LogicalSortKey> sort_keys;
};

/// The clauses of a SELECT that stand on the rows of its FROM: what SQL and the Table API share.
struct SelectClauses {
  const std::vector<sql::SelectItem>* items = nullptr;
  sql::ExprPtr where;
  const std::vector<sql::GroupingElement>* group_by = nullptr;
  sql::ExprPtr having;
  bool distinct = false;
  const std::vector<sql::OrderItem>* order_by = nullptr;
  const std::vector<sql::NamedWindow>* windows = nullptr;
  /// A condition on the results of OVER.
  sql::ExprPtr qualify = nullptr;
  /// Over a window SQL computes sums, averages and spreads by formulas (OverFormulas); the Table
  /// API calls the functions themselves.
  bool uses_over_formulas = true;
  /// GROUP BY was written, or the Table API's aggregate was called.
  bool is_grouped = false;
};

/// TO_CHANGELOG or FROM_CHANGELOG.
bool is_changelog_function(const sql::FunctionCall& call);
/// TUMBLE, HOP, CUMULATE or SESSION.
bool is_window_function(const sql::FunctionCall& call);

/// Binds queries: scopes, common table expressions, views. One for each statement, on its thread;
/// borrows the context.
class QueryBinder {
 public:
  explicit QueryBinder(const PlannerContext& context) : context_(context) {}

  LogicalPtr bind(const sql::Query& query);
  /// The table or view at `name`.
  LogicalPtr bind_path(const sql::ObjectName& name);

  /// The tables that a FROM clause brings into view.
  Scope scope_of(const sql::TableRef& from) { return bind_from(from).scope; }

  /// SELECT over bound rows.
  BoundSelect bind_clauses(BoundFrom from, const SelectClauses& clauses);

  const PlannerContext& context() const { return context_; }

  /// The names that the SELECT bound last gives its columns, which its plan makes unique; none
  /// where it was no SELECT.
  const std::vector<std::string>& selected_names() const { return selected_names_; }

 private:
  using CommonTables = std::map<std::string, LogicalPtr>;

  LogicalPtr bind_body(const sql::QueryBody& body);
  LogicalPtr bind_values(const sql::Values& values);
  BoundSelect bind_select(const sql::Select& select, const std::vector<sql::OrderItem>* order_by);
  LogicalPtr apply_order(const sql::Query& query, BoundSelect body);
  LogicalPtr bind_ordered(const sql::Query& query);

  BoundFrom bind_from(const sql::TableRef& ref);
  BoundFrom bind_named(const sql::NamedTable& table);
  BoundFrom bind_derived(const sql::DerivedTable& table);
  BoundFrom bind_table_function(const sql::TableFunction& function);
  BoundFrom bind_join(const sql::Join& join);
  /// The rows of `left` with those that a table function or UNNEST makes of each.
  BoundFrom bind_lateral(BoundFrom left, const sql::TableRef& right, bool is_outer);
  /// A table function or UNNEST of constants, alone in FROM.
  BoundFrom bind_lone_function(const sql::TableRef& ref);
  /// Applies `AS alias (columns)` and makes the scope.
  BoundFrom with_alias(LogicalPtr plan,
                       const std::optional<sql::TableAlias>& alias,
                       std::string default_alias,
                       std::vector<std::string> path);
  LogicalPtr bind_window_function(const sql::FunctionCall& call);
  LogicalPtr bind_changelog_function(const sql::FunctionCall& call);
  LogicalPtr bind_table_argument(const sql::TableArgument& argument,
                                 std::vector<ColumnIndex>& partition_keys);
  LogicalPtr bind_table(const sql::ObjectName& name, const std::vector<sql::Hint>& hints);
  LogicalPtr bind_view(const catalog::CatalogView& view, SourcePosition position);
  std::optional<catalog::TableEntry> find_table(const sql::ObjectName& name) const;
  const LogicalPtr* find_common_table(const sql::ObjectName& name) const;

  const PlannerContext& context_;
  /// Innermost last.
  std::vector<CommonTables> common_tables_;
  /// The view whose query is being bound: its catalog and database complete the names.
  const catalog::CatalogView* view_ = nullptr;
  int32_t view_depth_ = 0;
  std::vector<std::string> selected_names_;
};

}  // namespace thalweg::planner
