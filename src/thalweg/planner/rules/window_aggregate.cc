#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/rules/rule.h"

namespace thalweg::planner {

using expression::AggregateCall;
using expression::ExpressionPtr;

namespace {

/// Which columns of a node's output hold a window's bounds, and of which window.
struct WindowColumns {
  WindowSpec spec;
  std::set<int32_t> starts;
  std::set<int32_t> ends;
  std::set<int32_t> times;

  bool contains(int32_t column) const {
    return starts.count(column) + ends.count(column) + times.count(column) > 0;
  }
};

using Found = std::optional<WindowColumns>;

Found find_windows(const LogicalNode& node);

Found through_columns(const Found& below, const std::vector<int32_t>& sources) {
  if (!below) {
    return std::nullopt;
  }
  WindowColumns here{below->spec, {}, {}, {}};
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto column = static_cast<int32_t>(i);
    if (below->starts.count(sources[i]) > 0) {
      here.starts.insert(column);
    } else if (below->ends.count(sources[i]) > 0) {
      here.ends.insert(column);
    } else if (below->times.count(sources[i]) > 0) {
      here.times.insert(column);
    }
  }
  return here;
}

std::vector<int32_t> sources_of(const std::vector<ExpressionPtr>& projections) {
  std::vector<int32_t> sources;
  for (const ExpressionPtr& projection : projections) {
    sources.push_back(plain_column(*projection));
  }
  return sources;
}

Found through_expand(const LogicalExpand& expand) {
  std::vector<int32_t> sources = sources_of(expand.projections.front());
  for (const auto& projections : expand.projections) {
    const std::vector<int32_t> others = sources_of(projections);
    for (size_t i = 0; i < sources.size(); ++i) {
      sources[i] = sources[i] == others[i] ? sources[i] : -1;
    }
  }
  return through_columns(find_windows(*expand.inputs[0]), sources);
}

Found of_aggregate(const LogicalWindowAggregate& aggregate) {
  WindowColumns here{aggregate.window, {}, {}, {}};
  auto column = static_cast<int32_t>(aggregate.keys.size() + aggregate.calls.size());
  for (const NamedWindowProperty& property : aggregate.properties) {
    auto& columns = property.property == WindowProperty::kStart ? here.starts
                    : property.property == WindowProperty::kEnd ? here.ends
                                                                : here.times;
    columns.insert(column++);
  }
  return here;
}

Found find_windows(const LogicalNode& node) {
  if (const auto* function = if_a<LogicalWindowFunction>(node)) {
    const auto first = static_cast<int32_t>(function->inputs[0]->schema.size());
    return WindowColumns{function->window, {first}, {first + 1}, {first + 2}};
  }
  if (const auto* calc = if_a<LogicalCalc>(node)) {
    return through_columns(find_windows(*calc->inputs[0]), sources_of(calc->projections));
  }
  if (const auto* expand = if_a<LogicalExpand>(node)) {
    return through_expand(*expand);
  }
  if (const auto* aggregate = if_a<LogicalWindowAggregate>(node)) {
    return of_aggregate(*aggregate);
  }
  return std::nullopt;
}

void check_slices(const WindowSpec& spec) {
  const bool sliding = spec.kind == WindowKind::kHop || spec.kind == WindowKind::kCumulate;
  if (!sliding || spec.size_ms % spec.slide_ms == 0) {
    return;
  }
  if (spec.kind == WindowKind::kHop) {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("HOP table function based aggregate requires size must be an integral "
                            "multiple of slide, but got size {} ms and slide {} ms",
                            spec.size_ms,
                            spec.slide_ms));
  }
  throw Error(ErrorCode::kNotSupported,
              fmt::format("CUMULATE table function based aggregate requires maxSize must be an "
                          "integral multiple of step, but got maxSize {} ms and step {} ms",
                          spec.size_ms,
                          spec.slide_ms));
}

/// Replaces one aggregate that groups by the bounds of a window.
class Recognition {
 public:
  Recognition(const LogicalAggregate& aggregate, const WindowColumns& windows)
      : aggregate_(aggregate), windows_(windows) {}

  LogicalPtr rewrite() {
    split_keys();
    if (!merge_function()) {
      attach_to_columns();
    }
    check_slices(node_->window);
    add_schema();
    return restore_order();
  }

