#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/changelog.h"
#include "thalweg/planner/physical_planner.h"
#include "thalweg/planner/table_binder.h"

namespace thalweg::planner {

namespace {

using stream::SinkConstraints;

/// The value of an option that has a fixed set of them, in upper or lower case.
template <typename Kind, size_t kCount>
Kind option_value(const PlannerContext& context,
                  const std::string& key,
                  const std::array<std::pair<std::string_view, Kind>, kCount>& values) {
  const std::optional<std::string> text = context.find(key);
  if (!text) {
    return values.front().second;
  }
  std::string upper = *text;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) {
    return static_cast<char>(c == '-' ? '_' : std::toupper(c));
  });
  std::string known;
  for (const auto& [name, value] : values) {
    if (name == upper) {
      return value;
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
  }
  throw Error(
      ErrorCode::kInvalidConfiguration,
      fmt::format(
          "Could not parse value '{}' for key '{}'. Expected one of: [{}]", *text, key, known));
}

SinkConstraints sink_constraints(const PlannerContext& context) {
  using NotNull = SinkConstraints::NotNull;
  using Length = SinkConstraints::Length;
  using Nested = SinkConstraints::Nested;
  using std::pair;
  const SinkConstraints constraints{
      .not_null = option_value(context,
                               "table.exec.sink.not-null-enforcer",
                               std::array{pair(std::string_view("ERROR"), NotNull::kError),
                                          pair(std::string_view("DROP"), NotNull::kDrop)}),
      .length = option_value(context,
                             "table.exec.sink.type-length-enforcer",
                             std::array{pair(std::string_view("IGNORE"), Length::kIgnore),
                                        pair(std::string_view("TRIM_PAD"), Length::kTrimPad),
                                        pair(std::string_view("ERROR"), Length::kError)}),
      .nested = option_value(
          context,
          "table.exec.sink.nested-constraint-enforcer",
          std::array{pair(std::string_view("IGNORE"), Nested::kIgnore),
                     pair(std::string_view("ROWS"), Nested::kRows),
                     pair(std::string_view("ROWS_AND_COLLECTIONS"), Nested::kRowsAndCollections)})};
  if (constraints.length == Length::kTrimPad && constraints.nested == Nested::kRowsAndCollections) {
    throw Error(ErrorCode::kValidation,
                "Trimming and/or padding is not supported if constraint checking is enabled on "
                "types nested in collections")
        .hint("Set 'table.exec.sink.nested-constraint-enforcer' to ROWS or IGNORE.");
  }
  return constraints;
}

using OnConflict = sql::Insert::OnConflict;

void add_sources_without_watermark(const PhysicalNode& node, std::vector<std::string>& names) {
  if (node.kind == PhysicalNodeKind::kWatermarkAssigner) {
    return;
  }
  const auto* scan = if_a<Scan>(node);
  if (scan != nullptr && !scan->watermark) {
    names.push_back(fmt::format("{}", fmt::join(scan->path, ".")));
  }
  for (const PhysicalPtr& input : node.inputs) {
    add_sources_without_watermark(*input, names);
  }
}

/// DO NOTHING and DO ERROR judge conflicts by the watermark.
void refuse_keeping_first(const Sink& sink, std::string_view what) {
  std::vector<std::string> without;
  add_sources_without_watermark(*sink.inputs[0], without);
  if (!without.empty()) {
    throw Error(
        ErrorCode::kValidation,
        fmt::format("ON CONFLICT DO {} requires all source tables to define watermarks, but "
                    "the following source(s) do not: {}. Please add a WATERMARK declaration "
                    "to these tables.",
                    what,
                    fmt::join(without, ", ")));
  }
  throw Error(ErrorCode::kNotSupported, fmt::format("ON CONFLICT DO {} is not supported", what))
      .hint("ON CONFLICT DO DEDUPLICATE is.");
}

/// What happens to rows of one primary key that the query updates by another.
void settle_conflicts(Sink& sink, OnConflict on_conflict, const PlannerContext& context) {
  const bool takes_updates = sink.sink->accepted(sink.changelog).update_after ||
                             sink.sink->accepted(sink.changelog).remove;
  const bool is_upsert = takes_updates && !sink.table.primary_key.empty();
  if (on_conflict != OnConflict::kUnset && !is_upsert) {
    throw Error(ErrorCode::kValidation,
                fmt::format("ON CONFLICT clause is only allowed for upsert sinks. The sink '{}' is "
                            "not an upsert sink because it only accepts INSERT (append-only) "
                            "changes.",
                            fmt::join(sink.path, ".")));
  }
  if (on_conflict == OnConflict::kNothing) {
    refuse_keeping_first(sink, "NOTHING");
  }
  if (on_conflict == OnConflict::kError) {
    refuse_keeping_first(sink, "ERROR");
  }
  enum class Materialize : uint8_t { kAuto, kForce, kNone };
  using Named = std::pair<std::string_view, Materialize>;
  const Materialize materialize = option_value(context,
                                               "table.exec.sink.upsert-materialize",
                                               std::array{Named("AUTO", Materialize::kAuto),
                                                          Named("FORCE", Materialize::kForce),
                                                          Named("NONE", Materialize::kNone)});
  if (!is_upsert || sink.changelog.is_insert_only()) {
    return;
  }
  sink.allows_key_conflicts = sink.allows_key_conflicts || materialize != Materialize::kAuto;
  sink.materializes =
      materialize == Materialize::kForce ||
      (materialize == Materialize::kAuto && sink.allows_key_conflicts && !fits_primary_key(sink));
}

}  // namespace

PhysicalPtr PhysicalPlanner::plan_sink(const LogicalSink& node) {
  PhysicalPtr input = plan(node.inputs[0]);
  auto sink = std::make_shared<Sink>();
  sink->path = node.path;
  sink->table = node.table;
  sink->hint_options = node.hint_options;
  stream::TableContext table = node.table;
  table.is_overwrite = node.is_overwrite;
  sink->sink = create_sink(table, {}, context_);
  if (node.is_overwrite && !sink->sink->supports_overwrite()) {
    throw Error(ErrorCode::kValidation,
                "INSERT OVERWRITE requires that the sink of table '" + node.table.table_name +
                    "' can replace what it holds; connector '" +
                    node.table.options.at("connector") + "' can't.")
        .hint("Use INSERT INTO.");
  }
  sink->is_overwrite = node.is_overwrite;
  sink->allows_key_conflicts = node.on_conflict != OnConflict::kUnset ||
                               !context_.flag("table.exec.sink.require-on-conflict", true);
  sink->query_columns = node.query_columns;
  sink->target_columns = node.target_columns;
  for (size_t i = 0; i < node.table.columns.size(); ++i) {
    if (!node.table.columns[i].type.is_nullable() && input->schema[i].type.is_nullable()) {
      sink->not_null_columns.push_back({static_cast<int32_t>(i)});
    }
  }
  sink->constraints = sink_constraints(context_);
  sink->schema = input->schema;
  sink->is_bounded = input->is_bounded;
  sink->changelog = input->changelog;
  sink->inputs.push_back(std::move(input));
  settle_conflicts(*sink, node.on_conflict, context_);
  return sink;
}

}  // namespace thalweg::planner
