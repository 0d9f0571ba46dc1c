#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/query_binder.h"
#include "thalweg/planner/table_function_binder.h"

namespace thalweg::planner {

const LogicalPtr* QueryBinder::find_common_table(const sql::ObjectName& name) const {
  if (!name.is_simple()) {
    return nullptr;
  }
  for (auto level = common_tables_.rbegin(); level != common_tables_.rend(); ++level) {
    const auto found = level->find(name.last());
    if (found != level->end()) {
      return &found->second;
    }
  }
  return nullptr;
}

BoundFrom QueryBinder::with_alias(LogicalPtr plan,
                                  const std::optional<sql::TableAlias>& alias,
                                  std::string default_alias,
                                  std::vector<std::string> path) {
  BoundFrom from;
  if (alias && !alias->columns.empty()) {
    if (alias->columns.size() != plan->schema.size()) {
      throw Error(ErrorCode::kValidation,
                  fmt::format("List of column aliases must have same degree as table; table has {} "
                              "columns, whereas alias list has {} columns",
                              plan->schema.size(),
                              alias->columns.size()))
          .at(alias->name.position);
    }
    std::vector<std::string> names;
    for (const sql::Identifier& column : alias->columns) {
      names.push_back(column.text);
    }
    plan = make_rename(std::move(plan), names);
  }
  if (alias) {
    path.clear();
    default_alias = alias->name.text;
  }
  from.scope.add(std::move(default_alias), std::move(path), plan->schema);
  from.plan = std::move(plan);
  return from;
}

BoundFrom QueryBinder::bind_named(const sql::NamedTable& table) {
  if (table.as_of) {
    throw Error(ErrorCode::kNotSupported, "FOR SYSTEM_TIME AS OF is not supported yet")
        .at(table.position);
  }
  LogicalPtr plan;
  std::vector<std::string> path;
  if (const LogicalPtr* common = find_common_table(table.name)) {
    plan = *common;
  } else {
    plan = bind_table(table.name, table.hints);
    const catalog::ObjectPath full = find_table(table.name)->path;
    path = {full.catalog, full.database, full.object};
  }
  return with_alias(std::move(plan), table.alias, table.name.last(), std::move(path));
}

/// Names that a subquery gives to several columns say which one is meant as little as they do
/// there.
static void keep_repeated_names(BoundFrom& from, const std::vector<std::string>& names) {
  Schema schema = from.plan->schema;
  if (names.size() != schema.size()) {
    return;
  }
  for (size_t i = 0; i < schema.size(); ++i) {
    schema[i].name = names[i];
  }
  Scope scope;
  scope.add(from.scope.tables().front().alias, {}, std::move(schema));
  from.scope = std::move(scope);
}

BoundFrom QueryBinder::bind_derived(const sql::DerivedTable& table) {
  // Rows of a subquery have no order: without a limit, ORDER BY says nothing there.
  const bool has_limit = table.query->offset != nullptr || table.query->fetch != nullptr;
  sql::Query query = *table.query;
  if (!has_limit) {
    query.order_by.clear();
  }
  LogicalPtr plan = bind(query);
  const std::vector<std::string> names = selected_names_;
  BoundFrom from = with_alias(std::move(plan), table.alias, "", {});
  if (!table.alias || table.alias->columns.empty()) {
    keep_repeated_names(from, names);
  }
  return from;
}

BoundFrom QueryBinder::bind_table_function(const sql::TableFunction& function) {
  const auto& call = sql::as<sql::FunctionCall>(*function.call);
  if (is_changelog_function(call)) {
    return with_alias(bind_changelog_function(call), function.alias, "", {});
  }
  if (!is_window_function(call)) {
    return bind_lone_function(function);
  }
  return with_alias(bind_window_function(call), function.alias, "", {});
}

BoundFrom QueryBinder::bind_from(const sql::TableRef& ref) {
  switch (ref.kind) {
    case sql::TableRefKind::kNamed:
      return bind_named(sql::as<sql::NamedTable>(ref));
    case sql::TableRefKind::kDerived:
      return bind_derived(sql::as<sql::DerivedTable>(ref));
    case sql::TableRefKind::kFunction:
      return bind_table_function(sql::as<sql::TableFunction>(ref));
    case sql::TableRefKind::kUnnest:
      return bind_lone_function(ref);
    case sql::TableRefKind::kJoin:
      return bind_join(sql::as<sql::Join>(ref));
    case sql::TableRefKind::kMatch:
      throw Error(ErrorCode::kNotSupported, "MATCH_RECOGNIZE is not supported yet")
          .at(ref.position);
  }
  unreachable("table reference");
}

LogicalPtr QueryBinder::bind_path(const sql::ObjectName& name) {
  return bind_table(name, {});
}

}  // namespace thalweg::planner
