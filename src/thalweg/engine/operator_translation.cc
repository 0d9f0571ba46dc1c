#include "thalweg/engine/operator_translation.h"

#include <algorithm>

#include "thalweg/operators/aggregate/group_aggregate.h"
#include "thalweg/operators/calc/calc.h"
#include "thalweg/operators/changelog/changelog_functions.h"
#include "thalweg/operators/changelog/changelog_normalize.h"
#include "thalweg/operators/correlate/correlate.h"
#include "thalweg/operators/expand/expand.h"
#include "thalweg/operators/over/over_aggregate.h"
#include "thalweg/operators/sink/constraint_enforcer.h"
#include "thalweg/operators/sink/drop_update_before.h"
#include "thalweg/operators/sink/upsert_materialize.h"
#include "thalweg/operators/sort/limit.h"
#include "thalweg/operators/sort/sort.h"
#include "thalweg/operators/watermark/watermark_assigner.h"
#include "thalweg/operators/window/count_window_aggregate.h"
#include "thalweg/operators/window/window_aggregate.h"
#include "thalweg/operators/window/window_table_function.h"

namespace thalweg::engine {

namespace {

using OperatorPtr = std::shared_ptr<const stream::OperatorFactory>;

constexpr int64_t kDefaultWatermarkInterval = 200;
constexpr int64_t kDefaultMiniBatchLatency = 5000;
constexpr int64_t kPythonBundleRows = 100'000;
constexpr int64_t kPythonBundleMs = 1000;

const Schema& input_schema(const planner::PhysicalNode& node) {
  return node.inputs.at(0)->schema;
}

std::optional<int64_t> state_ttl(const Configuration& config) {
  const int64_t ttl = config.get_duration_ms("table.exec.state.ttl", 0);
  return ttl > 0 ? std::optional(ttl) : std::nullopt;
}

std::vector<operators::SortKey> sort_keys(const std::vector<planner::SortKey>& keys) {
  std::vector<operators::SortKey> result;
  for (const planner::SortKey& key : keys) {
    result.push_back({key.column, !key.descending, key.nulls_first});
  }
  return result;
}

OperatorPtr watermark_assigner(ColumnIndex row_time,
                               expression::ExpressionPtr watermark,
                               bool per_split,
                               const TranslationContext& context) {
  operators::WatermarkSpec spec{.rowtime = row_time, .watermark = std::move(watermark)};
  spec.interval_ms =
      context.config.get_duration_ms("pipeline.auto-watermark-interval", kDefaultWatermarkInterval);
  spec.per_split = per_split;
  spec.idle_timeout_ms = context.config.get_duration_ms("table.exec.source.idle-timeout", 0);
  spec.context = context.evaluation;
  return operators::make_watermark_assigner(std::move(spec));
}

OperatorPtr translate_group_aggregate(const planner::GroupAggregate& node,
                                      const TranslationContext& context) {
  operators::GroupAggregateSpec spec{
      .input = input_schema(node), .keys = node.keys, .aggregates = node.calls};
  spec.generate_update_before = node.sends_update_before;
  spec.needs_retract = node.needs_retract;
  spec.ttl_ms = state_ttl(context.config);
  spec.is_batch = node.emits_at_end;
  spec.emit_when_empty = node.emits_when_empty;
  const bool is_foreign =
      std::any_of(node.calls.begin(), node.calls.end(), [](const expression::AggregateCall& call) {
        return call.function->is_foreign;
      });
  if (is_foreign && !spec.is_batch) {
    // Flink's Python aggregates send the results of a bundle of rows, whatever mini-batch says.
    spec.mini_batch = operators::MiniBatch{
        context.config.get_int("python.fn-execution.bundle.size", kPythonBundleRows),
        context.config.get_duration_ms("python.fn-execution.bundle.time", kPythonBundleMs)};
  } else if (node.is_mini_batch) {
    spec.mini_batch =
        operators::MiniBatch{context.config.get_int("table.exec.mini-batch.size", -1),
                             context.config.get_duration_ms("table.exec.mini-batch.allow-latency",
                                                            kDefaultMiniBatchLatency)};
  }
  return operators::make_group_aggregate(std::move(spec));
}

OperatorPtr translate_changelog_normalize(const planner::ChangelogNormalize& node,
                                          const TranslationContext& context) {
  return operators::make_changelog_normalize({.input = input_schema(node),
                                              .keys = node.keys,
                                              .generate_update_before = node.sends_update_before,
                                              .ttl_ms = state_ttl(context.config),
                                              .condition = node.condition,
                                              .evaluation = context.evaluation});
}

OperatorPtr translate_changelog_function(const planner::ChangelogFunction& node) {
  const planner::ChangelogFunctionSpec& spec = node.spec;
  return spec.makes_table
             ? operators::make_from_changelog({spec.kinds, spec.code, spec.columns})
             : operators::make_to_changelog({spec.codes, spec.columns, spec.code_position});
}

operators::WindowKind window_kind(const planner::WindowSpec& window) {
  if (window.source == planner::WindowSource::kWindowColumns) {
    return operators::WindowKind::kAttached;
  }
  switch (window.kind) {
    case planner::WindowKind::kTumble:
      return operators::WindowKind::kTumble;
    case planner::WindowKind::kHop:
      return operators::WindowKind::kHop;
    case planner::WindowKind::kCumulate:
      return operators::WindowKind::kCumulate;
    case planner::WindowKind::kSession:
      return operators::WindowKind::kSession;
  }
  unreachable("window kind");
}

operators::WindowSpec window_spec(const planner::WindowSpec& window,
                                  const TranslationContext& context) {
  operators::WindowSpec spec{.kind = window_kind(window)};
  const bool is_attached = spec.kind == operators::WindowKind::kAttached;
  spec.time = is_attached ? window.window_end : window.time_column;
  spec.attached_start = window.window_start;
  spec.is_processing_time = !window.is_row_time;
  spec.size_ms = window.size_ms;
  spec.step_ms = window.slide_ms;
  spec.offset_ms = window.offset_ms;
  spec.time_zone = window.uses_session_zone ? context.evaluation.time_zone : "UTC";
  return spec;
}

operators::WindowProperty window_property(planner::WindowProperty property) {
  switch (property) {
    case planner::WindowProperty::kStart:
      return operators::WindowProperty::kStart;
    case planner::WindowProperty::kEnd:
      return operators::WindowProperty::kEnd;
    case planner::WindowProperty::kRowTime:
      return operators::WindowProperty::kTime;
    case planner::WindowProperty::kProcessingTime:
      return operators::WindowProperty::kProcessingTime;
  }
  unreachable("window property");
}

/// For the two nodes that aggregate in windows.
template <typename Node>
OperatorPtr translate_window_aggregate(const Node& node, const TranslationContext& context) {
  operators::WindowAggregateSpec spec{
      .input = input_schema(node), .keys = node.keys, .aggregates = node.calls};
  spec.window = window_spec(node.window, context);
  const size_t first = node.keys.size() + node.calls.size();
  for (size_t i = 0; i < node.properties.size(); ++i) {
    spec.columns.push_back(
        {window_property(node.properties[i].property), node.schema.at(first + i).type});
  }
  spec.needs_retract = node.needs_retract;
  spec.is_batch = context.is_batch;
  return operators::make_window_aggregate(std::move(spec));
}

OperatorPtr translate_group_window(const planner::GroupWindowAggregate& node,
                                   const TranslationContext& context) {
  const planner::WindowSpec& window = node.window;
  if (!window.counts_rows) {
    return translate_window_aggregate(node, context);
  }
  if (node.needs_retract) {
    throw Error(ErrorCode::kNotSupported,
                "Windows of a number of rows are not supported on a table that is updated");
  }
  const bool slides = window.kind == planner::WindowKind::kHop;
  return operators::make_count_window_aggregate({input_schema(node),
                                                 node.keys,
                                                 node.calls,
                                                 window.size_ms,
                                                 slides ? window.slide_ms : window.size_ms});
}

OperatorPtr translate_window_function(const planner::WindowTableFunction& node,
                                      const TranslationContext& context) {
  operators::WindowTableFunctionSpec spec{.input = input_schema(node),
                                          .window = window_spec(node.window, context)};
  const size_t first = spec.input.size();
  using enum operators::WindowProperty;
  for (const auto property : {kStart, kEnd, kTime}) {
    spec.columns.push_back({property, node.schema.at(first + spec.columns.size()).type});
  }
  spec.partition_keys = node.partition_keys;
  spec.is_batch = context.is_batch;
  return operators::make_window_table_function(std::move(spec));
}

OperatorPtr top_n(const planner::PhysicalNode& node,
                  operators::TopNSpec spec,
                  const TranslationContext& context) {
  spec.input = input_schema(node);
  spec.ttl_ms = state_ttl(context.config);
  return operators::make_top_n(std::move(spec));
}

OperatorPtr translate_sort(const planner::Sort& node, const TranslationContext& context) {
  if (node.is_temporal) {
    operators::TemporalSortSpec spec{.input = input_schema(node), .keys = sort_keys(node.keys)};
    const DataType& time = spec.input.at(static_cast<size_t>(node.keys.at(0).column.value)).type;
    spec.is_processing_time = time.time_attribute() == TimeAttribute::kProcessingTime;
    return operators::make_temporal_sort(std::move(spec));
  }
  if (node.emits_at_end) {
    return operators::make_sort(
        {input_schema(node), sort_keys(node.keys), node.offset, node.fetch});
  }
  return top_n(node,
               {.input = {},
                .keys = sort_keys(node.keys),
                .offset = node.offset,
                .fetch = node.fetch.value_or(std::numeric_limits<int32_t>::max()),
                .needs_retract = node.needs_retract,
                .update_key = node.update_key,
                .generate_update_before = node.sends_update_before},
               context);
}

/// Functions that ask for it are given the columns of the order behind their own arguments.
std::vector<expression::AggregateCall> calls_with_order(const planner::OverAggregate& node) {
  std::vector<expression::AggregateCall> calls = node.windows.at(0).calls;
  for (expression::AggregateCall& call : calls) {
    if (!call.function->takes_order) {
      continue;
    }
    for (const planner::SortKey& key : node.order) {
      call.arguments.push_back(key.column);
      call.signature.arguments.push_back(
          node.schema.at(static_cast<size_t>(key.column.value)).type);
    }
  }
  return calls;
}

OperatorPtr translate_over(const planner::OverAggregate& node, const TranslationContext& context) {
  check(node.windows.size() == 1 && node.constants.empty(), "a plan of OVER that is only shown");
  operators::OverAggregateSpec spec{.input = input_schema(node),
                                    .partition_keys = node.partition_keys,
                                    .order = sort_keys(node.order),
                                    .frame = node.windows.front().frame,
                                    .calls = calls_with_order(node)};
  if (node.emits_at_end) {
    spec.mode = operators::OverMode::kBatch;
  } else if (node.sends_updates) {
    spec.mode = operators::OverMode::kUpdating;
  } else {
    const DataType& time = spec.input.at(static_cast<size_t>(node.order.at(0).column.value)).type;
    spec.mode = time.time_attribute() == TimeAttribute::kProcessingTime
                    ? operators::OverMode::kProcessingTime
                    : operators::OverMode::kEventTime;
  }
  spec.generate_update_before = node.sends_update_before;
  spec.needs_retract = node.needs_retract;
  spec.ttl_ms = state_ttl(context.config);
  return operators::make_over_aggregate(std::move(spec));
}

OperatorPtr translate_limit(const planner::Limit& node, const TranslationContext& context) {
  if (!node.needs_retract) {
    return operators::make_limit({node.offset, node.fetch});
  }
  return top_n(node,
               {.input = {},
                .keys = {},
                .offset = node.offset,
                .fetch = node.fetch.value_or(std::numeric_limits<int32_t>::max()),
                .needs_retract = true,
                .generate_update_before = node.sends_update_before},
               context);
}

/// Whether `node` gives the rows of a source that wants watermarks for each split apart. Behind the
/// projection of a computed row time too, as in Flink's
/// PushWatermarkIntoTableSourceScanAcrossCalcRule: the chain hands splits on.
bool reads_splits(const planner::PhysicalNode& node) {
  const auto* calc = planner::if_a<planner::Calc>(node);
  const bool projects = calc != nullptr && calc->condition == nullptr;
  const auto* scan = planner::if_a<planner::Scan>(projects ? *node.inputs[0] : node);
  return scan != nullptr && scan->source->abilities().watermark_per_split;
}

}  // namespace

OperatorPtr translate(const planner::PhysicalNode& node, const TranslationContext& context) {
  using planner::PhysicalNodeKind;
  switch (node.kind) {
    case PhysicalNodeKind::kWatermarkAssigner: {
      const auto& assigner = planner::as<planner::WatermarkAssigner>(node);
      return watermark_assigner(
          assigner.row_time, assigner.watermark, reads_splits(*node.inputs[0]), context);
    }
    case PhysicalNodeKind::kCalc: {
      const auto& calc = planner::as<planner::Calc>(node);
      return operators::make_calc({calc.projections, calc.condition, context.evaluation});
    }
    case PhysicalNodeKind::kGroupAggregate:
      return translate_group_aggregate(planner::as<planner::GroupAggregate>(node), context);
    case PhysicalNodeKind::kWindowTableFunction:
      return translate_window_function(planner::as<planner::WindowTableFunction>(node), context);
    case PhysicalNodeKind::kWindowAggregate:
      return translate_window_aggregate(planner::as<planner::WindowAggregate>(node), context);
    case PhysicalNodeKind::kGroupWindowAggregate:
      return translate_group_window(planner::as<planner::GroupWindowAggregate>(node), context);
    case PhysicalNodeKind::kExpand:
      return operators::make_expand(
          {planner::as<planner::Expand>(node).projections, context.evaluation});
    case PhysicalNodeKind::kCorrelate: {
      const auto& correlate = planner::as<planner::Correlate>(node);
      return operators::make_correlate({correlate.function,
                                        correlate.signature,
                                        correlate.arguments,
                                        correlate.is_outer,
                                        context.evaluation});
    }
    case PhysicalNodeKind::kSort:
      return translate_sort(planner::as<planner::Sort>(node), context);
    case PhysicalNodeKind::kOverAggregate:
      return translate_over(planner::as<planner::OverAggregate>(node), context);
    case PhysicalNodeKind::kLimit:
      return translate_limit(planner::as<planner::Limit>(node), context);
    case PhysicalNodeKind::kChangelogNormalize:
      return translate_changelog_normalize(planner::as<planner::ChangelogNormalize>(node), context);
    case PhysicalNodeKind::kChangelogFunction:
      return translate_changelog_function(planner::as<planner::ChangelogFunction>(node));
    case PhysicalNodeKind::kDropUpdateBefore:
      return operators::make_drop_update_before();
    default:
      throw Error(ErrorCode::kNotSupported,
                  fmt::format("Not supported yet: {}", planner::describe(node)));
  }
}

OperatorPtr translate_source_watermark(const planner::Scan& scan,
                                       const TranslationContext& context) {
  return watermark_assigner(scan.row_time, scan.watermark, true, context);
}

std::vector<ColumnIndex> primary_key_columns(const stream::TableContext& table) {
  std::vector<ColumnIndex> columns;
  for (const std::string& name : table.primary_key) {
    for (size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].name == name) {
        columns.push_back({static_cast<int32_t>(i)});
      }
    }
  }
  return columns;
}

OperatorPtr translate_materialize(const planner::Sink& sink, const TranslationContext& context) {
  return operators::make_upsert_materialize({.input = input_schema(sink),
                                             .keys = primary_key_columns(sink.table),
                                             .match = sink.inputs.at(0)->upsert_key,
                                             .ttl_ms = state_ttl(context.config)});
}

OperatorPtr translate_constraints(const planner::Sink& sink) {
  operators::ConstraintSpec spec{.columns = sink.table.columns, .constraints = sink.constraints};
  // Only the columns that may hold NULL are looked at.
  for (Field& field : spec.columns) {
    field.type = field.type.as_nullable();
  }
  for (const ColumnIndex column : sink.not_null_columns) {
    Field& field = spec.columns.at(static_cast<size_t>(column.value));
    field.type = field.type.not_null();
  }
  return operators::has_constraints(spec) ? operators::make_constraint_enforcer(std::move(spec))
                                          : nullptr;
}

}  // namespace thalweg::engine
