#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "thalweg/planner/plan_text.h"
#include "thalweg/planner/type_text.h"

namespace thalweg::planner {

namespace {

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

const Schema& input_of(const PhysicalNode& node) {
  return node.inputs.at(0)->schema;
}

std::string hints_text(const stream::OptionMap& options) {
  if (options.empty()) {
    return {};
  }
  std::vector<std::string> pairs;
  for (const auto& [key, value] : options) {
    pairs.push_back(fmt::format("{}={}", key, value));
  }
  return fmt::format(", hints=[[[OPTIONS options:{{{}}}]]]", joined(pairs));
}

std::vector<std::string> field_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const Field& field : schema) {
    names.push_back(field.name);
  }
  return names;
}

std::string scan_terms(const Scan& scan, PlanStyle style) {
  std::string table = joined(scan.path);
  if (scan.filter) {
    table += fmt::format(", filter=[{}]", pushed_filter_text(*scan.filter, scan.schema));
  }
  if (scan.table.projection) {
    std::vector<std::string> names;
    for (const int32_t column : *scan.table.projection) {
      names.push_back(scan.table.columns[static_cast<size_t>(column)].name);
    }
    table += fmt::format(", project=[{}]", joined(names));
  }
  if (scan.table.projection || !scan.table.metadata_keys.empty()) {
    table += fmt::format(", metadata=[{}]", joined(scan.table.metadata_keys));
  }
  if (scan.limit) {
    table += fmt::format(", limit=[{}]", *scan.limit);
  }
  if (scan.watermark) {
    table += fmt::format(", watermark=[{}], watermarkEmitStrategy=[on-periodic]",
                         expression_text(*scan.watermark, scan.schema, style));
  }
  return fmt::format("table=[[{}]], fields=[{}]{}",
                     table,
                     joined(field_names(scan.schema)),
                     hints_text(scan.hint_options));
}

std::string values_terms(const Values& values, PlanStyle style) {
  std::vector<std::string> tuples;
  for (const std::vector<Value>& row : values.rows) {
    tuples.push_back(
        tuple_text(row, values.schema, values.is_batch ? PlanStyle::kPhysical : style));
  }
  std::string text = fmt::format("tuples=[[{}]]", joined(tuples));
  if (values.is_batch) {
    return fmt::format("{}, values=[{}]", text, joined(field_names(values.schema)));
  }
  if (style == PlanStyle::kExecution) {
    return text;
  }
  std::vector<std::string> fields;
  for (const Field& field : values.schema) {
    fields.push_back(fmt::format("{} {}", plan_type(field.type), field.name));
  }
  return fmt::format("type=[RecordType({})], {}", joined(fields), text);
}

std::string calc_terms(const Calc& calc, PlanStyle style) {
  const Schema& input = input_of(calc);
  std::vector<std::string> select;
  for (size_t i = 0; i < calc.projections.size(); ++i) {
    std::string text = expression_text(*calc.projections[i], input, style);
    const std::string& name = calc.schema[i].name;
    select.push_back(text == name ? text : fmt::format("{} AS {}", text, name));
  }
  std::string text = fmt::format("select=[{}]", joined(select));
  if (calc.condition) {
    text += fmt::format(", where=[{}]", expression_text(*calc.condition, input, style));
  }
  return text;
}

std::string exchange_terms(const Exchange& exchange) {
  switch (exchange.distribution) {
    case Distribution::kHash:
      return fmt::format("distribution=[hash[{}]]", column_names(exchange.schema, exchange.keys));
    case Distribution::kSingleton:
      return "distribution=[single]";
    case Distribution::kBroadcast:
      return "distribution=[broadcast]";
    case Distribution::kAny:
      return "distribution=[any], shuffle_mode=[BATCH]";
  }
  return {};
}

/// "groupBy=[a, b], " or nothing.
std::string group_by_text(const std::vector<ColumnIndex>& keys, const Schema& input) {
  return keys.empty() ? std::string() : fmt::format("groupBy=[{}], ", column_names(input, keys));
}

