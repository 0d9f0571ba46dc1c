#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/insert_cast.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/physical_planner.h"

namespace thalweg::planner {

using expression::AggregateCall;
using expression::ExpressionPtr;
using expression::OverBoundKind;

namespace {

bool has_changes(const PhysicalNode& node) {
  return !node.changelog.is_insert_only();
}

bool is_time(const LogicalOver& over) {
  return over.schema[static_cast<size_t>(over.order.front().column.value)].type.is_time_attribute();
}

/// What Flink's streaming plans have no operator for.
void check_streaming(const LogicalOver& over) {
  const auto refuse = [](std::string_view message, std::string_view hint) {
    throw Error(ErrorCode::kNotSupported, std::string(message)).hint(std::string(hint));
  };
  if (over.is_further) {
    refuse(
        "Over Agg: Unsupported use of OVER windows. All aggregates must be computed on the same "
        "window. please re-check the over window statement.",
        "Compute each window in a query of its own: SELECT *, f(x) OVER (...) FROM (SELECT *, "
        "g(y) OVER (...) FROM t). ROW_NUMBER counts ROWS, the other functions take RANGE unless "
        "told otherwise.");
  }
  for (const AggregateCall& call : over.calls) {
    if (!call.function->make_kernel) {
      refuse(fmt::format("{} Function is not supported in stream mode.", call.function->name()),
             "It looks at rows that are still to come; it runs in batch mode.");
    }
  }
  if (over.order.size() != 1) {
    refuse("The window can only be ordered by a single time column.",
           "Add ORDER BY with one column, best a time attribute.");
  }
  if (over.order.front().descending) {
    refuse("The window can only be ordered in ASCENDING mode.", "Leave out DESC.");
  }
  if (over.frame.upper.kind != OverBoundKind::kCurrentRow) {
    refuse("OVER RANGE FOLLOWING windows are not supported yet.",
           "End the frame at the current row, or run the query in batch mode.");
  }
  if (!is_time(over) && over.frame.lower.kind != OverBoundKind::kUnboundedPreceding) {
    refuse("Non-time attribute sort is not supported for bounded OVER window.",
           "Order by a time attribute, or let the frame begin at UNBOUNDED PRECEDING.");
  }
}

void refuse_changes(const PhysicalNode& input) {
  const bool updates = input.changelog.update_after;
  const bool removes = input.changelog.remove;
  throw Error(ErrorCode::kNotSupported,
              fmt::format("OverAggregate doesn't support consuming {} changes which is produced by "
                          "node {}",
                          updates && removes ? "update and delete"
                          : updates          ? "update"
                                             : "delete",
                          describe(input)))
      .hint("Order by a column that is no time attribute: then rows may be taken back.");
}

/// The name with _0, _1 and so on behind it where another column has it.
std::string unique_name(const std::string& name, const Schema& schema) {
  const auto is_taken = [&schema](const std::string& candidate) {
    return std::any_of(
        schema.begin(), schema.end(), [&](const Field& field) { return field.name == candidate; });
  };
  std::string candidate = name;
  for (int suffix = 0; is_taken(candidate); ++suffix) {
    candidate = fmt::format("{}_{}", name, suffix);
  }
  return candidate;
}

std::vector<SortKey> sort_keys(const std::vector<LogicalSortKey>& order) {
  std::vector<SortKey> keys;
  for (const LogicalSortKey& key : order) {
    keys.push_back({key.column, key.descending, key.nulls_first});
  }
  return keys;
}

/// The partition's columns, then the order's: what the rows of a batch are sorted by.
std::vector<SortKey> batch_order(const OverAggregate& over) {
  std::vector<SortKey> keys;
  std::set<ColumnIndex> known;
  for (const ColumnIndex column : over.partition_keys) {
    if (known.insert(column).second) {
      keys.push_back({column, false, true});
    }
  }
  for (const SortKey& key : over.order) {
    if (known.insert(key.column).second) {
      keys.push_back(key);
    }
  }
  return keys;
}

bool begins_with(const std::vector<SortKey>& keys, const std::vector<SortKey>& first) {
  return keys.size() >= first.size() && std::equal(first.begin(), first.end(), keys.begin());
}

PhysicalPtr sorted(PhysicalPtr input, std::vector<SortKey> keys) {
  auto sort = std::make_shared<Sort>();
  sort->schema = input->schema;
  sort->is_bounded = input->is_bounded;
  sort->unique_keys = input->unique_keys;
  sort->changelog = input->changelog;
  sort->inputs.push_back(std::move(input));
  sort->keys = std::move(keys);
  sort->emits_at_end = true;
  return sort;
}

PhysicalPtr projected(PhysicalPtr input, std::vector<ExpressionPtr> projections, Schema schema) {
  auto calc = std::make_shared<Calc>();
  calc->is_bounded = input->is_bounded;
  calc->changelog = input->changelog;
  calc->inputs.push_back(std::move(input));
  calc->projections = std::move(projections);
  calc->schema = std::move(schema);
  return calc;
}

/// The same node with its calls under one frame.
std::shared_ptr<OverAggregate> with_calls(const OverAggregate& shown,
                                          PhysicalPtr input,
                                          OverCalls window) {
  auto node = std::make_shared<OverAggregate>(shown);
  node->execution = nullptr;
  node->constants.clear();
  node->unique_keys.clear();
  node->schema = input->schema;
  node->inputs = {std::move(input)};
  for (const AggregateCall& call : window.calls) {
    node->schema.push_back({call.name, call.signature.result});
  }
  node->windows = {std::move(window)};
  return node;
}

/// One window of `shown` over `input`, whose first `width` columns are those of its input: what the
/// calls take from the constants is computed first, and left out of the result.
PhysicalPtr run_window(const OverAggregate& shown,
                       const PhysicalPtr& input,
                       OverCalls window,
                       size_t width) {
  const size_t given = input->schema.size();
  std::vector<ExpressionPtr> columns = all_columns(input->schema);
  Schema schema = input->schema;
  for (AggregateCall& call : window.calls) {
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      ColumnIndex& argument = call.arguments[i];
      if (argument.value < static_cast<int32_t>(width)) {
        continue;
      }
      const auto constant = static_cast<size_t>(argument.value) - width;
      argument.value = static_cast<int32_t>(columns.size());
      columns.push_back(coerce(shown.constants[constant], call.signature.arguments[i]));
      schema.push_back({fmt::format("constant${}", schema.size()), columns.back()->type});
    }
  }
  if (columns.size() == given) {
    return with_calls(shown, input, std::move(window));
  }
  const PhysicalPtr node =
      with_calls(shown, projected(input, std::move(columns), std::move(schema)), std::move(window));
  std::vector<ExpressionPtr> results = all_columns(node->schema);
  const auto first = static_cast<int64_t>(given);
  const auto end = static_cast<int64_t>(node->inputs[0]->schema.size());
  results.erase(results.begin() + first, results.begin() + end);
  Schema kept = node->schema;
  kept.erase(kept.begin() + first, kept.begin() + end);
  return projected(node, std::move(results), std::move(kept));
}

/// What runs for a node that shows several frames, or constants.
PhysicalPtr execution_of(const OverAggregate& shown) {
  if (shown.windows.size() == 1 && shown.constants.empty()) {
    return nullptr;
  }
  PhysicalPtr node = shown.inputs[0];
  const size_t width = node->schema.size();
  for (const OverCalls& window : shown.windows) {
    node = run_window(shown, node, window, width);
  }
  return node;
}

/// ROW_NUMBER tells the rows of a partition apart.
void add_row_numbers(OverAggregate& over) {
  size_t column = over.inputs[0]->schema.size();
  for (const OverCalls& window : over.windows) {
    for (const AggregateCall& call : window.calls) {
      if (call.function->is_over_only && call.function->name() == "ROW_NUMBER") {
        std::vector<ColumnIndex> key = over.partition_keys;
        key.push_back({static_cast<int32_t>(column)});
        over.unique_keys.push_back(std::move(key));
      }
      ++column;
    }
  }
}

/// Flink shows the frames of one partition and order in one node. The calls of `upper` take columns
/// of the row, and no results of `below`.
PhysicalPtr merged(const OverAggregate& below, const OverAggregate& upper) {
  const size_t width = below.inputs[0]->schema.size();
  const auto results = static_cast<int32_t>(below.schema.size() - width);
  const auto constants = static_cast<int32_t>(below.constants.size());
  OverCalls window = upper.windows.front();
  for (AggregateCall& call : window.calls) {
    for (ColumnIndex& argument : call.arguments) {
      if (argument.value >= static_cast<int32_t>(width)) {
        argument.value += constants - results;
      }
    }
  }
  auto both = std::make_shared<OverAggregate>(below);
  both->schema = upper.schema;
  both->windows.push_back(std::move(window));
  both->constants.insert(both->constants.end(), upper.constants.begin(), upper.constants.end());
  both->unique_keys = both->inputs[0]->unique_keys;
  add_row_numbers(*both);
  both->execution = execution_of(*both);
  return both;
}

bool is_rank(const AggregateCall& call) {
  const std::string& name = call.function->name();
  return call.function->is_over_only &&
         (name == "ROW_NUMBER" || name == "RANK" || name == "DENSE_RANK");
}

}  // namespace

