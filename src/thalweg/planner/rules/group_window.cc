#include <algorithm>

#include "thalweg/common/error.h"
#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/group_window_binder.h"
#include "thalweg/planner/internal_functions.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/rules/rule.h"

namespace thalweg::planner {

using expression::Expression;
using expression::ExpressionPtr;

namespace {

/// The place of the group window among the keys of an aggregate, or nullopt.
std::optional<size_t> window_key(const LogicalAggregate& aggregate) {
  const auto* project = if_a<LogicalProject>(*aggregate.inputs[0]);
  if (project == nullptr) {
    return std::nullopt;
  }
  for (size_t i = 0; i < aggregate.keys.size(); ++i) {
    const auto column = static_cast<size_t>(aggregate.keys[i].value);
    if (!internal_name(*project->projections[column]).empty()) {
      return i;
    }
  }
  return std::nullopt;
}

/// All bounds of a window, as Flink adds them when one is asked for.
std::vector<NamedWindowProperty> all_properties(bool is_row_time) {
  std::vector<NamedWindowProperty> properties = {{WindowProperty::kStart, "w$start"},
                                                 {WindowProperty::kEnd, "w$end"}};
  if (is_row_time) {
    properties.push_back({WindowProperty::kRowTime, "w$rowtime"});
  }
  properties.push_back({WindowProperty::kProcessingTime, "w$proctime"});
  return properties;
}

/// The columns of the projection below, keys first and then the window's time: the plan is the same
/// wherever the window stands among the keys.
std::vector<size_t> input_order(const LogicalAggregate& aggregate,
                                size_t window_position,
                                size_t column_count) {
  const auto window = static_cast<size_t>(aggregate.keys[window_position].value);
  std::vector<size_t> order;
  for (const ColumnIndex key : aggregate.keys) {
    if (static_cast<size_t>(key.value) != window) {
      order.push_back(static_cast<size_t>(key.value));
    }
  }
  order.push_back(window);
  for (size_t i = 0; i < column_count; ++i) {
    if (std::find(order.begin(), order.end(), i) == order.end()) {
      order.push_back(i);
    }
  }
  return order;
}

/// The projection below gives the window's time column in place of the window.
LogicalPtr time_projection(const LogicalProject& project,
                           size_t window_column,
                           const std::vector<size_t>& order) {
  const Expression& window = *project.projections[window_column];
  std::vector<ExpressionPtr> projections;
  std::vector<std::string> names;
  for (const size_t column : order) {
    if (column != window_column) {
      projections.push_back(project.projections[column]);
      names.push_back(project.schema[column].name);
      continue;
    }
    const int32_t time = plain_column(*window.operands[0]);
    projections.push_back(window.operands[0]);
    names.push_back(time < 0 ? project.schema[column].name
                             : project.inputs[0]->schema[static_cast<size_t>(time)].name);
  }
  return make_project(project.inputs[0], std::move(projections), make_unique(std::move(names)));
}

/// The aggregate over a window in place of the one by the window's key. Its output has the other
/// keys and the calls in their order, then the properties.
std::shared_ptr<LogicalGroupWindowAggregate> make_group_window(const LogicalAggregate& aggregate,
                                                               size_t window_position) {
  const auto& project = as<LogicalProject>(*aggregate.inputs[0]);
  const auto window_column = static_cast<size_t>(aggregate.keys[window_position].value);
  const std::vector<size_t> order =
      input_order(aggregate, window_position, project.projections.size());
  const auto moved = [&](ColumnIndex column) {
    const auto found = std::find(order.begin(), order.end(), static_cast<size_t>(column.value));
    return column.value < 0 ? column : ColumnIndex{static_cast<int32_t>(found - order.begin())};
  };
  auto node = std::make_shared<LogicalGroupWindowAggregate>();
  node->inputs.push_back(time_projection(project, window_column, order));
  node->window = group_window_spec(*project.projections[window_column]);
  node->window.time_column = moved(aggregate.keys[window_position]);
  for (size_t i = 0; i < aggregate.keys.size(); ++i) {
    if (i != window_position) {
      node->keys.push_back(moved(aggregate.keys[i]));
      node->schema.push_back(aggregate.schema[i]);
    }
  }
  node->calls = aggregate.calls;
  for (size_t i = 0; i < aggregate.calls.size(); ++i) {
    for (ColumnIndex& argument : node->calls[i].arguments) {
      argument = moved(argument);
    }
    node->calls[i].filter = moved(node->calls[i].filter);
    node->schema.push_back(aggregate.schema[aggregate.keys.size() + i]);
  }
  return node;
}

void add_properties(LogicalGroupWindowAggregate& node) {
  const DataType& time =
      node.inputs[0]->schema[static_cast<size_t>(node.window.time_column.value)].type;
  node.properties = all_properties(node.window.is_row_time);
  for (const NamedWindowProperty& property : node.properties) {
    node.schema.push_back({property.name, window_property_type(property.property, time)});
  }
}

bool asks_for_bounds(const ExpressionPtr& expr) {
  if (window_auxiliary(std::string(internal_name(*expr)))) {
    return true;
  }
  for (const ExpressionPtr& operand : expr->operands) {
    if (asks_for_bounds(operand)) {
      return true;
    }
  }
  return false;
}

/// Expressions over the aggregate's output, over that of the window aggregate.
class BoundsRewriter {
 public:
  BoundsRewriter(const LogicalGroupWindowAggregate& node, size_t window_position)
      : node_(node), window_position_(window_position) {}

