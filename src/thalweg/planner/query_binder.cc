#include "thalweg/planner/query_binder.h"

#include <charconv>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/order_binder.h"
#include "thalweg/planner/planner.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

/// What is made of NULLs alone, COALESCE(NULL, NULL) for one, has no type.
static void refuse_untyped_columns(const Schema& schema, SourcePosition position) {
  for (const Field& column : schema) {
    if (column.type.kind() == TypeKind::kNull) {
      throw Error(ErrorCode::kValidation, "Illegal use of 'NULL'")
          .at(position)
          .hint("Give it a type: CAST(NULL AS STRING).");
    }
  }
}

LogicalPtr bind_query(const sql::Query& query, const PlannerContext& context) {
  LogicalPtr plan = QueryBinder(context).bind(query);
  refuse_untyped_columns(plan->schema, query.position);
  return plan;
}

namespace {

std::optional<int64_t> row_count(const sql::ExprPtr& expr, std::string_view clause) {
  if (!expr) {
    return std::nullopt;
  }
  const auto* literal = sql::if_a<sql::Literal>(expr);
  int64_t value = 0;
  if (literal != nullptr && literal->literal_kind == sql::LiteralKind::kExactNumeric) {
    const char* end = literal->text.data() + literal->text.size();
    const auto parsed = std::from_chars(literal->text.data(), end, value);
    if (parsed.ec == std::errc() && parsed.ptr == end) {
      return value;
    }
  }
  throw Error(ErrorCode::kValidation,
              fmt::format("{} takes a number of rows, written as digits", clause))
      .at(expr->position);
}

std::vector<ColumnIndex> columns_up_to(size_t count) {
  std::vector<ColumnIndex> columns;
  for (size_t i = 0; i < count; ++i) {
    columns.push_back({static_cast<int32_t>(i)});
  }
  return columns;
}

/// The scope of a query's own output, for ORDER BY behind UNION and VALUES.
Scope output_scope(const Schema& schema) {
  Scope scope;
  scope.add("", {}, schema);
  return scope;
}

std::vector<LogicalSortKey> sort_keys_of_output(const PlannerContext& context,
                                                const std::vector<sql::OrderItem>& order_by,
                                                const Schema& schema) {
  const Scope scope = output_scope(schema);
  std::vector<LogicalSortKey> keys;
  for (const sql::OrderItem& item : order_by) {
    LogicalSortKey key;
    key.descending = item.descending;
    key.nulls_first = item.nulls_first.value_or(!item.descending);
    if (const std::optional<size_t> ordinal = sort_ordinal(*item.expr, schema.size())) {
      key.column = {static_cast<int32_t>(*ordinal)};
    } else {
      ExpressionBinder binder(context, scope, "ORDER BY");
      const ExpressionPtr bound = binder.bind(*item.expr);
      if (bound->kind != expression::ExpressionKind::kColumn) {
        throw Error(ErrorCode::kNotSupported,
                    "ORDER BY behind a set operation takes columns of its result")
            .at(item.expr->position);
      }
      key.column = bound->column;
    }
    keys.push_back(key);
  }
  return keys;
}

}  // namespace

LogicalPtr QueryBinder::bind(const sql::Query& query) {
  if (query.with.empty()) {
    return bind_ordered(query);
  }
  common_tables_.emplace_back();
  for (const sql::CommonTable& table : query.with) {
    LogicalPtr plan = bind(*table.query);
    if (!table.columns.empty()) {
      if (table.columns.size() != plan->schema.size()) {
        throw Error(ErrorCode::kValidation, "Number of columns must match number of query columns")
            .at(table.name.position);
      }
      std::vector<std::string> names;
      for (const sql::Identifier& column : table.columns) {
        names.push_back(column.text);
      }
      plan = make_rename(std::move(plan), names);
    }
    common_tables_.back()[table.name.text] = std::move(plan);
  }
  LogicalPtr plan = bind_ordered(query);
  common_tables_.pop_back();
  return plan;
}

LogicalPtr QueryBinder::bind_ordered(const sql::Query& query) {
  BoundSelect body;
  if (const auto* select = sql::if_a<sql::Select>(*query.body)) {
    body = bind_select(*select, query.order_by.empty() ? nullptr : &query.order_by);
  } else {
    body.plan = bind_body(*query.body);
    selected_names_.clear();
    body.visible_columns = body.plan->schema.size();
    body.sort_keys = sort_keys_of_output(context_, query.order_by, body.plan->schema);
  }
  return apply_order(query, std::move(body));
}

LogicalPtr QueryBinder::apply_order(const sql::Query& query, BoundSelect body) {
  const std::optional<int64_t> offset = row_count(query.offset, "OFFSET");
  const std::optional<int64_t> fetch = row_count(query.fetch, "LIMIT");
  LogicalPtr plan = std::move(body.plan);
  if (!body.sort_keys.empty() || offset || fetch) {
    plan = make_sort(std::move(plan), std::move(body.sort_keys), offset, fetch);
  }
  if (plan->schema.size() == body.visible_columns) {
    return plan;
  }
  std::vector<ExpressionPtr> visible;
  std::vector<std::string> names;
  for (const ColumnIndex column : columns_up_to(body.visible_columns)) {
    visible.push_back(column_of(plan->schema, static_cast<size_t>(column.value)));
    names.push_back(plan->schema[static_cast<size_t>(column.value)].name);
  }
  return make_project(std::move(plan), std::move(visible), names);
}

LogicalPtr QueryBinder::bind_body(const sql::QueryBody& body) {
  switch (body.kind) {
    case sql::QueryBodyKind::kSelect:
      return bind_select(sql::as<sql::Select>(body), nullptr).plan;
    case sql::QueryBodyKind::kValues:
      return bind_values(sql::as<sql::Values>(body));
    case sql::QueryBodyKind::kTable: {
      const auto& table = sql::as<sql::ExplicitTable>(body);
      LogicalPtr plan = bind_path(table.table);
      return make_rename(plan, names_of(plan->schema));
    }
    case sql::QueryBodyKind::kNested:
      return bind(*sql::as<sql::NestedQuery>(body).query);
    case sql::QueryBodyKind::kSetOperation: {
      const auto& node = sql::as<sql::SetOperation>(body);
      LogicalPtr left = bind_body(*node.left);
      LogicalPtr right = bind_body(*node.right);
      const auto operation = node.op == sql::SetOp::kUnion       ? SetOperationKind::kUnion
                             : node.op == sql::SetOp::kIntersect ? SetOperationKind::kIntersect
                                                                 : SetOperationKind::kExcept;
      return make_set_operation(
          operation, node.all, std::move(left), std::move(right), node.position);
    }
  }
  unreachable("query body");
}

BoundSelect QueryBinder::bind_select(const sql::Select& select,
                                     const std::vector<sql::OrderItem>* order_by) {
  BoundFrom from;
  if (select.from) {
    from = bind_from(*select.from);
  } else {
    from.plan = make_single_row();
  }
  SelectClauses clauses;
  clauses.items = &select.items;
  clauses.where = select.where;
  clauses.group_by = &select.group_by;
  clauses.having = select.having;
  clauses.distinct = select.quantifier == sql::SetQuantifier::kDistinct;
  clauses.order_by = order_by;
  clauses.windows = &select.windows;
  clauses.qualify = select.qualify;
  clauses.is_grouped = !select.group_by.empty();
  return bind_clauses(std::move(from), clauses);
}

}  // namespace thalweg::planner