/// Flink makes a Rank of a condition on such a number. By time, all its rows are there as they
/// come; otherwise a row that comes in takes another one out.
void refuse_top_n(const LogicalCalc& calc) {
  const auto* over = if_a<LogicalOver>(*calc.inputs[0]);
  if (over == nullptr || !calc.condition ||
      !std::all_of(over->calls.begin(), over->calls.end(), is_rank)) {
    return;
  }
  const bool is_by_time =
      over->order.size() == 1 && !over->order.front().descending && is_time(*over);
  const auto width = static_cast<int32_t>(over->inputs[0]->schema.size());
  for (const ColumnIndex column : expression::referenced_columns(*calc.condition)) {
    if (column.value >= width && !is_by_time) {
      throw Error(
          ErrorCode::kNotSupported,
          fmt::format("Top-N is not supported yet in streaming mode: a condition on {} that "
                      "is not ordered by one ascending time attribute",
                      over->calls.front().function->name()))
          .hint("Run it in batch mode, or use ORDER BY ... LIMIT n where there is one group.");
    }
  }
}

PhysicalPtr PhysicalPlanner::plan_over(const LogicalOver& node) {
  if (!is_batch_) {
    check_streaming(node);
  }
  PhysicalPtr input = plan(node.inputs[0]);
  auto over = std::make_shared<OverAggregate>();
  over->partition_keys = node.partition_keys;
  over->order = sort_keys(node.order);
  over->windows.push_back({node.frame, node.calls});
  over->constants = node.constants;
  over->is_bounded = input->is_bounded;
  over->emits_at_end = is_batch_;
  over->unique_keys = input->unique_keys;
  over->schema = input->schema;
  for (AggregateCall& call : over->windows.front().calls) {
    call.name = unique_name(call.name, over->schema);
    over->schema.push_back({call.name, call.signature.result});
  }
  if (is_batch_) {
    return place_batch_over(std::move(over), std::move(input), node.is_further);
  }
  if (!is_time(node)) {
    over->sends_updates = true;
    over->needs_retract = has_changes(*input);
    over->changelog = stream::ChangelogMode::all();
    over->unique_keys.clear();
  } else if (has_changes(*input)) {
    refuse_changes(*input);
  }
  over->inputs.push_back(exchange_by(std::move(input), node.partition_keys));
  if (!over->sends_updates) {
    add_row_numbers(*over);
  }
  over->execution = execution_of(*over);
  return over;
}

PhysicalPtr PhysicalPlanner::place_batch_over(std::shared_ptr<OverAggregate> over,
                                              PhysicalPtr input,
                                              bool is_further) {
  const auto* below = if_a<OverAggregate>(*input);
  const bool meets = below != nullptr && below->partition_keys == over->partition_keys;
  if (meets && is_further && below->order == over->order) {
    return merged(*below, *over);
  }
  const std::vector<SortKey> wanted = batch_order(*over);
  const bool is_sorted = meets && begins_with(batch_order(*below), wanted);
  if (!meets) {
    input = exchange_by(std::move(input), over->partition_keys);
  }
  if (!is_sorted && !wanted.empty()) {
    input = sorted(std::move(input), wanted);
  }
  over->inputs.push_back(std::move(input));
  add_row_numbers(*over);
  over->execution = execution_of(*over);
  return over;
}

}  // namespace thalweg::planner
