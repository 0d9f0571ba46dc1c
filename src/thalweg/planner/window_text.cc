#include <fmt/format.h>

#include "thalweg/planner/plan_text.h"

namespace thalweg::planner {

namespace {

const std::string& name_at(const Schema& schema, ColumnIndex column) {
  return schema.at(static_cast<size_t>(column.value)).name;
}

/// Where the window comes from.
std::string source_text(const WindowSpec& window, const Schema& input) {
  switch (window.source) {
    case WindowSource::kTimeColumn:
      return fmt::format("time_col=[{}]", name_at(input, window.time_column));
    case WindowSource::kWindowColumns:
      return fmt::format("win_start=[{}], win_end=[{}]",
                         name_at(input, window.window_start),
                         name_at(input, window.window_end));
    case WindowSource::kSliceEnd:
      return fmt::format("slice_end=[{}]", name_at(input, window.window_end));
  }
  return {};
}

std::string sizes_text(const WindowSpec& window) {
  const std::string size = duration_text(window.size_ms);
  switch (window.kind) {
    case WindowKind::kTumble:
      return fmt::format("TUMBLE({{}}, size=[{}]{{}})", size);
    case WindowKind::kHop:
      return fmt::format(
          "HOP({{}}, size=[{}], slide=[{}]{{}})", size, duration_text(window.slide_ms));
    case WindowKind::kCumulate:
      return fmt::format(
          "CUMULATE({{}}, max_size=[{}], step=[{}]{{}})", size, duration_text(window.slide_ms));
    case WindowKind::kSession:
      return fmt::format("SESSION({{}}, gap=[{}]{{}})", size);
  }
  return {};
}

}  // namespace

std::string column_names(const Schema& schema, const std::vector<ColumnIndex>& columns) {
  std::string text;
  for (const ColumnIndex column : columns) {
    text += text.empty() ? "" : ", ";
    text += name_at(schema, column);
  }
  return text;
}

std::string window_text(const WindowSpec& window,
                        const Schema& input,
                        const std::vector<ColumnIndex>& partition_keys) {
  std::string tail;
  if (window.offset_ms != 0) {
    tail += fmt::format(", offset=[{}]", duration_text(window.offset_ms));
  }
  if (!partition_keys.empty()) {
    tail += fmt::format(", partition keys=[{}]", column_names(input, partition_keys));
  }
  return fmt::format(fmt::runtime(sizes_text(window)), source_text(window, input), tail);
}

std::string call_text(const expression::AggregateCall& call, const Schema& input, PlanStyle style) {
  std::vector<std::string> columns;
  for (size_t i = 0; i < input.size(); ++i) {
    columns.push_back(style == PlanStyle::kAst ? fmt::format("${}", i) : input[i].name);
  }
  return call_text(call, columns, style);
}

std::string call_text(const expression::AggregateCall& call,
                      const std::vector<std::string>& columns,
                      PlanStyle style) {
  std::vector<std::string> arguments;
  for (const ColumnIndex argument : call.arguments) {
    arguments.push_back(columns.at(static_cast<size_t>(argument.value)));
  }
  if (arguments.empty() && style != PlanStyle::kAst) {
    arguments.emplace_back("*");
  }
  std::string text = fmt::format("{}({}{})",
                                 call.function->name(),
                                 call.distinct ? "DISTINCT " : "",
                                 fmt::join(arguments, ", "));
  if (call.filter.value >= 0) {
    text += " FILTER " + columns.at(static_cast<size_t>(call.filter.value));
  }
  return text;
}

std::string target_columns_text(const std::vector<int32_t>& columns) {
  return columns.empty() ? std::string()
                         : fmt::format("targetColumns=[[{}]], ", fmt::join(columns, "],["));
}

std::string changelog_text(const stream::ChangelogMode& mode) {
  std::vector<std::string_view> kinds;
  if (mode.insert) {
    kinds.emplace_back("I");
  }
  if (mode.update_before) {
    kinds.emplace_back("UB");
  }
  if (mode.update_after) {
    kinds.emplace_back("UA");
  }
  if (mode.remove) {
    kinds.emplace_back("D");
  }
  return fmt::format("{}", fmt::join(kinds, ","));
}

}  // namespace thalweg::planner
