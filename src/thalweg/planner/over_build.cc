#include "thalweg/planner/over_build.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/logical_build.h"

namespace thalweg::planner {

using expression::AggregateCall;
using expression::ExpressionKind;
using expression::ExpressionPtr;
using expression::OverBoundKind;

namespace {

/// Begins the names of columns that are computed for windows.
constexpr std::string_view kComputed = "$for_over";

/// The projection below the windows, while it grows.
class ComputedColumns {
 public:
  explicit ComputedColumns(const LogicalPtr& rows)
      : columns_(all_columns(rows->schema)), names_(names_of(rows->schema)) {}

  ColumnIndex place(const ExpressionPtr& expr) {
    const int32_t column = plain_column(*expr);
    if (column >= 0) {
      return {column};
    }
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (expression::equal(*columns_[i], *expr)) {
        return {static_cast<int32_t>(i)};
      }
    }
    names_.push_back(fmt::format("{}{}", kComputed, columns_.size()));
    columns_.push_back(expr);
    return {static_cast<int32_t>(columns_.size() - 1)};
  }

  LogicalPtr project(LogicalPtr rows) const {
    return make_project(std::move(rows), columns_, make_unique(names_));
  }

  size_t size() const { return columns_.size(); }

 private:
  std::vector<ExpressionPtr> columns_;
  std::vector<std::string> names_;
};

struct PlacedWindow {
  const OverWindowCalls* written = nullptr;
  size_t number = 0;
  std::vector<ColumnIndex> partition;
  std::vector<LogicalSortKey> order;
};

/// Flink computes windows without partition first, then by the places of their columns.
bool comes_before(const PlacedWindow& left, const PlacedWindow& right) {
  const auto places = [](const PlacedWindow& window) {
    std::vector<int32_t> order;
    for (const LogicalSortKey& key : window.order) {
      order.push_back(key.column.value);
    }
    return std::pair(window.partition, order);
  };
  return places(left) < places(right);
}

bool has_offset(const expression::OverBound& bound) {
  return bound.kind == OverBoundKind::kPreceding || bound.kind == OverBoundKind::kFollowing;
}

/// Adds one window's node.
class WindowNode {
 public:
  WindowNode(LogicalPtr input, const std::vector<ExpressionPtr>& operands)
      : operands_(operands), node_(std::make_shared<LogicalOver>()) {
    node_->schema = input->schema;
    width_ = input->schema.size();
    node_->is_further = input->kind == LogicalNodeKind::kOver;
    node_->inputs.push_back(std::move(input));
  }

  LogicalPtr build(const PlacedWindow& window,
                   const std::vector<ColumnIndex>& places,
                   bool keeps_all_columns,
                   std::vector<ColumnIndex>& results) {
    node_->partition_keys = window.partition;
    node_->order = window.order;
    node_->frame = window.written->window.frame;
    node_->frame_text = window.written->window.frame_text;
    node_->keeps_all_columns = keeps_all_columns;
    for (size_t i = 0; i < window.written->calls.size(); ++i) {
      AggregateCall call = window.written->calls[i];
      for (ColumnIndex& argument : call.arguments) {
        argument = place(argument, places);
      }
      call.name = fmt::format("w{}$o{}", window.number, i);
      results[window.written->numbers[i]] = {static_cast<int32_t>(node_->schema.size())};
      node_->schema.push_back({call.name, call.signature.result});
      node_->calls.push_back(std::move(call));
    }
    return std::move(node_);
  }

 private:
  ColumnIndex place(ColumnIndex operand, const std::vector<ColumnIndex>& places) {
    const auto number = static_cast<size_t>(operand.value);
    if (places[number].value >= 0) {
      return places[number];
    }
    const ExpressionPtr& constant = operands_[number];
    std::vector<ExpressionPtr>& constants = node_->constants;
    size_t i = 0;
    while (i < constants.size() && constants[i] != constant) {
      ++i;
    }
    if (i == constants.size()) {
      constants.push_back(constant);
    }
    return {static_cast<int32_t>(width_ + i)};
  }

  const std::vector<ExpressionPtr>& operands_;
  std::shared_ptr<LogicalOver> node_;
  size_t width_ = 0;
};

}  // namespace

OverPlan build_over(LogicalPtr rows,
                    const std::vector<OverWindowCalls>& windows,
                    const std::vector<ExpressionPtr>& operands,
                    bool may_keep_all_columns) {
  const size_t width = rows->schema.size();
  ComputedColumns columns(rows);
  std::vector<ColumnIndex> places;
  bool has_constants = false;
  for (const ExpressionPtr& operand : operands) {
    const bool is_constant = operand->kind == ExpressionKind::kLiteral;
    places.push_back(is_constant ? ColumnIndex{-1} : columns.place(operand));
    has_constants = has_constants || is_constant;
  }
  std::vector<PlacedWindow> placed;
  size_t calls = 0;
  for (const OverWindowCalls& window : windows) {
    PlacedWindow& next = placed.emplace_back();
    next.written = &window;
    for (const ExpressionPtr& key : window.window.partition) {
      next.partition.push_back(columns.place(key));
    }
    for (const OverOrder& order : window.window.order) {
      next.order.push_back({columns.place(order.key), order.descending, order.nulls_first});
    }
    has_constants = has_constants || has_offset(window.window.frame.lower) ||
                    has_offset(window.window.frame.upper);
    calls += window.calls.size();
  }
  std::stable_sort(placed.begin(), placed.end(), comes_before);
  for (size_t i = 0; i < placed.size(); ++i) {
    placed[i].number = i;
  }
  const bool keeps_all = may_keep_all_columns && !has_constants && columns.size() == width;
  OverPlan result{columns.project(std::move(rows)), std::vector<ColumnIndex>(calls), {}};
  result.operands = places;
  for (const PlacedWindow& window : placed) {
    result.plan = WindowNode(std::move(result.plan), operands)
                      .build(window, places, keeps_all, result.results);
  }
  return result;
}

const LogicalNode& below_windows(const LogicalOver& over) {
  const LogicalOver* first = &over;
  while (first->is_further) {
    first = &as<LogicalOver>(*first->inputs[0]);
  }
  return *first->inputs[0];
}

std::vector<std::string> names_over_windows(const LogicalProject& select) {
  std::vector<std::string> names = names_of(select.schema);
  const auto* over = if_a<LogicalOver>(*select.inputs[0]);
  if (over == nullptr) {
    return names;
  }
  const auto first_result = static_cast<int32_t>(below_windows(*over).schema.size());
  std::set<int32_t> results;
  std::vector<std::string> plain = names;
  for (size_t i = 0; i < select.projections.size(); ++i) {
    const int32_t column = plain_column(*select.projections[i]);
    if (column < 0) {
      return names;
    }
    const bool is_result = column >= first_result;
    if (is_result && !results.insert(column).second) {
      return names;
    }
    const std::string& name = over->schema[static_cast<size_t>(column)].name;
    plain[i] = name;
    if (is_result || name.starts_with(kComputed)) {
      plain[i] = fmt::format("${}", i);
    }
  }
  return make_unique(std::move(plain));
}

}  // namespace thalweg::planner
