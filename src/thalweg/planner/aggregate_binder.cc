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
    const auto known = std::find(sets_.begin(), sets_.end(), positions);
    if (known == sets_.end()) {
      sets_.push_back(std::move(positions));
      copies_.push_back(1);
    } else {
      ++copies_[static_cast<size_t>(known - sets_.begin())];
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

constexpr std::string_view kGroupId = "GROUP_ID";

bool is_group_id(const AggregateCall& call) {
  return is_internal_aggregate(call) && call.function->name() == kGroupId;
}

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
    if (name == kGroupId && call->args.empty()) {
      return add_call(internal_aggregate(name, DataType::big_int().not_null(), {}), *call);
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
  const LogicalPtr below =
      inputs_.empty() ? std::move(input)
                      : make_project_unless_identity(std::move(input), inputs_, input_names_);
  LogicalPtr plan = build_copies(below, 0);
  const size_t most = copies_.empty() ? 1 : *std::max_element(copies_.begin(), copies_.end());
  for (size_t group_id = 1; group_id < most; ++group_id) {
    plan = make_set_operation(
        SetOperationKind::kUnion, true, std::move(plan), build_copies(below, group_id), {});
  }
  return plan;
}

/// Sets written several times give their groups as often, told apart by GROUP_ID: the aggregate of
/// those that have a copy of this number.
LogicalPtr GroupedBinder::build_copies(const LogicalPtr& below, size_t group_id) const {
  std::vector<ColumnIndex> keys;
  for (const size_t key : keys_) {
    keys.push_back({static_cast<int32_t>(key)});
  }
  std::vector<std::vector<size_t>> sets;
  for (size_t i = 0; i < sets_.size(); ++i) {
    if (copies_[i] > group_id) {
      sets.push_back(sets_[i]);
    }
  }
  const bool is_plain = sets.size() <= 1 && (sets.empty() || sets[0].size() == keys_.size());
  std::vector<AggregateCall> calls;
  std::copy_if(calls_.begin(), calls_.end(), std::back_inserter(calls), [](const auto& call) {
    return !is_group_id(call);
  });
  const bool has_group_id = calls.size() < calls_.size();
  LogicalPtr plan = make_aggregate(
      below, std::move(keys), std::move(calls), is_plain ? decltype(sets){} : std::move(sets));
  if (!has_group_id) {
    return plan;
  }
  std::vector<ExpressionPtr> columns;
  size_t next = 0;
  for (; next < keys_.size(); ++next) {
    columns.push_back(column_of(plan->schema, next));
  }
  for (const AggregateCall& call : calls_) {
    columns.push_back(
        is_group_id(call)
            ? expression::make_literal(call.signature.result, Value(static_cast<int64_t>(group_id)))
            : column_of(plan->schema, next++));
  }
  std::vector<std::string> names;
  for (size_t i = 0; i < columns.size(); ++i) {
    names.push_back(fmt::format("${}", i));
  }
  return make_project(std::move(plan), std::move(columns), names);
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
  OverBinder over(context, clauses);
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