std::vector<std::string> select_of(const std::vector<ColumnIndex>& keys,
                                   const std::vector<expression::AggregateCall>& calls,
                                   const std::vector<std::string>& call_texts,
                                   const PhysicalNode& node,
                                   PlanStyle style) {
  const Schema& input = input_of(node);
  std::vector<std::string> select;
  for (const ColumnIndex key : keys) {
    select.push_back(input.at(static_cast<size_t>(key.value)).name);
  }
  for (size_t i = 0; i < calls.size(); ++i) {
    select.push_back(call_texts.empty() ? fmt::format("{} AS {}",
                                                      call_text(calls[i], input, style),
                                                      node.schema.at(keys.size() + i).name)
                                        : call_texts[i]);
  }
  return select;
}

std::string aggregate_terms(const GroupAggregate& node, PlanStyle style) {
  std::string text;
  if (node.emits_at_end && node.phase != AggregatePhase::kLocal) {
    text += fmt::format("isMerge=[{}], ", node.phase == AggregatePhase::kGlobal);
  }
  text += group_by_text(node.keys, input_of(node));
  return text + fmt::format("select=[{}]",
                            joined(select_of(node.keys, node.calls, node.call_texts, node, style)));
}

std::string_view property_text(WindowProperty property) {
  switch (property) {
    case WindowProperty::kStart:
      return "start('w$)";
    case WindowProperty::kEnd:
      return "end('w$)";
    case WindowProperty::kRowTime:
      return "rowtime('w$)";
    case WindowProperty::kProcessingTime:
      return "proctime('w$)";
  }
  return {};
}

std::string window_aggregate_terms(const WindowAggregate& node, PlanStyle style) {
  std::vector<std::string> select = select_of(node.keys, node.calls, node.call_texts, node, style);
  if (node.phase == AggregatePhase::kLocal) {
    select.emplace_back("slice_end('w$) AS $slice_end");
  }
  for (const NamedWindowProperty& property : node.properties) {
    select.push_back(fmt::format("{} AS {}", property_text(property.property), property.name));
  }
  return fmt::format("{}window=[{}], select=[{}]",
                     group_by_text(node.keys, input_of(node)),
                     window_text(node.window, input_of(node), {}),
                     joined(select));
}

std::string group_window_text(const WindowSpec& window, const Schema& input) {
  const std::string& time = input.at(static_cast<size_t>(window.time_column.value)).name;
  switch (window.kind) {
    case WindowKind::kHop:
      return fmt::format(
          "SlidingGroupWindow('w$, {}, {}, {})", time, window.size_ms, window.slide_ms);
    case WindowKind::kSession:
      return fmt::format("SessionGroupWindow('w$, {}, {})", time, window.size_ms);
    default:
      return fmt::format("TumblingGroupWindow('w$, {}, {})", time, window.size_ms);
  }
}

std::string group_window_terms(const GroupWindowAggregate& node, PlanStyle style) {
  std::vector<std::string> select = select_of(node.keys, node.calls, {}, node, style);
  std::vector<std::string> names;
  for (const NamedWindowProperty& property : node.properties) {
    select.push_back(fmt::format("{} AS {}", property_text(property.property), property.name));
    names.push_back(property.name);
  }
  std::string text = fmt::format("{}window=[{}], ",
                                 group_by_text(node.keys, input_of(node)),
                                 group_window_text(node.window, input_of(node)));
  if (!names.empty()) {
    text += fmt::format("properties=[{}], ", joined(names));
  }
  return text + fmt::format("select=[{}]", joined(select));
}

std::string expand_terms(const Expand& expand, PlanStyle style) {
  std::vector<std::string> lists;
  for (const auto& projections : expand.projections) {
    std::vector<std::string> columns;
    for (size_t i = 0; i < projections.size(); ++i) {
      const expression::Expression& projection = *projections[i];
      const bool is_literal = projection.kind == expression::ExpressionKind::kLiteral;
      const std::string text =
          !is_literal ? expression_text(projection, input_of(expand), style)
          : projection.literal.is_null()
              ? "null"
              : literal_text(projection.literal, projection.type, style, false);
      const std::string& name = expand.schema[i].name;
      columns.push_back(text == name ? text : fmt::format("{} AS {}", text, name));
    }
    lists.push_back(fmt::format("{{{}}}", joined(columns)));
  }
  return fmt::format("projects=[{}]", joined(lists));
}

