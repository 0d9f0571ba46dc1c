#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/catalog/table.h"
#include "thalweg/planner/logical_plan.h"
#include "thalweg/planner/physical_plan.h"
#include "thalweg/planner/planner_context.h"
#include "thalweg/sql/ast_ddl.h"
#include "thalweg/sql/ast_query.h"
#include "thalweg/sql/ast_statement.h"

namespace thalweg::planner {

// The entry points, in the order of a statement's journey. All throw Error with the position in the
// statement's text.

/// Resolves names and types of a query.
LogicalPtr bind_query(const sql::Query& query, const PlannerContext& context);

/// The text of a query with all names written out and stars replaced by columns, as SHOW CREATE
/// VIEW shows it.
std::string expanded_text(const sql::Query& query, const PlannerContext& context);

/// Resolves an INSERT: the column list, implicit casts, NOT NULL; the result is a LogicalSink.
LogicalPtr bind_insert(const sql::Insert& insert, const PlannerContext& context);

/// The sink of `query`'s rows in the table at `path` (dotted, quoted as in SQL): the Table API's
/// execute_insert.
LogicalPtr bind_insert(const sql::ObjectName& path,
                       LogicalPtr query,
                       bool is_overwrite,
                       const PlannerContext& context);

/// Applies the rules and settles changelog modes. All sinks of a statement set, or one query.
/// Throws when a sink can't take the changes that its query makes.
PhysicalPlan optimize(const std::vector<LogicalPtr>& roots, const PlannerContext& context);

/// Which optional parts EXPLAIN shows.
struct ExplainDetails {
  bool estimated_cost = false;
  bool changelog_mode = false;
  bool json_execution_plan = false;
  bool plan_advice = false;

  /// From EXPLAIN's upper-case words.
  static ExplainDetails parse(const std::vector<std::string>& words);
};

/// Flink's text of the three plans.
std::string explain(const std::vector<LogicalPtr>& roots,
                    const ExplainDetails& details,
                    const PlannerContext& context);

/// Types the computed columns of a definition and checks columns and watermark by Flink's rules;
/// what `CatalogTable::resolved` is to hold. Columns merged from LIKE or AS are in `table` already.
catalog::ResolvedColumns resolve_columns(const catalog::CatalogTable& table,
                                         const PlannerContext& context);

/// The columns that a CREATE VIEW or CREATE TABLE AS gives its object: names by `column_names`
/// where given, types with nullability, time attributes kept (`keep_time_attributes`) or turned to
/// plain timestamps.
Schema schema_of_query(const sql::Query& query,
                       const std::vector<sql::Identifier>& column_names,
                       bool keep_time_attributes,
                       const PlannerContext& context);

}  // namespace thalweg::planner
