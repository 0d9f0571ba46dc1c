#include <fmt/format.h>

#include "thalweg/planner/plan_text.h"
#include "thalweg/planner/type_text.h"

namespace thalweg::planner {

namespace {

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string hints_text(const stream::OptionMap& options) {
  if (options.empty()) {
    return {};
  }
  std::vector<std::string> pairs;
  for (const auto& [key, value] : options) {
    pairs.push_back(fmt::format("{}={}", key, value));
  }
  return fmt::format(", hints=[[[OPTIONS inheritPath:[] options:{{{}}}]]]", joined(pairs));
}

std::string scan_text(const LogicalScan& scan) {
  std::string table = joined(scan.path);
  if (!scan.table.metadata_keys.empty()) {
    table += fmt::format(", metadata=[{}]", joined(scan.table.metadata_keys));
  }
  return fmt::format("LogicalTableScan(table=[[{}]]{})", table, hints_text(scan.hint_options));
}

std::string project_text(const LogicalProject& project) {
  std::vector<std::string> parts;
  const Schema& input = project.inputs[0]->schema;
  const auto* over = if_a<LogicalOver>(*project.inputs[0]);
  const std::vector<std::string> columns =
      over != nullptr ? over_column_texts(*over) : std::vector<std::string>{};
  for (size_t i = 0; i < project.projections.size(); ++i) {
    const expression::Expression& projection = *project.projections[i];
    parts.push_back(fmt::format("{}=[{}]",
                                project.schema[i].name,
                                over != nullptr ? projection_text(projection, columns)
                                                : projection_text(projection, input)));
  }
  return fmt::format("LogicalProject({})", joined(parts));
}

std::string aggregate_text(const LogicalAggregate& aggregate) {
  std::vector<std::string> keys;
  for (const ColumnIndex key : aggregate.keys) {
    keys.push_back(std::to_string(key.value));
  }
  std::vector<std::string> parts = {fmt::format("group=[{{{}}}]", joined(keys))};
  if (!aggregate.grouping_sets.empty()) {
    std::vector<std::string> sets;
    for (const std::vector<size_t>& set : aggregate.grouping_sets) {
      std::vector<std::string> members;
      for (const size_t position : set) {
        members.push_back(keys[position]);
      }
      sets.push_back(fmt::format("{{{}}}", joined(members)));
    }
    parts.push_back(fmt::format("groups=[[{}]]", joined(sets)));
  }
  for (size_t i = 0; i < aggregate.calls.size(); ++i) {
    const bool is_named = !aggregate.calls[i].name.empty();
    parts.push_back(fmt::format(
        "{}=[{}]",
        is_named ? aggregate.schema[aggregate.keys.size() + i].name : fmt::format("agg#{}", i),
        call_text(aggregate.calls[i], aggregate.inputs[0]->schema, PlanStyle::kAst)));
  }
  return fmt::format("LogicalAggregate({})", joined(parts));
}

std::string row_type_text(const Schema& schema) {
  std::vector<std::string> fields;
  for (const Field& field : schema) {
    fields.push_back(fmt::format("{} {}", plan_type(field.type), field.name));
  }
  return fmt::format("RecordType({})", joined(fields));
}

std::string_view function_name_of(WindowKind kind) {
  switch (kind) {
    case WindowKind::kTumble:
      return "TUMBLE";
    case WindowKind::kHop:
      return "HOP";
    case WindowKind::kCumulate:
      return "CUMULATE";
    case WindowKind::kSession:
      return "SESSION";
  }
  return {};
}

std::string window_function_text(const LogicalWindowFunction& node) {
  const Schema& input = node.inputs[0]->schema;
  std::string table = "TABLE(#0)";
  if (!node.partition_keys.empty()) {
    std::vector<std::string> keys;
    for (const ColumnIndex key : node.partition_keys) {
      keys.push_back(fmt::format("${}", key.value));
    }
    table += fmt::format(" PARTITION BY({})", joined(keys));
  }
  std::vector<std::string> arguments = {
      table,
      fmt::format("DESCRIPTOR(_UTF-16LE'{}')",
                  input[static_cast<size_t>(node.window.time_column.value)].name)};
  arguments.insert(arguments.end(), node.interval_texts.begin(), node.interval_texts.end());
  return fmt::format("LogicalTableFunctionScan(invocation=[{}({})], rowType=[{}])",
                     function_name_of(node.window.kind),
                     joined(arguments),
                     row_type_text(node.schema));
}

std::string correlate_text(const LogicalCorrelate& node) {
  std::vector<std::string> arguments;
  for (const expression::ExpressionPtr& argument : node.arguments) {
    arguments.push_back(expression_text(*argument, node.inputs[0]->schema, PlanStyle::kAst));
  }
  return fmt::format("LogicalCorrelate(invocation=[{}({})], joinType=[{}], rowType=[{}])",
                     node.function->name(),
                     joined(arguments),
                     node.is_outer ? "left" : "inner",
                     row_type_text(node.schema));
}

std::string sort_text(const LogicalSort& sort) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < sort.keys.size(); ++i) {
    parts.push_back(fmt::format("sort{}=[${}]", i, sort.keys[i].column.value));
  }
  for (size_t i = 0; i < sort.keys.size(); ++i) {
    // Calcite's own default, that NULLs are the largest values, is not written.
    const LogicalSortKey& key = sort.keys[i];
    const bool is_usual = key.nulls_first == key.descending;
    parts.push_back(fmt::format("dir{}=[{}{}]",
                                i,
                                key.descending ? "DESC" : "ASC",
                                is_usual          ? ""
                                : key.nulls_first ? "-nulls-first"
                                                  : "-nulls-last"));
  }
  if (sort.offset) {
    parts.push_back(fmt::format("offset=[{}]", *sort.offset));
  }
  if (sort.fetch) {
    parts.push_back(fmt::format("fetch=[{}]", *sort.fetch));
  }
  return fmt::format("LogicalSort({})", joined(parts));
}