  /// SESSION is for the rows of one partition: grouping by more or less is no window aggregate.
  static bool may_rewrite(const LogicalAggregate& aggregate, const WindowColumns& windows) {
    const LogicalWindowFunction* function = session_below(*aggregate.inputs[0]);
    if (windows.spec.kind != WindowKind::kSession || function == nullptr) {
      return true;
    }
    const auto* calc = if_a<LogicalCalc>(*aggregate.inputs[0]);
    std::set<int32_t> keys;
    for (const ColumnIndex key : aggregate.keys) {
      if (!windows.contains(key.value)) {
        keys.insert(calc == nullptr
                        ? key.value
                        : plain_column(*calc->projections[static_cast<size_t>(key.value)]));
      }
    }
    std::set<int32_t> partition;
    for (const ColumnIndex key : function->partition_keys) {
      partition.insert(key.value);
    }
    return keys == partition;
  }

 private:
  static const LogicalWindowFunction* session_below(const LogicalNode& node) {
    const auto* calc = if_a<LogicalCalc>(node);
    return if_a<LogicalWindowFunction>(calc == nullptr ? node : *calc->inputs[0]);
  }

  void split_keys() {
    for (size_t i = 0; i < aggregate_.keys.size(); ++i) {
      const ColumnIndex key = aggregate_.keys[i];
      const std::string& name = aggregate_.schema[i].name;
      if (windows_.starts.count(key.value) > 0) {
        add_property(WindowProperty::kStart, name);
      } else if (windows_.ends.count(key.value) > 0) {
        add_property(WindowProperty::kEnd, name);
      } else if (windows_.times.count(key.value) > 0) {
        add_property(
            windows_.spec.is_row_time ? WindowProperty::kRowTime : WindowProperty::kProcessingTime,
            name);
      } else {
        node_->keys.push_back(key);
        key_places_.push_back({false, node_->keys.size() - 1});
      }
    }
    node_->calls = aggregate_.calls;
    node_->window = windows_.spec;
  }

  void add_property(WindowProperty property, const std::string& name) {
    for (size_t i = 0; i < node_->properties.size(); ++i) {
      if (node_->properties[i].property == property) {
        key_places_.push_back({true, i});
        return;
      }
    }
    key_places_.push_back({true, node_->properties.size()});
    node_->properties.push_back({property, name});
  }

  /// The window function goes into the aggregate when nothing but a plain projection lies between.
  bool merge_function() {
    const LogicalNode& input = *aggregate_.inputs[0];
    const auto* calc = if_a<LogicalCalc>(input);
    const auto* function = if_a<LogicalWindowFunction>(calc == nullptr ? input : *calc->inputs[0]);
    if (function == nullptr || (calc != nullptr && uses_bounds(*calc, *function))) {
      return false;
    }
    std::vector<ExpressionPtr> projections =
        calc == nullptr ? all_columns(input.schema) : calc->projections;
    const auto window_first = static_cast<int32_t>(function->inputs[0]->schema.size());
    if (aggregates_bounds(projections, window_first)) {
      return false;
    }
    std::vector<ExpressionPtr> kept;
    std::vector<std::string> names;
    std::vector<int32_t> moved(projections.size(), -1);
    int32_t time = -1;
    for (size_t i = 0; i < projections.size(); ++i) {
      const int32_t column = plain_column(*projections[i]);
      if (column >= window_first) {
        continue;
      }
      moved[i] = static_cast<int32_t>(kept.size());
      time = column == function->window.time_column.value ? moved[i] : time;
      kept.push_back(projections[i]);
      names.push_back(input.schema[i].name);
    }
    if (time < 0) {
      const auto column = static_cast<size_t>(function->window.time_column.value);
      time = static_cast<int32_t>(kept.size());
      kept.push_back(column_of(function->inputs[0]->schema, column));
      names.push_back(function->inputs[0]->schema[column].name);
    }
    move_columns(moved);
    node_->window = function->window;
    node_->window.time_column = {time};
    node_->inputs.push_back(make_calc(function->inputs[0],
                                      std::move(kept),
                                      calc == nullptr ? nullptr : calc->condition,
                                      make_unique(std::move(names))));
    return true;
  }

  /// MAX(window_time).
  bool aggregates_bounds(const std::vector<ExpressionPtr>& projections,
                         int32_t window_first) const {
    const auto is_bound = [&](ColumnIndex column) {
      return column.value >= 0 &&
             plain_column(*projections[static_cast<size_t>(column.value)]) >= window_first;
    };
    return std::any_of(aggregate_.calls.begin(), aggregate_.calls.end(), [&](const auto& call) {
      return is_bound(call.filter) ||
             std::any_of(call.arguments.begin(), call.arguments.end(), is_bound);
    });
  }

