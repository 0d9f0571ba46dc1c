#include "thalweg/planner/physical_planner.h"

#include <algorithm>

#include "thalweg/common/error.h"
#include "thalweg/planner/column_trends.h"
#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/insert_cast.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/rules/rule.h"
#include "thalweg/planner/table_binder.h"
#include "thalweg/planner/unique_keys.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

namespace {

/// A new node of a type over inputs, with what it takes over from them.
template <typename T>
std::shared_ptr<T> make_node(std::vector<PhysicalPtr> inputs, Schema schema) {
  auto node = std::make_shared<T>();
  node->schema = std::move(schema);
  for (const PhysicalPtr& input : inputs) {
    node->is_bounded = node->is_bounded && input->is_bounded;
  }
  if (!inputs.empty()) {
    node->changelog = inputs.front()->changelog;
  }
  node->inputs = std::move(inputs);
  return node;
}

bool has_changes(const PhysicalPtr& node) {
  return !node->changelog.is_insert_only();
}

}  // namespace

PhysicalPtr exchange_by(PhysicalPtr input, std::vector<ColumnIndex> keys) {
  Schema schema = input->schema;
  auto node = make_node<Exchange>({input}, std::move(schema));
  node->distribution = keys.empty() ? Distribution::kSingleton : Distribution::kHash;
  node->keys = std::move(keys);
  node->unique_keys = input->unique_keys;
  return node;
}

PhysicalPtr PhysicalPlanner::plan(const LogicalPtr& node) {
  switch (node->kind) {
    case LogicalNodeKind::kScan:
      return plan_scan(as<LogicalScan>(*node));
    case LogicalNodeKind::kWatermarkAssigner:
      return plan_watermark(as<LogicalWatermarkAssigner>(*node));
    case LogicalNodeKind::kValues:
      return plan_values(as<LogicalValues>(*node));
    case LogicalNodeKind::kCalc:
      return plan_calc(as<LogicalCalc>(*node));
    case LogicalNodeKind::kSetOperation:
      return plan_union(as<LogicalSetOperation>(*node));
    case LogicalNodeKind::kAggregate:
      return plan_aggregate(as<LogicalAggregate>(*node));
    case LogicalNodeKind::kWindowAggregate:
      return plan_window_aggregate(as<LogicalWindowAggregate>(*node));
    case LogicalNodeKind::kGroupWindowAggregate:
      return plan_group_window(as<LogicalGroupWindowAggregate>(*node));
    case LogicalNodeKind::kWindowFunction:
      return plan_window_function(as<LogicalWindowFunction>(*node));
    case LogicalNodeKind::kChangelogFunction:
      return plan_changelog_function(as<LogicalChangelogFunction>(*node));
    case LogicalNodeKind::kCorrelate:
      return plan_correlate(as<LogicalCorrelate>(*node));
    case LogicalNodeKind::kExpand:
      return plan_expand(as<LogicalExpand>(*node));
    case LogicalNodeKind::kSort:
      return plan_sort(as<LogicalSort>(*node));
    case LogicalNodeKind::kSink:
      return plan_sink(as<LogicalSink>(*node));
    case LogicalNodeKind::kCustomSource:
      return plan_custom_source(as<LogicalCustomSource>(*node));
    case LogicalNodeKind::kCustomOperator:
      return plan_custom_operator(as<LogicalCustomOperator>(*node));
    case LogicalNodeKind::kCustomSink:
      return plan_custom_sink(as<LogicalCustomSink>(*node));
    case LogicalNodeKind::kOver:
      return plan_over(as<LogicalOver>(*node));
    case LogicalNodeKind::kProject:
    case LogicalNodeKind::kFilter:
      break;
  }
  unreachable("a logical node that rules should have replaced");
}

PhysicalPtr PhysicalPlanner::plan_scan(const LogicalScan& node) {
  auto scan = make_node<Scan>({}, node.schema);
  scan->path = node.path;
  scan->table = node.table;
  scan->hint_options = node.hint_options;
  scan->filter = node.filter;
  scan->limit = node.limit;
  scan->source = create_source(node.table, {}, context_);
  scan->changelog = node.changelog;
  scan->is_bounded = node.boundedness == stream::Boundedness::kBounded;
  add_primary_key(*scan);
  if (!node.is_normalized) {
    if (!scan->unique_keys.empty() && has_changes(scan)) {
      scan->upsert_key = scan->unique_keys.front();
    }
    return scan;
  }
  // Old values are remembered by key: an upsert stream has none, others may come twice.
  if (scan->unique_keys.empty()) {
    throw Error(ErrorCode::kInvalidTable,
                fmt::format("Configuration '{}' is enabled which requires the changelog sources to "
                            "define a PRIMARY KEY. However, table '{}' doesn't have a primary key.",
                            "table.exec.source.cdc-events-duplicate",
                            fmt::join(node.path, ".")));
  }
  const std::vector<ColumnIndex> keys = scan->unique_keys.front();
  PhysicalPtr changes = scan;
  if (scan->changelog.update_before) {
    auto drop = make_node<DropUpdateBefore>({changes}, node.schema);
    drop->changelog.update_before = false;
    drop->unique_keys = scan->unique_keys;
    changes = std::move(drop);
  }
  auto normalize =
      make_node<ChangelogNormalize>({exchange_by(std::move(changes), keys)}, node.schema);
  normalize->keys = keys;
  normalize->unique_keys = {keys};
  normalize->upsert_key = keys;
  normalize->changelog = stream::ChangelogMode::all();
  return normalize;
}

