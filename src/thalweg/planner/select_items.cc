#include "thalweg/planner/select_items.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/expression/function_registry.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/expression_walk.h"
#include "thalweg/planner/function_lookup.h"
#include "thalweg/planner/literal_binder.h"

namespace thalweg::planner {

namespace {

/// The system column of managed tables (a record's own time): there for whoever names it.
constexpr std::string_view kSystemColumn = "$rowtime";

void expand_table(const Scope::Table& table,
                  SourcePosition position,
                  std::vector<SelectColumn>& columns) {
  Scope::require_distinct_names(table, position);
  for (size_t i = 0; i < table.schema.size(); ++i) {
    if (table.hidden[i] || table.schema[i].name == kSystemColumn) {
      continue;
    }
    const ColumnIndex index{table.first_column + static_cast<int32_t>(i)};
    columns.push_back({nullptr,
                       expression::make_column(index, table.schema[i].type),
                       table.schema[i].name,
                       false});
  }
}

/// `row.*`: each field of a nested row, which the name before the star means when no table does.
bool expand_row(const sql::Star& star, const Scope& scope, std::vector<SelectColumn>& columns) {
  if (star.qualifier.is_simple() && scope.find_table(star.qualifier.last()) != nullptr) {
    return false;
  }
  Scope::Match match;
  try {
    match = scope.resolve(star.qualifier);
  } catch (const Error&) {
    return false;
  }
  if (match.type.kind() != TypeKind::kRow) {
    return false;
  }
  for (const Field& field : match.type.fields()) {
    auto access = std::make_shared<sql::Column>();
    access->name = star.qualifier;
    access->name.parts.emplace_back(field.name, star.position);
    access->position = star.position;
    columns.push_back({std::move(access), nullptr, field.name, false});
  }
  return true;
}

void expand_star(const sql::Star& star, const Scope& scope, std::vector<SelectColumn>& columns) {
  if (!star.qualifier.parts.empty()) {
    if (!expand_row(star, scope, columns)) {
      expand_table(scope.resolve_table(star.qualifier), star.position, columns);
    }
    return;
  }
  if (scope.tables().empty()) {
    throw Error(ErrorCode::kValidation, "SELECT * requires a FROM clause").at(star.position);
  }
  for (const Scope::Table& table : scope.tables()) {
    expand_table(table, star.position, columns);
  }
}

std::string name_of(const sql::SelectItem& item, size_t position) {
  if (item.alias) {
    return item.alias->text;
  }
  if (const auto* column = sql::if_a<sql::Column>(item.expr)) {
    return column->name.last();
  }
  // CURRENT_DATE and its kin are identifiers to Calcite.
  const auto* call = sql::if_a<sql::FunctionCall>(item.expr);
  if (call != nullptr && call->niladic) {
    return call->name.last();
  }
  return fmt::format("EXPR${}", position);
}

}  // namespace

std::vector<SelectColumn> expand_items(const std::vector<sql::SelectItem>& items,
                                       const Scope& scope) {
  std::vector<SelectColumn> columns;
  for (const sql::SelectItem& item : items) {
    if (const auto* star = sql::if_a<sql::Star>(item.expr)) {
      expand_star(*star, scope, columns);
      continue;
    }
    refuse_untyped_null(*item.expr);
    columns.push_back({item.expr, nullptr, name_of(item, columns.size()), item.alias.has_value()});
  }
  return columns;
}

std::vector<std::string> names_of_columns(const std::vector<SelectColumn>& columns) {
  std::vector<std::string> names;
  for (const SelectColumn& column : columns) {
    names.push_back(column.name);
  }
  return names;
}

bool contains_aggregate(const sql::Expr& expr, const PlannerContext& context) {
  return any_node(expr, [&](const sql::Expr& node) {
    const auto* call = sql::if_a<sql::FunctionCall>(node);
    return call != nullptr && find_aggregate(*call, context) != nullptr;
  });
}

bool contains_over(const sql::Expr& expr) {
  return any_node(expr, [](const sql::Expr& node) {
    const auto* call = sql::if_a<sql::FunctionCall>(node);
    return call != nullptr && call->over != nullptr;
  });
}

}  // namespace thalweg::planner
