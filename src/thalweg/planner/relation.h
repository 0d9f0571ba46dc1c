#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/planner/logical_plan.h"
#include "thalweg/planner/planner_context.h"
#include "thalweg/sql/ast_query.h"

namespace thalweg::planner {

/// A table of the Table API: an immutable handle to a logical plan. Every operation is validated at
/// once and gives a new relation; expressions are SQL's syntax trees, so the same query by SQL and
/// by the Table API has the same plan. Cheap to copy; borrows the session's context.
class Relation {
 public:
  static Relation of_query(const sql::Query& query, const PlannerContext& context);
  /// A table or view by name.
  static Relation of_path(const sql::ObjectName& path, const PlannerContext& context);
  /// Literal rows; the values fit `schema`.
  static Relation of_rows(Schema schema,
                          std::vector<std::vector<Value>> rows,
                          const PlannerContext& context);

  /// The rows of a node that was made elsewhere.
  static Relation of_plan(LogicalPtr plan, const PlannerContext& context) {
    return {std::move(plan), context};
  }

  const Schema& schema() const { return plan_->schema; }

  const LogicalPtr& plan() const { return plan_; }

  const PlannerContext& context() const { return *context_; }

  /// SELECT items; unnamed expressions become EXPR$n. `*` may occur.
  Relation project(const std::vector<sql::SelectItem>& items) const;
  Relation filter(const sql::ExprPtr& condition) const;
  /// SELECT items GROUP BY keys, as the same SQL. A group window is one of the keys, a call of
  /// TUMBLE, HOP or SESSION; its bounds are calls of TUMBLE_START, ... in the items. No keys: one
  /// group of all rows.
  Relation aggregate(const std::vector<sql::ExprPtr>& keys,
                     const std::vector<sql::SelectItem>& items) const;
  Relation distinct() const;
  /// Renames the first columns.
  Relation alias(const std::vector<std::string>& names) const;
  Relation order_by(const std::vector<sql::OrderItem>& keys) const;
  /// Skips `offset` rows and keeps `fetch` (absent: all). After order_by it becomes part of the
  /// sort.
  Relation limit(int64_t offset, std::optional<int64_t> fetch) const;
  Relation set_operation(const Relation& right, sql::SetOp operation, bool all) const;
  Relation join(const Relation& right, sql::JoinType type, const sql::ExprPtr& condition) const;
  /// Joins the rows of a table function to each row.
  Relation lateral(const sql::ExprPtr& call,
                   const std::vector<std::string>& names,
                   sql::JoinType type,
                   const sql::ExprPtr& condition) const;
  // Changes of columns, all of them projections.
  Relation add_columns(const std::vector<sql::SelectItem>& items, bool replace_existing) const;
  Relation rename_columns(const std::vector<std::pair<std::string, std::string>>& names) const;
  Relation drop_columns(const std::vector<std::string>& names) const;

 private:
  Relation(LogicalPtr plan, const PlannerContext& context)
      : plan_(std::move(plan)), context_(&context) {}

  LogicalPtr plan_;
  const PlannerContext* context_;
};

}  // namespace thalweg::planner
