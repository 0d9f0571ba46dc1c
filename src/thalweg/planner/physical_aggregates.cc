#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/column_trends.h"
#include "thalweg/planner/physical_planner.h"
#include "thalweg/planner/plan_text.h"

namespace thalweg::planner {

using expression::AggregateCall;

namespace {

bool has_changes(const PhysicalNode& node) {
  return !node.changelog.is_insert_only();
}

std::vector<ColumnIndex> leading_columns(size_t count) {
  std::vector<ColumnIndex> columns;
  for (size_t i = 0; i < count; ++i) {
    columns.push_back({static_cast<int32_t>(i)});
  }
  return columns;
}

/// "SUM_RETRACT(v) AS s": what takes rows back shows it in its name.
std::vector<std::string> retracting_texts(const GroupAggregate& aggregate,
                                          const LogicalAggregate& node,
                                          const Schema& input) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < aggregate.calls.size(); ++i) {
    std::string text = call_text(aggregate.calls[i], input, PlanStyle::kPhysical);
    if (aggregate.calls[i].function == node.calls[i].function) {
      text.insert(aggregate.calls[i].function->name().size(), "_RETRACT");
    }
    texts.push_back(
        fmt::format("{} AS {}", text, aggregate.schema[aggregate.keys.size() + i].name));
  }
  return texts;
}

}  // namespace

PhysicalPtr PhysicalPlanner::plan_aggregate(const LogicalAggregate& node) {
  PhysicalPtr input = plan(node.inputs[0]);
  auto aggregate = std::make_shared<GroupAggregate>();
  aggregate->schema = node.schema;
  for (Field& field : aggregate->schema) {
    field.type = field.type.with_time_attribute(TimeAttribute::kNone);
  }
  aggregate->keys = node.keys;
  aggregate->calls = node.calls;
  aggregate->needs_retract = has_changes(*input) && !is_batch_;
  if (aggregate->needs_retract) {
    aggregate->calls = without_needless_retraction(std::move(aggregate->calls), *input);
    aggregate->call_texts = retracting_texts(*aggregate, node, input->schema);
  }
  aggregate->emits_at_end = is_batch_;
  const auto* literal_rows = if_a<LogicalValues>(*node.inputs[0]);
  aggregate->emits_when_empty =
      is_batch_ || (literal_rows != nullptr && literal_rows->rows.empty());
  aggregate->is_mini_batch = !is_batch_ && context_.flag("table.exec.mini-batch.enabled", false);
  aggregate->is_bounded = input->is_bounded;
  if (!node.keys.empty()) {
    aggregate->unique_keys = {leading_columns(node.keys.size())};
    aggregate->upsert_key = leading_columns(node.keys.size());
  } else {
    aggregate->unique_keys = {{}};
  }
  if (!is_batch_) {
    aggregate->changelog = {true, true, true, aggregate->needs_retract};
  }
  const PhysicalPtr exchange = exchange_by(input, node.keys);
  aggregate->inputs.push_back(exchange);
  if (is_batch_) {
    if (PhysicalPtr phased = two_phase_aggregate(aggregate, input)) {
      return phased;
    }
  }
  return aggregate;
}

namespace {

/// table.exec.emit.*: results before a window ends and after.
void check_emit_of_function(const PlannerContext& context) {
  if (context.flag("table.exec.emit.early-fire.enabled", false) ||
      context.flag("table.exec.emit.late-fire.enabled", false)) {
    throw Error(ErrorCode::kNotSupported,
                "Currently, window table function based aggregate doesn't support early-fire and "
                "late-fire configuration 'table.exec.emit.early-fire.enabled' and "
                "'table.exec.emit.late-fire.enabled'.");
  }
}

/// Rows that come late are dropped here, so results after a window's end are refused.
void check_emit_of_group(const WindowSpec& window, const PlannerContext& context) {
  const bool late = context.flag("table.exec.emit.late-fire.enabled", false);
  if (window.kind == WindowKind::kSession &&
      (late || context.flag("table.exec.emit.early-fire.enabled", false))) {
    throw Error(ErrorCode::kNotSupported,
                "Session window doesn't support EMIT strategy currently.");
  }
  if (late && !context.find("table.exec.emit.allow-lateness") &&
      !context.find("table.exec.state.ttl")) {
    throw Error(ErrorCode::kNotSupported,
                "The 'AFTER WATERMARK' emit strategy requires set 'allow-lateness' or "
                "'minIdleStateRetentionTime' in table config.");
  }
  if (late) {
    throw Error(ErrorCode::kNotSupported, "'table.exec.emit.late-fire.enabled' is not supported");
  }
}

}  // namespace

PhysicalPtr PhysicalPlanner::plan_window_aggregate(const LogicalWindowAggregate& node) {
  check_emit_of_function(context_);
  PhysicalPtr input = plan(node.inputs[0]);
  auto aggregate = std::make_shared<WindowAggregate>();
  aggregate->schema = node.schema;
  for (size_t i = 0; i < node.keys.size() + node.calls.size(); ++i) {
    DataType& type = aggregate->schema[i].type;
    type = type.with_time_attribute(TimeAttribute::kNone);
  }
  aggregate->window = node.window;
  aggregate->keys = node.keys;
  aggregate->calls = node.calls;
  aggregate->properties = node.properties;
  aggregate->needs_retract = has_changes(*input);
  aggregate->is_bounded = input->is_bounded;
  aggregate->inputs.push_back(exchange_by(input, node.keys));
  if (PhysicalPtr phased = two_phase_window(aggregate, input)) {
    return phased;
  }
  return aggregate;
}

PhysicalPtr PhysicalPlanner::plan_group_window(const LogicalGroupWindowAggregate& node) {
  if (!is_batch_) {
    check_emit_of_group(node.window, context_);
  }
  PhysicalPtr input = plan(node.inputs[0]);
  auto aggregate = std::make_shared<GroupWindowAggregate>();
  aggregate->schema = node.schema;
  for (size_t i = 0; i < node.keys.size() + node.calls.size(); ++i) {
    DataType& type = aggregate->schema[i].type;
    type = type.with_time_attribute(TimeAttribute::kNone);
  }
  aggregate->window = node.window;
  aggregate->keys = node.keys;
  aggregate->calls = node.calls;
  aggregate->properties = node.properties;
  aggregate->needs_retract = has_changes(*input) && !is_batch_;
  aggregate->emits_at_end = is_batch_;
  aggregate->is_bounded = input->is_bounded;
  aggregate->inputs.push_back(exchange_by(std::move(input), node.keys));
  return aggregate;
}

}  // namespace thalweg::planner
