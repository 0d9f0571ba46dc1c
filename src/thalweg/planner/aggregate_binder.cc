#include "thalweg/planner/aggregate_binder.h"

#include <algorithm>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/expression/function_registry.h"
#include "thalweg/planner/function_lookup.h"
#include "thalweg/planner/group_window_binder.h"
#include "thalweg/planner/grouping_sets.h"
#include "thalweg/planner/internal_functions.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/select_list.h"
#include "thalweg/sql/unparser.h"

namespace thalweg::planner {

using expression::AggregateCall;
using expression::ExpressionPtr;

GroupedBinder::GroupedBinder(const PlannerContext& context,
                             const Scope& scope,
                             std::map<std::string, std::string> names)
    : ExpressionBinder(context, scope, "SELECT"),
      input_(context, scope, "GROUP BY"),
      names_(std::move(names)) {}

std::string GroupedBinder::name_for(const sql::Expr& expr) const {
  const auto found = names_.find(sql::unparse(expr));
  return found == names_.end() ? std::string() : found->second;
}

size_t GroupedBinder::add_input(ExpressionPtr expr, std::string name) {
  if (name.empty() && expr->kind == expression::ExpressionKind::kColumn) {
    for (const Scope::Table& table : scope().tables()) {
      const int32_t offset = expr->column.value - table.first_column;
      if (offset >= 0 && offset < static_cast<int32_t>(table.schema.size())) {
        name = table.schema[static_cast<size_t>(offset)].name;
      }
    }
  }
  if (name.empty() ||
      std::find(input_names_.begin(), input_names_.end(), name) != input_names_.end()) {
    name = fmt::format("$f{}", inputs_.size());
  }
  inputs_.push_back(std::move(expr));
  input_names_.push_back(std::move(name));
  return inputs_.size() - 1;
}

size_t GroupedBinder::find_or_add_input(ExpressionPtr expr) {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (expression::equal(*inputs_[i], *expr)) {
      return i;
    }
  }
  return add_input(std::move(expr), {});
}

ExpressionPtr GroupedBinder::bind_input(const sql::Expr& expr) {
  if (const auto* call = sql::if_a<sql::FunctionCall>(expr)) {
    const std::string name = function_name(*call);
    const std::optional<WindowKind> window = group_window_kind(name);
    if (window && context().functions.find_scalar(name) == nullptr) {
      return bind_group_window(*call, *window, input_);
    }
  }
  return input_.bind(expr);
}

size_t GroupedBinder::add_key(const sql::Expr& expr) {
  ExpressionPtr bound = bind_input(expr);
  for (size_t key = 0; key < keys_.size(); ++key) {
    const expression::Expression& known = *inputs_[keys_[key]];
    if (expression::equal(known, *bound) ||
        (!internal_name(known).empty() && same_window(known, *bound))) {
      return key;
    }
  }
  keys_.push_back(add_input(std::move(bound), name_for(expr)));
  return keys_.size() - 1;
}

void GroupedBinder::add_keys(const std::vector<std::vector<sql::ExprPtr>>& sets) {
  for (const std::vector<sql::ExprPtr>& set : sets) {
    std::vector<size_t> positions;
    for (const sql::ExprPtr& expr : set) {
      const size_t key = add_key(*expr);
      if (std::find(positions.begin(), positions.end(), key) == positions.end()) {
        positions.push_back(key);
      }
    }
    std::sort(positions.begin(), positions.end());
    if (std::find(sets_.begin(), sets_.end(), positions) == sets_.end()) {
      sets_.push_back(std::move(positions));
    }
  }
}

ExpressionPtr GroupedBinder::key_reference(size_t key) const {
  DataType type = inputs_[keys_[key]]->type;
  for (const std::vector<size_t>& set : sets_) {
    if (std::find(set.begin(), set.end(), key) == set.end()) {
      type = type.as_nullable();
    }
  }
  return expression::make_column({static_cast<int32_t>(key)}, type);
}

ExpressionPtr GroupedBinder::match_key(const sql::Expr& expr) {
  const bool is_column = expr.kind == sql::ExprKind::kColumn;
  const bool may_match = is_column || std::any_of(keys_.begin(), keys_.end(), [&](size_t input) {
                           return inputs_[input]->kind != expression::ExpressionKind::kColumn;
                         });
  if (!may_match || expr.kind == sql::ExprKind::kLiteral || contains_aggregate(expr, context())) {
    return nullptr;
  }
  ExpressionPtr bound;
  if (is_column) {
    bound = input_.bind(expr);
  } else {
    try {
      bound = bind_input(expr);
    } catch (const Error&) {
      return nullptr;  // it has parts that mean something here only
    }
  }
  return find_key(*bound);
}

