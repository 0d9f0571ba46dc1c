#include <fmt/format.h>

#include "thalweg/planner/over_build.h"
#include "thalweg/planner/plan_text.h"

namespace thalweg::planner {

namespace {

using expression::OverBound;
using expression::OverBoundKind;

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

const std::string& at(const std::vector<std::string>& texts, ColumnIndex column) {
  return texts.at(static_cast<size_t>(column.value));
}

/// "PARTITION BY $1 ORDER BY $4 NULLS FIRST".
std::string window_text(const LogicalOver& over, const std::vector<std::string>& columns) {
  std::vector<std::string> clauses;
  if (!over.partition_keys.empty()) {
    std::vector<std::string> keys;
    for (const ColumnIndex key : over.partition_keys) {
      keys.push_back(at(columns, key));
    }
    clauses.push_back(fmt::format("PARTITION BY {}", joined(keys)));
  }
  if (!over.order.empty()) {
    std::vector<std::string> keys;
    for (const LogicalSortKey& key : over.order) {
      keys.push_back(fmt::format("{}{} NULLS {}",
                                 at(columns, key.column),
                                 key.descending ? " DESC" : "",
                                 key.nulls_first ? "FIRST" : "LAST"));
    }
    clauses.push_back(fmt::format("ORDER BY {}", joined(keys)));
  }
  return fmt::format("{}", fmt::join(clauses, " "));
}

/// A number of rows or milliseconds, or a number of the order's type.
std::string offset_text(const Value& offset, const DataType& order) {
  const bool is_whole = std::holds_alternative<int64_t>(offset.data);
  return literal_text(offset, is_whole ? DataType::big_int() : order, PlanStyle::kPhysical, false);
}

std::string bound_text(const OverBound& bound, const DataType& order) {
  switch (bound.kind) {
    case OverBoundKind::kUnboundedPreceding:
      return "UNBOUNDED PRECEDING";
    case OverBoundKind::kCurrentRow:
      return "CURRENT ROW";
    case OverBoundKind::kUnboundedFollowing:
      return "UNBOUNDED FOLLOWING";
    case OverBoundKind::kPreceding:
      return offset_text(bound.offset, order) + " PRECEDING";
    case OverBoundKind::kFollowing:
      return offset_text(bound.offset, order) + " FOLLOWING";
  }
  return {};
}

std::string frame_text(const expression::OverFrame& frame, const OverAggregate& node) {
  const DataType order =
      node.order.empty()
          ? DataType::big_int()
          : node.schema.at(static_cast<size_t>(node.order.front().column.value)).type;
  return fmt::format("{} BETWEEN {} AND {}",
                     frame.is_rows ? "ROWS" : "RANGE",
                     bound_text(frame.lower, order),
                     bound_text(frame.upper, order));
}

}  // namespace

std::vector<std::string> over_column_texts(const LogicalOver& over) {
  std::vector<std::string> columns;
  if (over.is_further) {
    columns = over_column_texts(as<LogicalOver>(*over.inputs[0]));
  } else {
    const auto& below = as<LogicalProject>(*over.inputs[0]);
    for (const expression::ExpressionPtr& column : below.projections) {
      columns.push_back(expression_text(*column, below.inputs[0]->schema, PlanStyle::kAst));
    }
  }
  std::vector<std::string> arguments = columns;
  for (const expression::ExpressionPtr& constant : over.constants) {
    arguments.push_back(expression_text(*constant, {}, PlanStyle::kAst));
  }
  const std::string window = window_text(over, columns);
  for (const expression::AggregateCall& call : over.calls) {
    columns.push_back(fmt::format("{} OVER ({}{})",
                                  call_text(call, arguments, PlanStyle::kAst),
                                  window,
                                  call.function->is_over_only ? "" : over.frame_text));
  }
  return columns;
}

namespace {

/// Functions of a kind stand together in Flink's batch plans: those of a frame, ranks, NTILE, LAG
/// and LEAD.
std::string kind_of(const expression::AggregateCall& call) {
  const std::string& name = call.function->name();
  if (!call.function->is_over_only) {
    return {};
  }
  if (name == "LAG" || name == "LEAD") {
    return "LAG";
  }
  return name == "NTILE" ? name : "RANK";
}

class OverWriter {
 public:
  OverWriter(const OverAggregate& node, PlanStyle style) : node_(node), style_(style) {
    for (const Field& field : node.inputs[0]->schema) {
      columns_.push_back(field.name);
    }
    arguments_ = columns_;
    for (const expression::ExpressionPtr& constant : node.constants) {
      arguments_.push_back(expression_text(*constant, {}, PlanStyle::kPhysical));
    }
  }

  std::string write() {
    std::vector<std::string> terms;
    const Schema& input = node_.inputs[0]->schema;
    if (!node_.partition_keys.empty()) {
      terms.push_back(fmt::format("partitionBy=[{}]", column_names(input, node_.partition_keys)));
    }
    if (!node_.order.empty() || !node_.emits_at_end) {
      terms.push_back(fmt::format("orderBy=[{}]", order_text()));
    }
    if (node_.emits_at_end) {
      add_batch_windows(terms);
    } else {
      terms.push_back(fmt::format("window=[ {}]", frame_text(node_.windows.front().frame, node_)));
      for (const expression::AggregateCall& call : node_.windows.front().calls) {
        columns_.push_back(named_call(call, columns_.size()));
      }
    }
    terms.push_back(fmt::format("select=[{}]", joined(columns_)));
    return joined(terms);
  }

 private:
  std::string order_text() const {
    std::vector<std::string> keys;
    for (const SortKey& key : node_.order) {
      keys.push_back(at(columns_, key.column) + (key.descending ? " DESC" : " ASC"));
    }
    return joined(keys);
  }

  std::string named_call(const expression::AggregateCall& call, size_t column) const {
    return fmt::format(
        "{} AS {}", call_text(call, arguments_, style_), node_.schema.at(column).name);
  }

  void add_batch_windows(std::vector<std::string>& terms) {
    size_t number = 0;
    for (const OverCalls& window : node_.windows) {
      std::vector<std::string> calls;
      for (size_t i = 0; i < window.calls.size(); ++i) {
        calls.push_back(named_call(window.calls[i], columns_.size()));
        columns_.push_back(node_.schema.at(columns_.size()).name);
        const bool is_last = i + 1 == window.calls.size() ||
                             kind_of(window.calls[i]) != kind_of(window.calls[i + 1]);
        if (is_last) {
          terms.push_back(fmt::format(
              "window#{}=[{} {}]", number++, joined(calls), frame_text(window.frame, node_)));
          calls.clear();
        }
      }
    }
  }

  const OverAggregate& node_;
  PlanStyle style_;
  std::vector<std::string> columns_;
  std::vector<std::string> arguments_;
};

}  // namespace

std::string over_terms(const OverAggregate& node, PlanStyle style) {
  return OverWriter(node, style).write();
}

}  // namespace thalweg::planner
