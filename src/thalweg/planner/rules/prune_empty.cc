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

LogicalPtr filter_values(const LogicalPtr& node, const PlannerContext& context) {
  const auto& filter = as<LogicalFilter>(*node);
  const auto* values = literal_rows(*filter.inputs[0]);
  if (values == nullptr) {
    return node;
  }
  std::vector<std::vector<Value>> rows;
  for (const std::vector<Value>& row : values->rows) {
    const std::optional<bool> kept = keeps(filter.condition, row, values->schema, context);
    if (!kept) {
      return node;
    }
    if (*kept) {
      rows.push_back(row);
    }
  }
  return make_values(values->schema, std::move(rows));
}

/// A projection that only passes columns on, over literal rows.
LogicalPtr project_values(const LogicalPtr& node) {
  const auto& project = as<LogicalProject>(*node);
  const auto* values = literal_rows(*project.inputs[0]);
  if (values == nullptr) {
    return node;
  }
  if (values->rows.empty()) {
    return make_values(project.schema, {});
  }
  for (const ExpressionPtr& projection : project.projections) {
    if (plain_column(*projection) < 0) {
      return node;
    }
  }
  std::vector<std::vector<Value>> rows;
  for (const std::vector<Value>& row : values->rows) {
    std::vector<Value>& projected = rows.emplace_back();
    for (const ExpressionPtr& projection : project.projections) {
      projected.push_back(row[static_cast<size_t>(plain_column(*projection))]);
    }
  }
  return make_values(project.schema, std::move(rows));
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
        return never ? make_values(node->schema, {}) : filter_values(node, context);
      }
      case LogicalNodeKind::kProject:
        return project_values(node);
      case LogicalNodeKind::kOver:
      case LogicalNodeKind::kSort:
        return is_empty(*node->inputs[0]) ? make_values(node->schema, {}) : node;
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