ExpressionPtr GroupedBinder::find_key(const expression::Expression& bound) const {
  for (size_t key = 0; key < keys_.size(); ++key) {
    if (expression::equal(*inputs_[keys_[key]], bound)) {
      return key_reference(key);
    }
  }
  return nullptr;
}

namespace {

[[noreturn]] void not_grouped(const std::string& name, SourcePosition position) {
  throw Error(ErrorCode::kValidation, fmt::format("Expression '{}' is not being grouped", name))
      .at(position)
      .hint("Add it to GROUP BY, or put it into an aggregate function such as MAX.");
}

}  // namespace

ExpressionPtr GroupedBinder::bind_selected(const SelectColumn& column) {
  if (column.expr) {
    return bind(*column.expr);
  }
  if (ExpressionPtr key = find_key(*column.bound)) {
    return key;
  }
  not_grouped(column.name, column.bound->position);
}

bool GroupedBinder::is_aggregate(const sql::FunctionCall& call) const {
  return find_aggregate(call, context()) != nullptr;
}

ExpressionPtr GroupedBinder::replace(const sql::Expr& expr) {
  if (const auto* call = sql::if_a<sql::FunctionCall>(expr)) {
    const std::string name = function_name(*call);
    if (is_aggregate(*call)) {
      return bind_aggregate(*call);
    }
    if (name == "GROUPING" || name == "GROUPING_ID") {
      return bind_grouping(*call);
    }
    if (window_auxiliary(name)) {
      return bind_auxiliary(*call);
    }
  }
  if (ExpressionPtr key = match_key(expr)) {
    return key;
  }
  if (expr.kind == sql::ExprKind::kColumn) {
    not_grouped(sql::as<sql::Column>(expr).name.dotted(), expr.position);
  }
  return nullptr;
}

LogicalPtr GroupedBinder::build(LogicalPtr input) const {
  std::vector<ExpressionPtr> inputs = inputs_;
  std::vector<std::string> names = input_names_;
  if (inputs.empty()) {
    inputs.push_back(expression::make_literal(DataType::integer().not_null(), Value(int64_t{0})));
    names.emplace_back("$f0");
  }
  LogicalPtr below = make_project_unless_identity(std::move(input), std::move(inputs), names);
  std::vector<ColumnIndex> keys;
  for (const size_t key : keys_) {
    keys.push_back({static_cast<int32_t>(key)});
  }
  return make_aggregate(std::move(below),
                        std::move(keys),
                        calls_,
                        sets_.size() > 1 ? sets_ : std::vector<std::vector<size_t>>{});
}

BoundSelect bind_grouped(const PlannerContext& context,
                         BoundFrom from,
                         const std::vector<SelectColumn>& columns,
                         const SelectClauses& clauses) {
  std::map<std::string, std::string> item_names;
  for (const SelectColumn& column : columns) {
    if (column.expr) {
      item_names.emplace(sql::unparse(*column.expr), column.name);
    }
  }
  if (clauses.having && contains_over(*clauses.having)) {
    throw Error(ErrorCode::kValidation, "Windowed aggregate expression is illegal in HAVING clause")
        .at(clauses.having->position)
        .hint("Write the condition behind QUALIFY.");
  }
  OverBinder over(context, clauses.windows);
  GroupedBinder binder(context, from.scope, std::move(item_names));
  binder.set_over(&over);
  if (clauses.group_by != nullptr) {
    binder.add_keys(expand_grouping(*clauses.group_by));
  }
  std::vector<ExpressionPtr> projections;
  for (const SelectColumn& column : columns) {
    projections.push_back(binder.bind_selected(column));
  }
  ExpressionPtr having;
  if (clauses.having) {
    having = binder.bind_condition(*clauses.having);
  }
  SelectList list = bind_select_list(std::move(projections), columns, clauses, binder);
  LogicalPtr plan = binder.build(std::move(from.plan));
  if (having) {
    plan = make_filter(std::move(plan), std::move(having));
  }
  return project_select(std::move(plan), std::move(list), over, true);
}

}  // namespace thalweg::planner