std::string values_text(const LogicalValues& values) {
  std::vector<std::string> tuples;
  for (const std::vector<Value>& row : values.rows) {
    tuples.push_back(tuple_text(row, values.schema, PlanStyle::kAst));
  }
  return fmt::format("LogicalValues(tuples=[[{}]])", joined(tuples));
}

std::string set_operation_text(const LogicalSetOperation& node) {
  std::string_view name = "Union";
  if (node.operation == SetOperationKind::kIntersect) {
    name = "Intersect";
  } else if (node.operation == SetOperationKind::kExcept) {
    name = "Minus";
  }
  return fmt::format("Logical{}(all=[{}])", name, node.all);
}

std::string sink_text(const LogicalSink& sink) {
  return fmt::format("LogicalSink(table=[{}], {}fields=[{}]{})",
                     fmt::join(sink.path, "."),
                     target_columns_text(sink.target_columns),
                     joined(sink.query_columns),
                     hints_text(sink.hint_options));
}

}  // namespace

std::string describe_logical(const LogicalNode& node) {
  switch (node.kind) {
    case LogicalNodeKind::kScan:
      return scan_text(as<LogicalScan>(node));
    case LogicalNodeKind::kWatermarkAssigner: {
      const auto& assigner = as<LogicalWatermarkAssigner>(node);
      return fmt::format(
          "LogicalWatermarkAssigner(rowtime=[{}], watermark=[{}])",
          node.schema[static_cast<size_t>(assigner.row_time.value)].name,
          expression_text(*assigner.watermark, node.inputs[0]->schema, PlanStyle::kAst));
    }
    case LogicalNodeKind::kValues:
      return values_text(as<LogicalValues>(node));
    case LogicalNodeKind::kProject:
      return project_text(as<LogicalProject>(node));
    case LogicalNodeKind::kFilter:
      return fmt::format(
          "LogicalFilter(condition=[{}])",
          expression_text(
              *as<LogicalFilter>(node).condition, node.inputs[0]->schema, PlanStyle::kAst));
    case LogicalNodeKind::kAggregate:
      return aggregate_text(as<LogicalAggregate>(node));
    case LogicalNodeKind::kWindowFunction:
      return window_function_text(as<LogicalWindowFunction>(node));
    case LogicalNodeKind::kCorrelate:
      return correlate_text(as<LogicalCorrelate>(node));
    case LogicalNodeKind::kChangelogFunction:
      return fmt::format("LogicalTableFunctionScan(invocation=[{}(TABLE(#0), ...)])",
                         as<LogicalChangelogFunction>(node).spec.name());
    case LogicalNodeKind::kSetOperation:
      return set_operation_text(as<LogicalSetOperation>(node));
    case LogicalNodeKind::kSort:
      return sort_text(as<LogicalSort>(node));
    case LogicalNodeKind::kSink:
      return sink_text(as<LogicalSink>(node));
    case LogicalNodeKind::kCustomSource:
      return fmt::format("LogicalDataStreamScan(name=[{}])",
                         as<LogicalCustomSource>(node).spec.traits.name);
    case LogicalNodeKind::kCustomOperator:
      return fmt::format("LogicalDataStreamStep(name=[{}])",
                         as<LogicalCustomOperator>(node).spec.traits.name);
    case LogicalNodeKind::kCustomSink:
      return fmt::format("LogicalDataStreamSink(name=[{}])",
                         as<LogicalCustomSink>(node).spec.traits.name);
    default:
      unreachable("a node that only rules make");
  }
}

}  // namespace thalweg::planner