PhysicalPtr PhysicalPlanner::plan_watermark(const LogicalWatermarkAssigner& node) {
  const auto* scan = if_a<LogicalScan>(*node.inputs[0]);
  PhysicalPtr input = plan(node.inputs[0]);
  const bool is_pushed = scan != nullptr && scan->abilities.watermark_per_split &&
                         input->kind == PhysicalNodeKind::kScan;
  if (is_pushed) {
    auto with_watermark = std::make_shared<Scan>(as<Scan>(*input));
    with_watermark->watermark = node.watermark;
    with_watermark->row_time = node.row_time;
    with_watermark->schema = node.schema;
    return with_watermark;
  }
  auto assigner = make_node<WatermarkAssigner>({std::move(input)}, node.schema);
  assigner->row_time = node.row_time;
  assigner->watermark = node.watermark;
  assigner->unique_keys = assigner->inputs[0]->unique_keys;
  return assigner;
}

PhysicalPtr PhysicalPlanner::plan_values(const LogicalValues& node) {
  auto values = make_node<Values>({}, node.schema);
  values->rows = node.rows;
  values->is_batch = is_batch_;
  return values;
}

/// A filter right behind a normalized changelog is applied there: a row that no longer passes is
/// taken back.
static PhysicalPtr filtered(const PhysicalPtr& normalize, ExpressionPtr condition) {
  auto copy = std::make_shared<ChangelogNormalize>(as<ChangelogNormalize>(*normalize));
  copy->condition = std::move(condition);
  return copy;
}

PhysicalPtr PhysicalPlanner::plan_calc(const LogicalCalc& node) {
  if (!is_batch_) {
    refuse_top_n(node);
  }
  PhysicalPtr input = plan(node.inputs[0]);
  ExpressionPtr condition = node.condition ? fold_for_plan(node.condition, context_) : nullptr;
  if (condition && input->kind == PhysicalNodeKind::kChangelogNormalize) {
    input = filtered(input, std::exchange(condition, nullptr));
    if (is_identity(node.projections, input->schema)) {
      return input;
    }
  }
  auto calc = make_node<Calc>({std::move(input)}, node.schema);
  for (const ExpressionPtr& projection : node.projections) {
    calc->projections.push_back(fold_for_plan(projection, context_));
  }
  calc->condition = std::move(condition);
  keep_keys(*calc);
  return calc;
}

PhysicalPtr PhysicalPlanner::plan_expand(const LogicalExpand& node) {
  auto expand = make_node<Expand>({plan(node.inputs[0])}, node.schema);
  expand->projections = node.projections;
  expand->expand_id = node.expand_id;
  return expand;
}

PhysicalPtr PhysicalPlanner::plan_correlate(const LogicalCorrelate& node) {
  auto correlate = make_node<Correlate>({plan(node.inputs[0])}, node.schema);
  correlate->function = node.function;
  correlate->signature = node.signature;
  correlate->arguments = node.arguments;
  correlate->is_outer = node.is_outer;
  if (node.function->replaces_rows && has_changes(correlate->inputs[0])) {
    correlate->changelog = {
        .insert = true, .update_before = false, .update_after = false, .remove = true};
  }
  return correlate;
}

PhysicalPtr PhysicalPlanner::plan_window_function(const LogicalWindowFunction& node) {
  if (is_batch_ && node.window.kind == WindowKind::kSession) {
    throw Error(ErrorCode::kNotSupported,
                "Unaligned windows like session are not supported in batch mode yet.");
  }
  if (is_batch_ && node.window.kind == WindowKind::kCumulate &&
      node.window.size_ms % node.window.slide_ms != 0) {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("CUMULATE table function based aggregate requires maxSize must be an "
                            "integral multiple of step, but got maxSize {} ms and step {} ms.",
                            node.window.size_ms,
                            node.window.slide_ms));
  }
  PhysicalPtr input = plan(node.inputs[0]);
  if (has_changes(input) && node.window.kind == WindowKind::kSession) {
    throw Error(ErrorCode::kNotSupported,
                "SESSION windows of a table function do not take updates");
  }
  if (node.window.kind == WindowKind::kSession) {
    input = exchange_by(std::move(input), node.partition_keys);
  }
  auto function = make_node<WindowTableFunction>({std::move(input)}, node.schema);
  function->window = node.window;
  function->partition_keys = node.partition_keys;
  function->emits_per_record = node.window.kind != WindowKind::kSession;
  return function;
}

