#include <algorithm>

#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/rules/rule.h"

namespace thalweg::planner {

using expression::ExpressionKind;
using expression::ExpressionPtr;

namespace {

/// Literal rows beyond this many are data, not part of the query: the job goes over them.
constexpr size_t kMostRows = 1000;

const LogicalValues* literal_rows(const LogicalNode& node) {
  const auto* values = if_a<LogicalValues>(node);
  return values != nullptr && values->rows.size() <= kMostRows ? values : nullptr;
}

bool is_empty(const LogicalNode& node) {
  const auto* values = if_a<LogicalValues>(node);
  return values != nullptr && values->rows.empty();
}

/// What a condition says of one literal row; nullopt when only the job can tell.
std::optional<bool> keeps(const ExpressionPtr& condition,
                          const std::vector<Value>& row,
                          const Schema& schema,
                          const PlannerContext& context) {
  std::vector<ExpressionPtr> literals;
  for (size_t i = 0; i < row.size(); ++i) {
    literals.push_back(expression::make_literal(schema[i].type, row[i]));
  }
  const ExpressionPtr result = fold(substitute(condition, literals), context);
  if (result->kind != ExpressionKind::kLiteral) {
    return std::nullopt;
  }
  return !result->literal.is_null() && std::get<bool>(result->literal.data);
}

/// Whether a filter lets none of the literal rows below through.
bool drops_all(const LogicalFilter& filter, const PlannerContext& context) {
  const auto* values = literal_rows(*filter.inputs[0]);
  return values != nullptr &&
         std::all_of(values->rows.begin(), values->rows.end(), [&](const std::vector<Value>& row) {
           return keeps(filter.condition, row, values->schema, context) == false;
         });
}

}  // namespace

LogicalPtr prune_empty(const LogicalPtr& plan, const PlannerContext& context) {
  return transform_plan(plan, [&](const LogicalPtr& node) -> LogicalPtr {
    switch (node->kind) {
      case LogicalNodeKind::kFilter: {
        const ExpressionPtr& condition = as<LogicalFilter>(*node).condition;
        const bool never =
            condition->kind == ExpressionKind::kLiteral &&
            (condition->literal.is_null() || !std::get<bool>(condition->literal.data));
        return never || drops_all(as<LogicalFilter>(*node), context) ? make_values(node->schema, {})
                                                                     : node;
      }
      case LogicalNodeKind::kProject:
      case LogicalNodeKind::kOver:
      case LogicalNodeKind::kSort: {
        const auto* sort = if_a<LogicalSort>(*node);
        const bool takes_none = sort != nullptr && sort->fetch == 0;
        return takes_none || is_empty(*node->inputs[0]) ? make_values(node->schema, {}) : node;
      }
      case LogicalNodeKind::kAggregate: {
        const auto& aggregate = as<LogicalAggregate>(*node);
        const bool gives_nothing = !aggregate.keys.empty() && aggregate.grouping_sets.empty();
        return gives_nothing && is_empty(*node->inputs[0]) ? make_values(node->schema, {}) : node;
      }
      default:
        return node;
    }
  });
}

}  // namespace thalweg::planner