std::string changelog_function_terms(const ChangelogFunction& function) {
  constexpr std::array<std::string_view, 4> kKindNames = {
      "INSERT", "UPDATE_BEFORE", "UPDATE_AFTER", "DELETE"};
  const ChangelogFunctionSpec& spec = function.spec;
  std::vector<std::string> pairs;
  for (size_t i = 0; i < spec.codes.size(); ++i) {
    if (spec.codes[i]) {
      pairs.push_back(fmt::format("'{}', '{}'", kKindNames[i], *spec.codes[i]));
    }
  }
  for (const auto& [code, kind] : spec.kinds) {
    pairs.push_back(fmt::format("'{}', '{}'", code, kKindNames[static_cast<size_t>(kind)]));
  }
  return fmt::format("invocation=[{}(TABLE(#0), MAP[{}])], select=[{}]",
                     spec.name(),
                     fmt::join(pairs, ", "),
                     joined(field_names(function.schema)));
}

std::string correlate_terms(const Correlate& correlate, PlanStyle style) {
  std::vector<std::string> arguments;
  std::vector<std::string> fields;
  for (const expression::ExpressionPtr& argument : correlate.arguments) {
    arguments.push_back(expression_text(*argument, input_of(correlate), style));
  }
  for (const Field& field : correlate.schema) {
    fields.push_back(fmt::format("{} {}", plan_type(field.type), field.name));
  }
  const std::string& name = correlate.function->name();
  return fmt::format(
      "invocation=[{}({})], correlate=[table({}({}))], select=[{}], rowType=[RecordType({})], "
      "joinType=[{}]",
      name,
      joined(arguments),
      name,
      fmt::join(arguments, ","),
      fmt::join(field_names(correlate.schema), ","),
      joined(fields),
      correlate.is_outer ? "LEFT" : "INNER");
}

std::string order_text(const std::vector<SortKey>& keys, const Schema& schema) {
  std::vector<std::string> parts;
  for (const SortKey& key : keys) {
    parts.push_back(fmt::format("{} {}",
                                schema.at(static_cast<size_t>(key.column.value)).name,
                                key.descending ? "DESC" : "ASC"));
  }
  return fmt::format("orderBy=[{}]", joined(parts));
}

std::string range_text(int64_t offset, const std::optional<int64_t>& fetch) {
  return fmt::format(
      "offset=[{}], fetch=[{}]", offset, fetch ? std::to_string(*fetch) : "unlimited");
}

std::string sort_terms(const Sort& sort) {
  std::string text = order_text(sort.keys, sort.schema);
  if (!sort.is_limit) {
    return text;
  }
  text += ", " + range_text(sort.offset, sort.fetch);
  if (sort.emits_at_end) {
    return text + fmt::format(", global=[{}]", sort.phase != AggregatePhase::kLocal);
  }
  std::string strategy = sort.needs_retract ? "RetractStrategy" : "AppendFastStrategy";
  if (!sort.update_key.empty()) {
    std::vector<int32_t> key;
    for (const ColumnIndex column : sort.update_key) {
      key.push_back(column.value);
    }
    strategy = fmt::format("UpdateFastStrategy[{}]", fmt::join(key, ","));
  }
  return text + fmt::format(", strategy=[{}]", strategy);
}

std::string normalize_terms(const ChangelogNormalize& node, PlanStyle style) {
  std::string text = fmt::format("key=[{}]", column_names(node.schema, node.keys));
  if (node.condition) {
    text += fmt::format(", condition=[{}]", expression_text(*node.condition, node.schema, style));
  }
  return text;
}

std::string limit_terms(const Limit& limit, bool is_batch) {
  std::string text = range_text(limit.offset, limit.fetch);
  if (is_batch) {
    text += fmt::format(", global=[{}]", limit.phase != AggregatePhase::kLocal);
  }
  return text;
}

