#include "thalweg/planner/relation.h"

#include <algorithm>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/query_binder.h"
#include "thalweg/planner/table_function_binder.h"

namespace thalweg::planner {

namespace {

BoundFrom from_plan(const LogicalPtr& plan) {
  BoundFrom from;
  from.plan = plan;
  from.scope.add("", {}, plan->schema);
  return from;
}

LogicalPtr select(const LogicalPtr& plan, SelectClauses clauses, const PlannerContext& context) {
  clauses.uses_over_formulas = false;
  return QueryBinder(context).bind_clauses(from_plan(plan), clauses).plan;
}

sql::SelectItem column_item(const std::string& name) {
  auto column = std::make_shared<sql::Column>();
  column->name.parts.emplace_back(name);
  return {std::move(column), std::nullopt};
}

}  // namespace

Relation Relation::of_query(const sql::Query& query, const PlannerContext& context) {
  return {QueryBinder(context).bind(query), context};
}

Relation Relation::of_path(const sql::ObjectName& path, const PlannerContext& context) {
  return {QueryBinder(context).bind_path(path), context};
}

Relation Relation::of_rows(Schema schema,
                           std::vector<std::vector<Value>> rows,
                           const PlannerContext& context) {
  return {make_values(std::move(schema), std::move(rows)), context};
}

Relation Relation::project(const std::vector<sql::SelectItem>& items) const {
  SelectClauses clauses;
  clauses.items = &items;
  return {select(plan_, clauses, *context_), *context_};
}

Relation Relation::filter(const sql::ExprPtr& condition) const {
  const BoundFrom from = from_plan(plan_);
  ExpressionBinder binder(*context_, from.scope, "WHERE");
  return {make_filter(plan_, binder.bind_condition(*condition)), *context_};
}

Relation Relation::aggregate(const std::vector<sql::ExprPtr>& keys,
                             const std::vector<sql::SelectItem>& items) const {
  std::vector<sql::GroupingElement> group_by;
  for (const sql::ExprPtr& key : keys) {
    sql::GroupingElement element;
    element.exprs.push_back(key);
    group_by.push_back(std::move(element));
  }
  SelectClauses clauses;
  clauses.items = &items;
  clauses.group_by = &group_by;
  clauses.is_grouped = true;
  return {select(plan_, clauses, *context_), *context_};
}

Relation Relation::distinct() const {
  return {make_distinct(plan_), *context_};
}

Relation Relation::alias(const std::vector<std::string>& names) const {
  std::vector<std::string> all = names_of(plan_->schema);
  if (names.size() > all.size()) {
    throw Error(ErrorCode::kValidation,
                fmt::format("Aliasing more fields than we actually have: {} names for {} columns",
                            names.size(),
                            all.size()));
  }
  std::copy(names.begin(), names.end(), all.begin());
  return {make_rename(plan_, all), *context_};
}

Relation Relation::order_by(const std::vector<sql::OrderItem>& keys) const {
  std::vector<sql::SelectItem> items;
  for (const Field& field : plan_->schema) {
    items.push_back(column_item(field.name));
  }
  SelectClauses clauses;
  clauses.items = &items;
  clauses.order_by = &keys;
  BoundSelect bound = QueryBinder(*context_).bind_clauses(from_plan(plan_), clauses);
  // Keys that are columns need no projection of their own.
  const bool plain = bound.plan->schema.size() == plan_->schema.size();
  LogicalPtr sorted =
      make_sort(plain ? plan_ : bound.plan, std::move(bound.sort_keys), std::nullopt, std::nullopt);
  if (plain) {
    return {std::move(sorted), *context_};
  }
  std::vector<expression::ExpressionPtr> columns = all_columns(sorted->schema);
  columns.resize(plan_->schema.size());
  return {make_project(std::move(sorted), std::move(columns), names_of(plan_->schema)), *context_};
}

Relation Relation::limit(int64_t offset, std::optional<int64_t> fetch) const {
  const std::optional<int64_t> skip = offset > 0 ? std::optional(offset) : std::nullopt;
  // Keys that are expressions have a projection on top of their sort.
  const auto* projection = if_a<LogicalProject>(*plan_);
  const LogicalPtr& below = projection == nullptr ? plan_ : projection->inputs[0];
  const auto* sort = if_a<LogicalSort>(*below);
  if (sort == nullptr || sort->fetch) {
    return {make_sort(plan_, {}, skip, fetch), *context_};
  }
  // offset(...) and then fetch(...) are one limit, of the sort below where there is one.
  const int64_t total = sort->offset.value_or(0) + offset;
  LogicalPtr limited = make_sort(
      sort->inputs[0], sort->keys, total > 0 ? std::optional(total) : std::nullopt, fetch);
  if (projection != nullptr) {
    limited = make_project(std::move(limited), projection->projections, names_of(plan_->schema));
  }
  return {std::move(limited), *context_};
}

Relation Relation::set_operation(const Relation& right, sql::SetOp operation, bool all) const {
  const auto kind = operation == sql::SetOp::kUnion       ? SetOperationKind::kUnion
                    : operation == sql::SetOp::kIntersect ? SetOperationKind::kIntersect
                                                          : SetOperationKind::kExcept;
  return {make_set_operation(kind, all, plan_, right.plan_, {}), *context_};
}

Relation Relation::join(const Relation& right,
                        sql::JoinType type,
                        const sql::ExprPtr& condition) const {
  static_cast<void>(right);
  static_cast<void>(type);
  static_cast<void>(condition);
  throw Error(ErrorCode::kNotSupported, "Joins are not supported yet");
}

Relation Relation::lateral(const sql::ExprPtr& call,
                           const std::vector<std::string>& names,
                           sql::JoinType type,
                           const sql::ExprPtr& condition) const {
  const auto* node = sql::if_a<sql::FunctionCall>(call);
  if (node == nullptr) {
    throw Error(ErrorCode::kValidation, "A table function's call is expected in a lateral join");
  }
  BoundFrom from = from_plan(plan_);
  BoundTableFunction bound = bind_table_call(*node, from.scope, *context_);
  const Schema& result = bound.signature.result;
  if (!names.empty() && names.size() != result.size()) {
    throw Error(ErrorCode::kValidation,
                fmt::format("The table function {} gives {} columns, but {} names are given",
                            bound.function->name(),
                            result.size(),
                            names.size()));
  }
  const std::vector<std::string> added = names.empty() ? names_of(result) : names;
  std::vector<std::string> ambiguous;
  for (const Field& field : plan_->schema) {
    if (std::find(added.begin(), added.end(), field.name) != added.end()) {
      ambiguous.push_back(field.name);
    }
  }
  if (!ambiguous.empty()) {
    throw Error(
        ErrorCode::kValidation,
        fmt::format("join relations with ambiguous names: [{}]", fmt::join(ambiguous, ", ")))
        .hint("Name the function's columns with .alias(...).");
  }
  LogicalPtr plan = make_correlate(plan_,
                                   std::move(bound.function),
                                   std::move(bound.signature),
                                   std::move(bound.arguments),
                                   type == sql::JoinType::kLeft,
                                   added);
  const Relation joined(std::move(plan), *context_);
  if (condition == nullptr || is_true(condition)) {
    return joined;
  }
  if (type == sql::JoinType::kLeft) {
    throw Error(ErrorCode::kNotSupported,
                "A left outer join with a table function takes no condition but TRUE");
  }
  return joined.filter(condition);
}

Relation Relation::add_columns(const std::vector<sql::SelectItem>& items,
                               bool replace_existing) const {
  std::vector<sql::SelectItem> all;
  for (const Field& field : plan_->schema) {
    all.push_back(column_item(field.name));
  }
  for (const sql::SelectItem& item : items) {
    const auto existing = std::find_if(all.begin(), all.end(), [&](const sql::SelectItem& other) {
      const auto* column = sql::if_a<sql::Column>(other.expr);
      return item.alias && column != nullptr && column->name.last() == item.alias->text;
    });
    if (existing != all.end() && replace_existing) {
      *existing = item;
    } else {
      all.push_back(item);
    }
  }
  return project(all);
}

Relation Relation::rename_columns(
    const std::vector<std::pair<std::string, std::string>>& names) const {
  std::vector<std::string> all = names_of(plan_->schema);
  for (const auto& [from, to] : names) {
    const auto found = std::find(all.begin(), all.end(), from);
    if (found == all.end()) {
      throw Error(ErrorCode::kColumnNotFound,
                  fmt::format("Column '{}' not found in any table", from));
    }
    *found = to;
  }
  return {make_rename(plan_, all), *context_};
}

Relation Relation::drop_columns(const std::vector<std::string>& names) const {
  std::vector<sql::SelectItem> kept;
  for (const Field& field : plan_->schema) {
    if (std::find(names.begin(), names.end(), field.name) == names.end()) {
      kept.push_back(column_item(field.name));
    }
  }
  return project(kept);
}

}  // namespace thalweg::planner