  ExpressionPtr rewrite(const ExpressionPtr& expr) const {
    const auto auxiliary = window_auxiliary(std::string(internal_name(*expr)));
    if (auxiliary) {
      return property(auxiliary->property);
    }
    if (expr->kind == expression::ExpressionKind::kColumn) {
      const auto column = static_cast<size_t>(expr->column.value);
      if (column == window_position_) {
        throw Error(ErrorCode::kValidation, "A group window is not a value that can be selected")
            .at(expr->position)
            .hint("Ask for its bounds, for example by TUMBLE_START and TUMBLE_END.");
      }
      return column_of(node_.schema, column < window_position_ ? column : column - 1);
    }
    Expression copy = *expr;
    for (ExpressionPtr& operand : copy.operands) {
      operand = rewrite(operand);
    }
    return std::make_shared<const Expression>(std::move(copy));
  }

 private:
  ExpressionPtr property(WindowProperty wanted) const {
    const size_t first = node_.keys.size() + node_.calls.size();
    for (size_t i = 0; i < node_.properties.size(); ++i) {
      if (node_.properties[i].property == wanted) {
        return column_of(node_.schema, first + i);
      }
    }
    unreachable("a property of a group window");
  }

  const LogicalGroupWindowAggregate& node_;
  size_t window_position_;
};

/// Filters of HAVING between the projection and the aggregate, from above.
LogicalPtr rewrite_above(const LogicalProject* project, const LogicalPtr& below) {
  std::vector<const LogicalFilter*> filters;
  LogicalPtr bottom = below;
  while (const auto* filter = if_a<LogicalFilter>(*bottom)) {
    filters.push_back(filter);
    bottom = filter->inputs[0];
  }
  const auto* aggregate = if_a<LogicalAggregate>(*bottom);
  if (aggregate == nullptr) {
    return nullptr;
  }
  const std::optional<size_t> position = window_key(*aggregate);
  if (!position) {
    return nullptr;
  }
  std::shared_ptr<LogicalGroupWindowAggregate> node = make_group_window(*aggregate, *position);
  bool needs_bounds = false;
  for (const LogicalFilter* filter : filters) {
    needs_bounds = needs_bounds || asks_for_bounds(filter->condition);
  }
  for (size_t i = 0; project != nullptr && i < project->projections.size(); ++i) {
    needs_bounds = needs_bounds || asks_for_bounds(project->projections[i]);
  }
  if (needs_bounds && node->window.counts_rows) {
    throw Error(ErrorCode::kValidation,
                "Window start and Window end cannot be selected for a row-count window.");
  }
  if (needs_bounds) {
    add_properties(*node);
  }
  const BoundsRewriter rewriter(*node, *position);
  LogicalPtr plan = node;
  for (auto filter = filters.rbegin(); filter != filters.rend(); ++filter) {
    plan = make_filter(std::move(plan), rewriter.rewrite((*filter)->condition));
  }
  if (project == nullptr) {
    return plan;
  }
  std::vector<ExpressionPtr> projections;
  for (const ExpressionPtr& projection : project->projections) {
    projections.push_back(rewriter.rewrite(projection));
  }
  return make_project(std::move(plan), std::move(projections), names_of(project->schema));
}

}  // namespace

LogicalPtr recognise_group_windows(const LogicalPtr& plan) {
  // From above: a projection must see its aggregate before that changes its columns.
  LogicalPtr node = plan;
  if (const auto* project = if_a<LogicalProject>(*node)) {
    if (LogicalPtr rewritten = rewrite_above(project, project->inputs[0])) {
      node = std::move(rewritten);
    }
  } else if (node->kind == LogicalNodeKind::kFilter || node->kind == LogicalNodeKind::kAggregate) {
    if (LogicalPtr rewritten = rewrite_above(nullptr, node)) {
      node = std::move(rewritten);
    }
  }
  std::vector<LogicalPtr> inputs;
  for (const LogicalPtr& input : node->inputs) {
    inputs.push_back(recognise_group_windows(input));
  }
  return with_inputs(*node, std::move(inputs));
}

}  // namespace thalweg::planner