  static bool uses_bounds(const LogicalCalc& calc, const LogicalWindowFunction& function) {
    const auto first = static_cast<int32_t>(function.inputs[0]->schema.size());
    const auto reads_bounds = [&](const expression::Expression& expr) {
      for (const ColumnIndex column : expression::referenced_columns(expr)) {
        if (column.value >= first) {
          return true;
        }
      }
      return false;
    };
    for (const ExpressionPtr& projection : calc.projections) {
      if (plain_column(*projection) < 0 && reads_bounds(*projection)) {
        return true;
      }
    }
    return calc.condition && reads_bounds(*calc.condition);
  }

  void move_columns(const std::vector<int32_t>& moved) {
    const auto move = [&](ColumnIndex& column) {
      if (column.value >= 0) {
        column.value = moved[static_cast<size_t>(column.value)];
      }
    };
    for (ColumnIndex& key : node_->keys) {
      move(key);
    }
    for (AggregateCall& call : node_->calls) {
      for (ColumnIndex& argument : call.arguments) {
        move(argument);
      }
      move(call.filter);
    }
  }

  void attach_to_columns() {
    node_->window.source = WindowSource::kWindowColumns;
    node_->window.time_column = {-1};
    node_->window.window_start = {*windows_.starts.begin()};
    node_->window.window_end = {*windows_.ends.begin()};
    node_->inputs.push_back(aggregate_.inputs[0]);
  }

  void add_schema() {
    const Schema& input = node_->inputs[0]->schema;
    for (const ColumnIndex key : node_->keys) {
      node_->schema.push_back(input[static_cast<size_t>(key.value)]);
    }
    const size_t key_count = aggregate_.keys.size();
    for (size_t i = 0; i < node_->calls.size(); ++i) {
      node_->schema.push_back(aggregate_.schema[key_count + i]);
    }
    for (size_t i = 0; i < key_places_.size(); ++i) {
      const auto [is_property, place] = key_places_[i];
      const size_t column = node_->keys.size() + node_->calls.size() + place;
      if (is_property && column == node_->schema.size()) {
        node_->schema.push_back(aggregate_.schema[i]);
      }
    }
  }

  LogicalPtr restore_order() {
    const size_t key_count = node_->keys.size();
    const size_t call_count = node_->calls.size();
    const Schema schema = node_->schema;
    std::vector<ExpressionPtr> columns;
    for (const auto& [is_property, place] : key_places_) {
      columns.push_back(column_of(schema, is_property ? key_count + call_count + place : place));
    }
    for (size_t i = 0; i < call_count; ++i) {
      columns.push_back(column_of(schema, key_count + i));
    }
    return make_calc(std::move(node_), std::move(columns), nullptr, names_of(aggregate_.schema));
  }

  struct Place {
    bool is_property;
    size_t index;
  };

  const LogicalAggregate& aggregate_;
  const WindowColumns& windows_;
  std::shared_ptr<LogicalWindowAggregate> node_ = std::make_shared<LogicalWindowAggregate>();
  std::vector<Place> key_places_;
};

bool groups_by_window(const LogicalAggregate& aggregate, const WindowColumns& windows) {
  bool start = false;
  bool end = false;
  for (const ColumnIndex key : aggregate.keys) {
    start = start || windows.starts.count(key.value) > 0;
    end = end || windows.ends.count(key.value) > 0;
  }
  return start && end;
}

}  // namespace

LogicalPtr recognise_window_aggregates(const LogicalPtr& plan, const PlannerContext& context) {
  if (context.is_batch()) {
    return plan;  // the window function's rows are grouped like any other
  }
  return transform_plan(plan, [](const LogicalPtr& node) -> LogicalPtr {
    const auto* aggregate = if_a<LogicalAggregate>(*node);
    if (aggregate == nullptr) {
      return node;
    }
    const Found windows = find_windows(*aggregate->inputs[0]);
    if (!windows || !groups_by_window(*aggregate, *windows) ||
        !Recognition::may_rewrite(*aggregate, *windows)) {
      return node;
    }
    return Recognition(*aggregate, *windows).rewrite();
  });
}

}  // namespace thalweg::planner
