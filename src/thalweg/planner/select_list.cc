#include "thalweg/planner/select_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/order_binder.h"
#include "thalweg/sql/unparser.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

namespace {

bool has_column(const Scope& scope, const std::string& name) {
  const std::vector<Scope::Table>& tables = scope.tables();
  return std::any_of(tables.begin(), tables.end(), [&](const Scope::Table& table) {
    return std::any_of(table.schema.begin(), table.schema.end(), [&](const Field& field) {
      return field.name == name;
    });
  });
}

/// A condition on the results of OVER, which may name the columns of the list.
ExpressionPtr bind_qualify(const sql::Expr& qualify,
                           const std::vector<SelectColumn>& columns,
                           const std::vector<ExpressionPtr>& projections,
                           ExpressionBinder& binder) {
  std::map<std::string, ExpressionPtr> aliases;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].has_alias && !has_column(binder.scope(), columns[i].name)) {
      aliases.emplace(columns[i].name, projections[i]);
    }
  }
  binder.set_aliases(std::move(aliases));
  ExpressionPtr condition = binder.bind_condition(qualify);
  binder.set_aliases({});
  if (!has_over_call(*condition)) {
    throw Error(ErrorCode::kValidation,
                fmt::format("QUALIFY expression '{}' must contain a window function",
                            sql::unparse(qualify)))
        .at(qualify.position)
        .hint("A condition on the row itself belongs into WHERE.");
  }
  return condition;
}

/// The rows whose last column is TRUE, without it.
LogicalPtr qualified(LogicalPtr plan, std::vector<std::string> names) {
  ExpressionPtr passed = column_of(plan->schema, plan->schema.size() - 1);
  plan = make_filter(std::move(plan), std::move(passed));
  std::vector<ExpressionPtr> kept = all_columns(plan->schema);
  kept.pop_back();
  names.pop_back();
  return make_project(std::move(plan), std::move(kept), names);
}

}  // namespace

SelectList bind_select_list(std::vector<ExpressionPtr> projections,
                            const std::vector<SelectColumn>& columns,
                            const SelectClauses& clauses,
                            ExpressionBinder& binder) {
  SelectList list{std::move(projections), names_of_columns(columns), columns.size()};
  ExpressionPtr condition =
      clauses.qualify ? bind_qualify(*clauses.qualify, columns, list.projections, binder) : nullptr;
  if (clauses.order_by != nullptr) {
    OrderBinder order(columns, clauses.distinct);
    list.sort_keys = order.bind(*clauses.order_by, binder, list.projections, list.names);
  }
  if (condition) {
    list.projections.push_back(std::move(condition));
    list.names.emplace_back("QualifyExpression");
    list.is_qualified = true;
  }
  list.names = make_unique(std::move(list.names));
  return list;
}

BoundSelect project_select(LogicalPtr rows, SelectList list, OverBinder& over, bool is_grouped) {
  BoundSelect result;
  result.visible_columns = list.visible_columns;
  result.sort_keys = std::move(list.sort_keys);
  if (!over.is_empty()) {
    result.plan = over.project(std::move(rows), std::move(list.projections), list.names);
  } else if (is_grouped) {
    result.plan =
        make_project_unless_identity(std::move(rows), std::move(list.projections), list.names);
  } else {
    result.plan = make_project(std::move(rows), std::move(list.projections), list.names);
  }
  if (list.is_qualified) {
    result.plan = qualified(std::move(result.plan), std::move(list.names));
  }
  return result;
}

}  // namespace thalweg::planner
