#include "thalweg/planner/logical_keys.h"

#include <algorithm>

#include "thalweg/planner/expression_rewrite.h"

namespace thalweg::planner {

namespace {

bool contains(const std::vector<ColumnIndex>& columns, ColumnIndex column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

bool scan_is_unique(const LogicalScan& scan, const std::vector<ColumnIndex>& columns) {
  const std::vector<std::string>& key = scan.table.primary_key;
  return !key.empty() && std::all_of(key.begin(), key.end(), [&](const std::string& name) {
    return std::any_of(columns.begin(), columns.end(), [&](ColumnIndex column) {
      return scan.schema[static_cast<size_t>(column.value)].name == name;
    });
  });
}

bool project_is_unique(const LogicalNode& node,
                       const std::vector<expression::ExpressionPtr>& projections,
                       const std::vector<ColumnIndex>& columns) {
  std::vector<ColumnIndex> below;
  for (const ColumnIndex column : columns) {
    const int32_t source = plain_column(*projections[static_cast<size_t>(column.value)]);
    if (source >= 0) {
      below.push_back({source});
    }
  }
  return is_unique_by(*node.inputs[0], below);
}

}  // namespace

bool is_unique_by(const LogicalNode& node, const std::vector<ColumnIndex>& columns) {
  switch (node.kind) {
    case LogicalNodeKind::kScan:
      return scan_is_unique(as<LogicalScan>(node), columns);
    case LogicalNodeKind::kProject:
      return project_is_unique(node, as<LogicalProject>(node).projections, columns);
    case LogicalNodeKind::kCalc:
      return project_is_unique(node, as<LogicalCalc>(node).projections, columns);
    case LogicalNodeKind::kFilter:
    case LogicalNodeKind::kWatermarkAssigner:
      return is_unique_by(*node.inputs[0], columns);
    case LogicalNodeKind::kAggregate: {
      const auto& aggregate = as<LogicalAggregate>(node);
      bool has_all = aggregate.grouping_sets.empty() && !aggregate.keys.empty();
      for (size_t i = 0; i < aggregate.keys.size(); ++i) {
        has_all = has_all && contains(columns, {static_cast<int32_t>(i)});
      }
      return has_all;
    }
    default:
      return false;
  }
}

}  // namespace thalweg::planner