PhysicalPtr PhysicalPlanner::plan_changelog_function(const LogicalChangelogFunction& node) {
  PhysicalPtr input = plan(node.inputs[0]);
  if (is_batch_) {
    throw Error(ErrorCode::kNotSupported,
                std::string(node.spec.name()) + " is only supported in streaming mode.");
  }
  if (node.spec.makes_table && has_changes(input)) {
    throw Error(ErrorCode::kNotSupported,
                "FROM_CHANGELOG takes rows that are only inserted, not a table that is updated.");
  }
  if (!node.spec.partition_keys.empty()) {
    input = exchange_by(std::move(input), node.spec.partition_keys);
  }
  auto function = make_node<ChangelogFunction>({std::move(input)}, node.schema);
  function->spec = node.spec;
  function->changelog =
      node.spec.makes_table ? stream::ChangelogMode::all() : stream::ChangelogMode::insert_only();
  return function;
}

/// Whether rows have a key and every update ranks them higher by `keys`.
static bool only_rise(const PhysicalNode& input, const std::vector<SortKey>& keys) {
  const std::vector<Trend> trends = column_trends(input);
  return !input.upsert_key.empty() &&
         std::all_of(keys.begin(), keys.end(), [&](const SortKey& key) {
           const Trend trend = trends[static_cast<size_t>(key.column.value)];
           return trend == Trend::kConstant ||
                  trend == (key.descending ? Trend::kRising : Trend::kFalling);
         });
}

/// Batch plans limit before the exchange too; what runs does it behind it.
template <typename Limited>
static PhysicalPtr in_two_phases(std::shared_ptr<Limited> complete, PhysicalPtr input) {
  if (!complete->fetch) {
    return complete;
  }
  auto local = std::make_shared<Limited>(*complete);
  local->phase = AggregatePhase::kLocal;
  local->fetch = complete->offset + *complete->fetch;
  local->offset = 0;
  local->inputs = {std::move(input)};
  auto global = std::make_shared<Limited>(*complete);
  global->inputs = {exchange_by(std::move(local), {})};
  global->execution = std::move(complete);
  return global;
}

PhysicalPtr PhysicalPlanner::plan_sort(const LogicalSort& node) {
  PhysicalPtr input = plan(node.inputs[0]);
  if (node.keys.empty()) {
    return plan_limit(node, std::move(input));
  }
  auto sort = make_node<Sort>({}, node.schema);
  for (const LogicalSortKey& key : node.keys) {
    sort->keys.push_back({key.column, key.descending, key.nulls_first});
  }
  sort->is_limit = node.offset.has_value() || node.fetch.has_value();
  sort->offset = node.offset.value_or(0);
  sort->fetch = node.fetch;
  sort->emits_at_end = is_batch_;
  sort->needs_retract = has_changes(input);
  sort->changelog = input->changelog;
  sort->is_bounded = input->is_bounded;
  sort->unique_keys = input->unique_keys;
  const DataType& first = node.schema[static_cast<size_t>(node.keys[0].column.value)].type;
  if (!is_batch_ && !sort->is_limit) {
    if (!first.is_time_attribute() || node.keys[0].descending) {
      throw Error(ErrorCode::kNotSupported, "Sort on a non-time-attribute field is not supported.")
          .hint("Sort by an ascending time attribute first, or add a LIMIT.");
    }
    if (sort->needs_retract) {
      throw Error(ErrorCode::kNotSupported,
                  "Sorting by time is not supported on a table that is updated");
    }
    sort->is_temporal = true;
  } else if (!is_batch_) {
    sort->changelog = stream::ChangelogMode::all();
    if (sort->needs_retract && sort->offset == 0 && only_rise(*input, sort->keys)) {
      sort->needs_retract = false;
      sort->update_key = input->upsert_key;
    }
    if (!sort->unique_keys.empty()) {
      sort->upsert_key = sort->unique_keys.front();
    }
  }
  sort->inputs.push_back(exchange_by(input, {}));
  return is_batch_ && sort->is_limit ? in_two_phases(std::move(sort), std::move(input)) : sort;
}

PhysicalPtr PhysicalPlanner::plan_limit(const LogicalSort& node, PhysicalPtr input) {
  const bool retracts = has_changes(input) && !is_batch_;
  PhysicalPtr gathered = exchange_by(std::move(input), {});
  auto limit = make_node<Limit>({gathered}, node.schema);
  limit->offset = node.offset.value_or(0);
  limit->fetch = node.fetch;
  limit->needs_retract = retracts;
  limit->is_batch = is_batch_;
  limit->unique_keys = gathered->unique_keys;
  if (retracts) {
    limit->changelog = stream::ChangelogMode::all();
  }
  return is_batch_ ? in_two_phases(std::move(limit), gathered->inputs[0]) : limit;
}

}  // namespace thalweg::planner
