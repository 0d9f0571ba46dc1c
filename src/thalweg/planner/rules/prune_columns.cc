#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/pushdown.h"
#include "thalweg/planner/rules/rule.h"

namespace thalweg::planner {

using expression::AggregateCall;
using expression::ExpressionPtr;

namespace {

using Required = std::vector<bool>;

/// A node without the columns that nobody reads, and where the others are now (-1: gone).
struct Pruned {
  LogicalPtr plan;
  std::vector<int32_t> mapping;
};

Pruned prune(const LogicalPtr& node, const Required& required);

std::vector<int32_t> identity_mapping(size_t count) {
  std::vector<int32_t> mapping(count);
  std::iota(mapping.begin(), mapping.end(), 0);
  return mapping;
}

void require(Required& required, const ExpressionPtr& expr) {
  if (!expr) {
    return;
  }
  for (const ColumnIndex column : expression::referenced_columns(*expr)) {
    required[static_cast<size_t>(column.value)] = true;
  }
}

void require(Required& required, ColumnIndex column) {
  if (column.value >= 0) {
    required[static_cast<size_t>(column.value)] = true;
  }
}

void require(Required& required, const AggregateCall& call) {
  for (const ColumnIndex argument : call.arguments) {
    require(required, argument);
  }
  require(required, call.filter);
}

void move(ColumnIndex& column, const std::vector<int32_t>& mapping) {
  if (column.value >= 0) {
    column.value = mapping[static_cast<size_t>(column.value)];
  }
}

void move(AggregateCall& call, const std::vector<int32_t>& mapping) {
  for (ColumnIndex& argument : call.arguments) {
    move(argument, mapping);
  }
  move(call.filter, mapping);
}

void require_window(Required& required, const WindowSpec& window) {
  require(required, window.time_column);
  require(required, window.window_start);
  require(required, window.window_end);
}

void move_window(WindowSpec& window, const std::vector<int32_t>& mapping) {
  move(window.time_column, mapping);
  move(window.window_start, mapping);
  move(window.window_end, mapping);
}

/// The positions that are required; the first one when none is, since a batch needs a column.
std::vector<size_t> kept_positions(const Required& required) {
  std::vector<size_t> kept;
  for (size_t i = 0; i < required.size(); ++i) {
    if (required[i]) {
      kept.push_back(i);
    }
  }
  if (kept.empty() && !required.empty()) {
    kept.push_back(0);
  }
  return kept;
}

std::vector<int32_t> mapping_of(const std::vector<size_t>& kept, size_t count) {
  std::vector<int32_t> mapping(count, -1);
  for (size_t i = 0; i < kept.size(); ++i) {
    mapping[kept[i]] = static_cast<int32_t>(i);
  }
  return mapping;
}

/// The columns of a scan that are kept, in the scan's order.
Required kept_of_scan(const LogicalScan& scan, Required required) {
  // An upsert stream is told apart by its key, and only what is read of it is remembered.
  const bool keeps_all = !push_down_of(scan.table).projection && !scan.is_normalized;
  for (size_t i = 0; i < scan.table.columns.size(); ++i) {
    const std::vector<std::string>& key = scan.table.primary_key;
    const bool is_key = std::find(key.begin(), key.end(), scan.table.columns[i].name) != key.end();
    required[i] = required[i] || keeps_all || (scan.is_normalized && is_key);
  }
  return required;
}

/// The scan with just `kept` columns, physical ones first.
Pruned narrowed_scan(const LogicalScan& scan, const std::vector<size_t>& kept) {
  auto copy = std::make_shared<LogicalScan>(scan);
  copy->schema.clear();
  copy->table.metadata_keys.clear();
  std::vector<int32_t> projection;
  const size_t physical = scan.table.columns.size();
  for (const size_t column : kept) {
    copy->schema.push_back(scan.schema[column]);
    if (column < physical) {
      projection.push_back(static_cast<int32_t>(column));
    } else {
      copy->table.metadata_keys.push_back(scan.table.metadata_keys[column - physical]);
    }
  }
  if (projection != identity_mapping(physical)) {
    copy->table.projection = std::move(projection);
  }
  return {std::move(copy), mapping_of(kept, scan.schema.size())};
}

Pruned prune_scan(const LogicalScan& scan, const Required& required) {
  return narrowed_scan(scan, kept_positions(kept_of_scan(scan, required)));
}

/// The columns that an expression names, in its order.
void append_columns(const expression::Expression& expr, std::vector<size_t>& places) {
  const auto place = static_cast<size_t>(expr.column.value);
  if (expr.kind == expression::ExpressionKind::kColumn &&
      std::find(places.begin(), places.end(), place) == places.end()) {
    places.push_back(place);
  }
  for (const ExpressionPtr& operand : expr.operands) {
    append_columns(*operand, places);
  }
}

/// As Flink's projections of sources: in the order in which the expressions name the columns.
Pruned prune_scan_for(const LogicalScan& scan,
                      const Required& required,
                      const std::vector<ExpressionPtr>& projections) {
  const std::vector<size_t> kept = kept_positions(kept_of_scan(scan, required));
  std::vector<size_t> ordered;
  for (const ExpressionPtr& projection : projections) {
    append_columns(*projection, ordered);
  }
  for (const size_t place : kept) {
    if (std::find(ordered.begin(), ordered.end(), place) == ordered.end()) {
      ordered.push_back(place);
    }
  }
  const size_t physical = scan.table.columns.size();
  std::stable_partition(
      ordered.begin(), ordered.end(), [&](size_t place) { return place < physical; });
  return narrowed_scan(scan, ordered);
}

Pruned prune_watermark(const LogicalWatermarkAssigner& node, Required required) {
  require(required, node.row_time);
  require(required, node.watermark);
  Pruned input = prune(node.inputs[0], required);
  auto copy = std::make_shared<LogicalWatermarkAssigner>(node);
  move(copy->row_time, input.mapping);
  copy->watermark = expression::remap_columns(node.watermark, input.mapping);
  copy->schema = input.plan->schema;
  DataType& type = copy->schema[static_cast<size_t>(copy->row_time.value)].type;
  type = type.with_time_attribute(TimeAttribute::kEventTime);
  copy->inputs = {std::move(input.plan)};
  return {std::move(copy), std::move(input.mapping)};
}

/// The windows below a calc that computes something give up columns that nobody reads.
LogicalPtr input_to_prune(const LogicalCalc& calc) {
  const auto* over = if_a<LogicalOver>(*calc.inputs[0]);
  const bool computes = std::any_of(
      calc.projections.begin(), calc.projections.end(), [](const ExpressionPtr& projection) {
        return plain_column(*projection) < 0;
      });
  if (over == nullptr || calc.condition || !computes) {
    return calc.inputs[0];
  }
  auto copy = std::make_shared<LogicalOver>(*over);
  copy->keeps_all_columns = false;
  return copy;
}

Pruned prune_calc(const LogicalCalc& calc, const Required& required) {
  const std::vector<size_t> kept = kept_positions(required);
  Required below(calc.inputs[0]->schema.size(), false);
  for (const size_t i : kept) {
    require(below, calc.projections[i]);
  }
  require(below, calc.condition);
  std::vector<ExpressionPtr> read;
  for (const size_t i : kept) {
    read.push_back(calc.projections[i]);
  }
  const auto* scan = if_a<LogicalScan>(*calc.inputs[0]);
  const bool is_projection =
      scan != nullptr && !calc.condition && push_down_of(scan->table).projection;
  Pruned input =
      is_projection ? prune_scan_for(*scan, below, read) : prune(input_to_prune(calc), below);
  std::vector<ExpressionPtr> projections;
  std::vector<std::string> names;
  for (const size_t i : kept) {
    projections.push_back(expression::remap_columns(calc.projections[i], input.mapping));
    names.push_back(calc.schema[i].name);
  }
  ExpressionPtr condition =
      calc.condition ? expression::remap_columns(calc.condition, input.mapping) : nullptr;
  return {make_calc(std::move(input.plan), std::move(projections), std::move(condition), names),
          mapping_of(kept, calc.schema.size())};
}

/// Keys and the `tail` properties stay; calls whose results nobody reads go.
template <typename Aggregate>
std::vector<int32_t> prune_calls(Aggregate& aggregate, const Required& required, size_t tail) {
  const size_t key_count = aggregate.keys.size();
  std::vector<size_t> kept;
  for (size_t i = 0; i < key_count; ++i) {
    kept.push_back(i);
  }
  std::vector<AggregateCall> calls;
  for (size_t i = 0; i < aggregate.calls.size(); ++i) {
    const bool keep_one =
        key_count == 0 && tail == 0 && calls.empty() && i + 1 == aggregate.calls.size();
    if (required[key_count + i] || keep_one) {
      kept.push_back(key_count + i);
      calls.push_back(aggregate.calls[i]);
    }
  }
  for (size_t i = 0; i < tail; ++i) {
    kept.push_back(key_count + aggregate.calls.size() + i);
  }
  Schema schema;
  for (const size_t column : kept) {
    schema.push_back(aggregate.schema[column]);
  }
  std::vector<int32_t> mapping = mapping_of(kept, aggregate.schema.size());
  aggregate.calls = std::move(calls);
  aggregate.schema = std::move(schema);
  return mapping;
}

/// A node whose columns go when nobody reads them; below others Flink's plan has a projection.
bool gives_up_columns(const LogicalNode& node) {
  if (const auto* scan = if_a<LogicalScan>(node)) {
    return push_down_of(scan->table).projection;
  }
  if (const auto* values = if_a<LogicalValues>(node)) {
    return values->rows.empty();
  }
  return node.kind == LogicalNodeKind::kCalc || node.kind == LogicalNodeKind::kSetOperation;
}

/// COUNT(*) reads no column: one stands in for all.
Pruned prune_all(const LogicalPtr& node) {
  Pruned input = prune(node, Required(node->schema.size(), false));
  if (node->schema.size() > 1 && !gives_up_columns(*node)) {
    input.plan =
        make_calc(std::move(input.plan),
                  {expression::make_literal(DataType::integer().not_null(), Value(int64_t{0}))},
                  nullptr,
                  {"$f0"});
  }
  return input;
}

/// The columns that an aggregate's projection gives it, when it does nothing but pass on all of its
/// input's; empty otherwise. Flink then leaves it out.
std::vector<int32_t> passed_on(const LogicalNode& node) {
  const auto* calc = if_a<LogicalCalc>(node);
  if (calc == nullptr || calc->condition) {
    return {};
  }
  std::vector<int32_t> places;
  Required used(calc->inputs[0]->schema.size(), false);
  for (const ExpressionPtr& projection : calc->projections) {
    places.push_back(plain_column(*projection));
    if (places.back() < 0) {
      return {};
    }
    used[static_cast<size_t>(places.back())] = true;
  }
  const bool all = std::find(used.begin(), used.end(), false) == used.end();
  return all ? places : std::vector<int32_t>{};
}

/// The aggregate over its projection's input; its keys are sorted as Calcite's sets of columns are,
/// which moves them in its output too.
void skip_projection(LogicalAggregate& aggregate, std::vector<int32_t>& mapping) {
  const std::vector<int32_t> places = passed_on(*aggregate.inputs[0]);
  if (places.empty()) {
    return;
  }
  aggregate.inputs = {aggregate.inputs[0]->inputs[0]};
  for (ColumnIndex& key : aggregate.keys) {
    move(key, places);
  }
  for (AggregateCall& call : aggregate.calls) {
    move(call, places);
  }
  std::vector<size_t> order(aggregate.keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t left, size_t right) {
    return aggregate.keys[left].value < aggregate.keys[right].value;
  });
  const std::vector<ColumnIndex> keys = aggregate.keys;
  const Schema schema = aggregate.schema;
  std::vector<int32_t> moved = identity_mapping(schema.size());
  for (size_t i = 0; i < order.size(); ++i) {
    aggregate.keys[i] = keys[order[i]];
    aggregate.schema[i] = schema[order[i]];
    moved[order[i]] = static_cast<int32_t>(i);
  }
  for (int32_t& column : mapping) {
    column = column < 0 ? column : moved[static_cast<size_t>(column)];
  }
}

Pruned prune_aggregate(const LogicalAggregate& node, const Required& required) {
  auto copy = std::make_shared<LogicalAggregate>(node);
  std::vector<int32_t> mapping = prune_calls(*copy, required, 0);
  Required below(node.inputs[0]->schema.size(), false);
  for (const ColumnIndex key : copy->keys) {
    require(below, key);
  }
  for (const AggregateCall& call : copy->calls) {
    require(below, call);
  }
  const bool reads_some = std::find(below.begin(), below.end(), true) != below.end();
  Pruned input = reads_some ? prune(node.inputs[0], below) : prune_all(node.inputs[0]);
  for (ColumnIndex& key : copy->keys) {
    move(key, input.mapping);
  }
  for (AggregateCall& call : copy->calls) {
    move(call, input.mapping);
  }
  copy->inputs = {std::move(input.plan)};
  skip_projection(*copy, mapping);
  return {std::move(copy), std::move(mapping)};
}

template <typename Aggregate>
Pruned prune_windowed(const Aggregate& node, const Required& required) {
  auto copy = std::make_shared<Aggregate>(node);
  std::vector<int32_t> mapping = prune_calls(*copy, required, node.properties.size());
  Required below(node.inputs[0]->schema.size(), false);
  for (const ColumnIndex key : copy->keys) {
    require(below, key);
  }
  for (const AggregateCall& call : copy->calls) {
    require(below, call);
  }
  require_window(below, copy->window);
  Pruned input = prune(node.inputs[0], below);
  for (ColumnIndex& key : copy->keys) {
    move(key, input.mapping);
  }
  for (AggregateCall& call : copy->calls) {
    move(call, input.mapping);
  }
  move_window(copy->window, input.mapping);
  copy->inputs = {std::move(input.plan)};
  return {std::move(copy), std::move(mapping)};
}

Pruned prune_window_function(const LogicalWindowFunction& node, const Required& required) {
  const size_t width = node.inputs[0]->schema.size();
  Required below(required.begin(), required.begin() + static_cast<int64_t>(width));
  require_window(below, node.window);
  for (const ColumnIndex key : node.partition_keys) {
    require(below, key);
  }
  Pruned input = prune(node.inputs[0], below);
  auto copy = std::make_shared<LogicalWindowFunction>(node);
  move_window(copy->window, input.mapping);
  for (ColumnIndex& key : copy->partition_keys) {
    move(key, input.mapping);
  }
  copy->schema = input.plan->schema;
  const auto first = static_cast<int32_t>(copy->schema.size());
  std::vector<int32_t> mapping = input.mapping;
  for (int32_t i = 0; i < 3; ++i) {
    copy->schema.push_back(node.schema[width + static_cast<size_t>(i)]);
    mapping.push_back(first + i);
  }
  copy->inputs = {std::move(input.plan)};
  return {std::move(copy), std::move(mapping)};
}

/// The input's columns that nobody reads go; the function's stay.
Pruned prune_correlate(const LogicalCorrelate& node, const Required& required) {
  const size_t width = node.inputs[0]->schema.size();
  Required below(required.begin(), required.begin() + static_cast<int64_t>(width));
  for (const ExpressionPtr& argument : node.arguments) {
    require(below, argument);
  }
  Pruned input = prune(node.inputs[0], below);
  auto copy = std::make_shared<LogicalCorrelate>(node);
  for (ExpressionPtr& argument : copy->arguments) {
    argument = expression::remap_columns(argument, input.mapping);
  }
  copy->schema = input.plan->schema;
  std::vector<int32_t> mapping = input.mapping;
  for (size_t column = width; column < node.schema.size(); ++column) {
    mapping.push_back(static_cast<int32_t>(copy->schema.size()));
    copy->schema.push_back(node.schema[column]);
  }
  copy->inputs = {std::move(input.plan)};
  return {std::move(copy), std::move(mapping)};
}

/// `pruned` with exactly the kept columns in their order.
LogicalPtr exactly(Pruned pruned, const Schema& schema, const std::vector<size_t>& kept) {
  std::vector<ExpressionPtr> columns;
  std::vector<std::string> names;
  for (const size_t column : kept) {
    const auto at = static_cast<size_t>(pruned.mapping[column]);
    columns.push_back(column_of(pruned.plan->schema, at));
    names.push_back(schema[column].name);
  }
  return make_calc(std::move(pruned.plan), std::move(columns), nullptr, names);
}

Pruned prune_union(const LogicalSetOperation& node, const Required& required) {
  const std::vector<size_t> kept = kept_positions(required);
  Required exact(required.size(), false);
  auto copy = std::make_shared<LogicalSetOperation>(node);
  copy->schema.clear();
  for (const size_t column : kept) {
    exact[column] = true;
    copy->schema.push_back(node.schema[column]);
  }
  for (LogicalPtr& input : copy->inputs) {
    input = exactly(prune(input, exact), input->schema, kept);
  }
  return {std::move(copy), mapping_of(kept, node.schema.size())};
}

Pruned prune_sort(const LogicalSort& node, Required required) {
  for (const LogicalSortKey& key : node.keys) {
    require(required, key.column);
  }
  Pruned input = prune(node.inputs[0], required);
  auto copy = std::make_shared<LogicalSort>(node);
  for (LogicalSortKey& key : copy->keys) {
    move(key.column, input.mapping);
  }
  copy->schema = input.plan->schema;
  copy->inputs = {std::move(input.plan)};
  return {std::move(copy), std::move(input.mapping)};
}

/// Leaves out what a node below gives although nobody asked for it.
void drop_unread(Pruned& pruned, const Required& required) {
  const auto wanted = static_cast<size_t>(std::count(required.begin(), required.end(), true));
  if (wanted == 0 || wanted == pruned.plan->schema.size()) {
    return;
  }
  std::vector<ExpressionPtr> columns;
  std::vector<std::string> names;
  for (size_t i = 0; i < required.size(); ++i) {
    if (!required[i]) {
      pruned.mapping[i] = -1;
      continue;
    }
    const auto at = static_cast<size_t>(pruned.mapping[i]);
    pruned.mapping[i] = static_cast<int32_t>(columns.size());
    columns.push_back(column_of(pruned.plan->schema, at));
    names.push_back(pruned.plan->schema[at].name);
  }
  pruned.plan = make_calc(std::move(pruned.plan), std::move(columns), nullptr, names);
}

/// What is computed for the windows comes behind the columns that are passed on, and is named by
/// its place, as in Flink's plans.
void order_computed(Pruned& pruned) {
  const auto* calc = if_a<LogicalCalc>(*pruned.plan);
  if (calc == nullptr) {
    return;
  }
  std::vector<size_t> order(calc->projections.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_partition(order.begin(), order.end(), [calc](size_t place) {
    return plain_column(*calc->projections[place]) >= 0;
  });
  auto ordered = std::make_shared<LogicalCalc>(*calc);
  for (size_t i = 0; i < order.size(); ++i) {
    ordered->projections[i] = calc->projections[order[i]];
    ordered->schema[i] = calc->schema[order[i]];
    if (plain_column(*ordered->projections[i]) < 0) {
      ordered->schema[i].name = fmt::format("${}", i);
    }
  }
  const std::vector<int32_t> places = mapping_of(order, order.size());
  for (int32_t& column : pruned.mapping) {
    column = column < 0 ? column : places[static_cast<size_t>(column)];
  }
  pruned.plan = std::move(ordered);
}

/// The calls of a window whose results somebody reads, and what they read.
std::vector<size_t> used_calls(const LogicalOver& node, const Required& required, Required& below) {
  const size_t width = below.size();
  std::vector<size_t> used;
  for (size_t i = 0; i < node.calls.size(); ++i) {
    if (!required[width + i]) {
      continue;
    }
    used.push_back(i);
    for (const ColumnIndex argument : node.calls[i].arguments) {
      if (argument.value < static_cast<int32_t>(width)) {
        require(below, argument);
      }
    }
  }
  return used;
}

Pruned prune_over(const LogicalOver& node, const Required& required) {
  const size_t width = node.inputs[0]->schema.size();
  Required below(required.begin(), required.begin() + static_cast<int64_t>(width));
  const std::vector<size_t> used = used_calls(node, required, below);
  std::vector<int32_t> mapping(node.schema.size(), -1);
  if (used.empty()) {
    Pruned input = prune(node.inputs[0], below);
    std::copy(input.mapping.begin(), input.mapping.end(), mapping.begin());
    return {std::move(input.plan), std::move(mapping)};
  }
  for (const ColumnIndex key : node.partition_keys) {
    require(below, key);
  }
  for (const LogicalSortKey& key : node.order) {
    require(below, key.column);
  }
  if (node.keeps_all_columns) {
    below.assign(width, true);
  }
  Pruned input = prune(node.inputs[0], below);
  if (!node.keeps_all_columns && !node.is_further) {
    drop_unread(input, below);
  }
  order_computed(input);
  auto copy = std::make_shared<LogicalOver>(node);
  for (ColumnIndex& key : copy->partition_keys) {
    move(key, input.mapping);
  }
  for (LogicalSortKey& key : copy->order) {
    move(key.column, input.mapping);
  }
  copy->schema = input.plan->schema;
  copy->calls.clear();
  copy->is_further = node.is_further && input.plan->kind == LogicalNodeKind::kOver;
  const auto moved = static_cast<int32_t>(input.plan->schema.size()) - static_cast<int32_t>(width);
  std::copy(input.mapping.begin(), input.mapping.end(), mapping.begin());
  for (const size_t i : used) {
    AggregateCall& call = copy->calls.emplace_back(node.calls[i]);
    for (ColumnIndex& argument : call.arguments) {
      if (argument.value < static_cast<int32_t>(width)) {
        move(argument, input.mapping);
      } else {
        argument.value += moved;  // a constant
      }
    }
    mapping[width + i] = static_cast<int32_t>(copy->schema.size());
    copy->schema.push_back(node.schema[width + i]);
  }
  copy->inputs = {std::move(input.plan)};
  return {std::move(copy), std::move(mapping)};
}

Pruned prune_expand(const LogicalExpand& node, Required required) {
  required[static_cast<size_t>(node.expand_id.value)] = true;
  const std::vector<size_t> kept = kept_positions(required);
  Required below(node.inputs[0]->schema.size(), false);
  for (const auto& projections : node.projections) {
    for (const size_t column : kept) {
      require(below, projections[column]);
    }
  }
  Pruned input = prune(node.inputs[0], below);
  auto copy = std::make_shared<LogicalExpand>(node);
  copy->schema.clear();
  for (const size_t column : kept) {
    copy->schema.push_back(node.schema[column]);
  }
  for (size_t i = 0; i < node.projections.size(); ++i) {
    copy->projections[i].clear();
    for (const size_t column : kept) {
      copy->projections[i].push_back(
          expression::remap_columns(node.projections[i][column], input.mapping));
    }
  }
  std::vector<int32_t> mapping = mapping_of(kept, node.schema.size());
  move(copy->expand_id, mapping);
  copy->inputs = {std::move(input.plan)};
  return {std::move(copy), std::move(mapping)};
}

Pruned prune_all_needed(const LogicalPtr& node) {
  std::vector<LogicalPtr> inputs;
  for (const LogicalPtr& input : node->inputs) {
    const std::vector<int32_t> all = identity_mapping(input->schema.size());
    const std::vector<size_t> kept(all.begin(), all.end());
    inputs.push_back(
        exactly(prune(input, Required(input->schema.size(), true)), input->schema, kept));
  }
  return {with_inputs(*node, std::move(inputs)), identity_mapping(node->schema.size())};
}

Pruned prune(const LogicalPtr& node, const Required& required) {
  switch (node->kind) {
    case LogicalNodeKind::kScan:
      return prune_scan(as<LogicalScan>(*node), required);
    case LogicalNodeKind::kWatermarkAssigner:
      return prune_watermark(as<LogicalWatermarkAssigner>(*node), required);
    case LogicalNodeKind::kCalc:
      return prune_calc(as<LogicalCalc>(*node), required);
    case LogicalNodeKind::kAggregate:
      return prune_aggregate(as<LogicalAggregate>(*node), required);
    case LogicalNodeKind::kWindowAggregate:
      return prune_windowed(as<LogicalWindowAggregate>(*node), required);
    case LogicalNodeKind::kGroupWindowAggregate:
      return prune_windowed(as<LogicalGroupWindowAggregate>(*node), required);
    case LogicalNodeKind::kWindowFunction:
      return prune_window_function(as<LogicalWindowFunction>(*node), required);
    case LogicalNodeKind::kCorrelate:
      return prune_correlate(as<LogicalCorrelate>(*node), required);
    case LogicalNodeKind::kSetOperation:
      return prune_union(as<LogicalSetOperation>(*node), required);
    case LogicalNodeKind::kSort:
      return prune_sort(as<LogicalSort>(*node), required);
    case LogicalNodeKind::kOver:
      return prune_over(as<LogicalOver>(*node), required);
    case LogicalNodeKind::kExpand:
      return prune_expand(as<LogicalExpand>(*node), required);
    case LogicalNodeKind::kSink:
    case LogicalNodeKind::kChangelogFunction:
    case LogicalNodeKind::kCustomSource:
    case LogicalNodeKind::kCustomOperator:
    case LogicalNodeKind::kCustomSink:
    case LogicalNodeKind::kValues:
    case LogicalNodeKind::kProject:
    case LogicalNodeKind::kFilter:
      return prune_all_needed(node);
  }
  unreachable("logical node");
}

}  // namespace

LogicalPtr prune_columns(const LogicalPtr& plan) {
  const std::vector<int32_t> all = identity_mapping(plan->schema.size());
  const std::vector<size_t> kept(all.begin(), all.end());
  return exactly(prune(plan, Required(plan->schema.size(), true)), plan->schema, kept);
}

}  // namespace thalweg::planner