std::string terms(const PhysicalNode& node, PlanStyle style) {
  switch (node.kind) {
    case PhysicalNodeKind::kScan:
      return scan_terms(as<Scan>(node), style);
    case PhysicalNodeKind::kValues:
      return values_terms(as<Values>(node), style);
    case PhysicalNodeKind::kWatermarkAssigner: {
      const auto& assigner = as<WatermarkAssigner>(node);
      return fmt::format("rowtime=[{}], watermark=[{}]",
                         node.schema.at(static_cast<size_t>(assigner.row_time.value)).name,
                         expression_text(*assigner.watermark, input_of(node), style));
    }
    case PhysicalNodeKind::kCalc:
      return calc_terms(as<Calc>(node), style);
    case PhysicalNodeKind::kExchange:
      return exchange_terms(as<Exchange>(node));
    case PhysicalNodeKind::kGroupAggregate:
      return aggregate_terms(as<GroupAggregate>(node), style);
    case PhysicalNodeKind::kWindowTableFunction: {
      const auto& function = as<WindowTableFunction>(node);
      return fmt::format("window=[{}]",
                         window_text(function.window, input_of(node), function.partition_keys));
    }
    case PhysicalNodeKind::kWindowAggregate:
      return window_aggregate_terms(as<WindowAggregate>(node), style);
    case PhysicalNodeKind::kGroupWindowAggregate:
      return group_window_terms(as<GroupWindowAggregate>(node), style);
    case PhysicalNodeKind::kExpand:
      return expand_terms(as<Expand>(node), style);
    case PhysicalNodeKind::kCorrelate:
      return correlate_terms(as<Correlate>(node), style);
    case PhysicalNodeKind::kSort:
      return sort_terms(as<Sort>(node));
    case PhysicalNodeKind::kLimit:
      return limit_terms(as<Limit>(node), as<Limit>(node).is_batch);
    case PhysicalNodeKind::kChangelogFunction:
      return changelog_function_terms(as<ChangelogFunction>(node));
    case PhysicalNodeKind::kUnion:
      return fmt::format("all=[true], union=[{}]", joined(field_names(node.schema)));
    case PhysicalNodeKind::kChangelogNormalize:
      return normalize_terms(as<ChangelogNormalize>(node), style);
    case PhysicalNodeKind::kOverAggregate:
      return over_terms(as<OverAggregate>(node), style);
    case PhysicalNodeKind::kDropUpdateBefore:
    case PhysicalNodeKind::kCustomSource:
    case PhysicalNodeKind::kCustomOperator:
    case PhysicalNodeKind::kCustomSink:
      return {};
    case PhysicalNodeKind::kSink: {
      const auto& sink = as<Sink>(node);
      return fmt::format("table=[{}], {}fields=[{}]{}{}",
                         fmt::join(sink.path, "."),
                         target_columns_text(sink.target_columns),
                         joined(sink.query_columns),
                         sink.materializes ? ", upsertMaterialize=[true]" : "",
                         hints_text(sink.hint_options));
    }
  }
  return {};
}

bool has_foreign_call(const expression::Expression& expr) {
  if (expr.function != nullptr && expr.function->is_foreign) {
    return true;
  }
  return std::any_of(
      expr.operands.begin(), expr.operands.end(), [](const expression::ExpressionPtr& operand) {
        return has_foreign_call(*operand);
      });
}

/// "Python" before the name of a node that runs a user's functions.
std::string_view python_prefix(const Calc& calc) {
  bool is_foreign = calc.condition != nullptr && has_foreign_call(*calc.condition);
  for (const expression::ExpressionPtr& projection : calc.projections) {
    is_foreign = is_foreign || has_foreign_call(*projection);
  }
  return is_foreign ? "Python" : "";
}

template <typename Aggregate>
std::string_view python_prefix(const Aggregate& aggregate) {
  const bool is_foreign = std::any_of(
      aggregate.calls.begin(), aggregate.calls.end(), [](const expression::AggregateCall& call) {
        return call.function->is_foreign;
      });
  return is_foreign ? "Python" : "";
}

/// The name with the phase before it; batch aggregates are hash aggregates.
std::string phased(std::string_view name, AggregatePhase phase, bool is_batch) {
  const std::string base = is_batch ? fmt::format("Hash{}", name) : std::string(name);
  switch (phase) {
    case AggregatePhase::kLocal:
      return "Local" + base;
    case AggregatePhase::kGlobal:
      return is_batch ? base : "Global" + base;
    case AggregatePhase::kComplete:
      return base;
  }
  return base;
}

}  // namespace

std::string node_name(const PhysicalNode& node) {
  switch (node.kind) {
    case PhysicalNodeKind::kScan:
      return "TableSourceScan";
    case PhysicalNodeKind::kValues:
      return "Values";
    case PhysicalNodeKind::kWatermarkAssigner:
      return "WatermarkAssigner";
    case PhysicalNodeKind::kCalc:
      return fmt::format("{}Calc", python_prefix(as<Calc>(node)));
    case PhysicalNodeKind::kExchange:
      return "Exchange";
    case PhysicalNodeKind::kGroupAggregate: {
      const auto& aggregate = as<GroupAggregate>(node);
      if (!python_prefix(aggregate).empty()) {
        return "PythonGroupAggregate";
      }
      if (aggregate.is_sorted) {
        return aggregate.phase == AggregatePhase::kLocal ? "LocalSortAggregate" : "SortAggregate";
      }
      return aggregate.emits_at_end ? phased("Aggregate", aggregate.phase, true)
                                    : phased("GroupAggregate", aggregate.phase, false);
    }
    case PhysicalNodeKind::kWindowTableFunction:
      return "WindowTableFunction";
    case PhysicalNodeKind::kWindowAggregate:
      return phased("WindowAggregate", as<WindowAggregate>(node).phase, false);
    case PhysicalNodeKind::kGroupWindowAggregate:
      if (!python_prefix(as<GroupWindowAggregate>(node)).empty()) {
        return "PythonGroupWindowAggregate";
      }
      return as<GroupWindowAggregate>(node).emits_at_end ? "HashWindowAggregate"
                                                         : "GroupWindowAggregate";
    case PhysicalNodeKind::kExpand:
      return "Expand";
    case PhysicalNodeKind::kCorrelate:
      return as<Correlate>(node).function->is_foreign ? "PythonCorrelate" : "Correlate";
    case PhysicalNodeKind::kSort:
      return as<Sort>(node).is_temporal ? "TemporalSort"
             : as<Sort>(node).is_limit  ? "SortLimit"
                                        : "Sort";
    case PhysicalNodeKind::kOverAggregate: {
      const std::vector<OverCalls>& windows = as<OverAggregate>(node).windows;
      const bool is_foreign =
          std::any_of(windows.begin(), windows.end(), [](const OverCalls& window) {
            return !python_prefix(window).empty();
          });
      return is_foreign ? "PythonOverAggregate" : "OverAggregate";
    }
    case PhysicalNodeKind::kLimit:
      return "Limit";
    case PhysicalNodeKind::kChangelogFunction:
      return "ProcessTableFunction";
    case PhysicalNodeKind::kUnion:
      return "Union";
    case PhysicalNodeKind::kChangelogNormalize:
      return "ChangelogNormalize";
    case PhysicalNodeKind::kDropUpdateBefore:
      return "DropUpdateBefore";
    case PhysicalNodeKind::kSink:
      return "Sink";
    case PhysicalNodeKind::kCustomSource:
      return as<CustomSource>(node).spec.traits.name;
    case PhysicalNodeKind::kCustomOperator:
      return as<CustomOperator>(node).spec.traits.name;
    case PhysicalNodeKind::kCustomSink:
      return as<CustomSink>(node).spec.traits.name;
  }
  return {};
}

std::string describe_physical(const PhysicalNode& node, PlanStyle style) {
  const std::string text = terms(node, style);
  return text.empty() ? node_name(node) : fmt::format("{}({})", node_name(node), text);
}

std::string describe(const PhysicalNode& node) {
  return describe_physical(node, PlanStyle::kPhysical);
}

}  // namespace thalweg::planner
