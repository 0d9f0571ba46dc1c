#include <algorithm>

#include <fmt/format.h>

#include "thalweg/expression/function_registry.h"
#include "thalweg/expression/scalar_function.h"
#include "thalweg/planner/internal_functions.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/rules/rule.h"

namespace thalweg::planner {

using expression::AggregateCall;
using expression::ExpressionKind;
using expression::ExpressionPtr;

namespace {

ExpressionPtr big_int(int64_t value) {
  return expression::make_literal(DataType::big_int().not_null(), Value(value));
}

/// A bit for each key that the set lacks, the first key's highest: Flink's expand id.
int64_t missing_keys(const std::vector<size_t>& set, const std::vector<size_t>& keys) {
  int64_t bits = 0;
  for (const size_t key : keys) {
    bits = bits * 2 + (std::find(set.begin(), set.end(), key) == set.end() ? 1 : 0);
  }
  return bits;
}

/// Rewrites one aggregate with grouping sets.
class Expansion {
 public:
  Expansion(const LogicalAggregate& aggregate, const PlannerContext& context)
      : aggregate_(aggregate), context_(context), input_(aggregate.inputs[0]) {
    for (size_t i = 0; i < aggregate.keys.size(); ++i) {
      all_keys_.push_back(i);
    }
  }

  LogicalPtr rewrite() {
    std::vector<ColumnIndex> keys = aggregate_.keys;
    const LogicalPtr expand = make_expand();
    keys.push_back(expand_id_);
    std::vector<AggregateCall> calls;
    for (const AggregateCall& call : aggregate_.calls) {
      if (!is_internal_aggregate(call)) {
        calls.push_back(move_arguments(call));
      }
    }
    LogicalPtr grouped = make_aggregate(expand, keys, std::move(calls), {});
    return restore_columns(std::move(grouped));
  }

 private:
  bool is_key(ColumnIndex column) const {
    return std::find(aggregate_.keys.begin(), aggregate_.keys.end(), column) !=
           aggregate_.keys.end();
  }

  /// Keys that are arguments too are given twice: as keys they are NULL in some rows.
  void find_duplicates() {
    for (const AggregateCall& call : aggregate_.calls) {
      std::vector<ColumnIndex> used = call.arguments;
      used.push_back(call.filter);
      for (const ColumnIndex column : used) {
        const bool needed = column.value >= 0 && is_key(column) && !is_internal_aggregate(call);
        if (needed &&
            std::find(duplicates_.begin(), duplicates_.end(), column) == duplicates_.end()) {
          duplicates_.push_back(column);
        }
      }
    }
  }

  LogicalPtr make_expand() {
    find_duplicates();
    auto expand = std::make_shared<LogicalExpand>();
    expand->inputs.push_back(input_);
    expand->schema = input_->schema;
    for (const ColumnIndex key : aggregate_.keys) {
      DataType& type = expand->schema[static_cast<size_t>(key.value)].type;
      type = type.as_nullable();
    }
    std::vector<std::string> names = names_of(input_->schema);
    expand_id_ = {static_cast<int32_t>(expand->schema.size())};
    expand->expand_id = expand_id_;
    expand->schema.push_back({"$e", DataType::big_int().not_null()});
    names.emplace_back("$e");
    for (const ColumnIndex column : duplicates_) {
      const Field& field = input_->schema[static_cast<size_t>(column.value)];
      names.push_back(field.name + "_0");
      expand->schema.push_back({names.back(), field.type});
    }
    names = make_unique(std::move(names));
    for (size_t i = 0; i < names.size(); ++i) {
      expand->schema[i].name = names[i];
    }
    for (const std::vector<size_t>& set : aggregate_.grouping_sets) {
      expand->projections.push_back(projections_of(set));
    }
    return expand;
  }

  std::vector<ExpressionPtr> projections_of(const std::vector<size_t>& set) const {
    std::vector<ExpressionPtr> projections = all_columns(input_->schema);
    for (const size_t key : all_keys_) {
      if (std::find(set.begin(), set.end(), key) == set.end()) {
        ExpressionPtr& column = projections[static_cast<size_t>(aggregate_.keys[key].value)];
        column = expression::make_literal(column->type.as_nullable(), Value());
      }
    }
    projections.push_back(big_int(missing_keys(set, all_keys_)));
    for (const ColumnIndex column : duplicates_) {
      projections.push_back(column_of(input_->schema, static_cast<size_t>(column.value)));
    }
    return projections;
  }

  AggregateCall move_arguments(AggregateCall call) const {
    const auto moved = [&](ColumnIndex column) {
      const auto found = std::find(duplicates_.begin(), duplicates_.end(), column);
      if (column.value < 0 || found == duplicates_.end()) {
        return column;
      }
      return ColumnIndex{expand_id_.value + 1 + static_cast<int32_t>(found - duplicates_.begin())};
    };
    for (ColumnIndex& argument : call.arguments) {
      argument = moved(argument);
    }
    call.filter = moved(call.filter);
    return call;
  }

  /// GROUPING(...) by the number of the set.
  ExpressionPtr grouping_value(const AggregateCall& call, const ExpressionPtr& expand_id) const {
    std::vector<size_t> wanted;
    for (const ColumnIndex argument : call.arguments) {
      for (const size_t key : all_keys_) {
        if (aggregate_.keys[key] == argument) {
          wanted.push_back(key);
        }
      }
    }
    const auto equals = context_.functions.find_scalar("=");
    std::vector<ExpressionPtr> operands;
    for (size_t i = 0; i + 1 < aggregate_.grouping_sets.size(); ++i) {
      const std::vector<size_t>& set = aggregate_.grouping_sets[i];
      operands.push_back(
          expression::make_call(equals, {expand_id, big_int(missing_keys(set, all_keys_))}));
      operands.push_back(big_int(missing_keys(set, wanted)));
    }
    operands.push_back(big_int(missing_keys(aggregate_.grouping_sets.back(), wanted)));
    return expression::make_form(
        ExpressionKind::kCase, DataType::big_int().not_null(), std::move(operands));
  }

  LogicalPtr restore_columns(LogicalPtr grouped) const {
    const size_t key_count = all_keys_.size();
    const ExpressionPtr expand_id = column_of(grouped->schema, key_count);
    std::vector<ExpressionPtr> columns;
    for (const size_t key : all_keys_) {
      columns.push_back(column_of(grouped->schema, key));
    }
    size_t next = key_count + 1;
    for (const AggregateCall& call : aggregate_.calls) {
      columns.push_back(is_internal_aggregate(call) ? grouping_value(call, expand_id)
                                                    : column_of(grouped->schema, next++));
    }
    return make_project(std::move(grouped), std::move(columns), names_of(aggregate_.schema));
  }

  const LogicalAggregate& aggregate_;
  const PlannerContext& context_;
  LogicalPtr input_;
  std::vector<size_t> all_keys_;
  std::vector<ColumnIndex> duplicates_;
  ColumnIndex expand_id_;
};

/// GROUPING of a plain GROUP BY is always 0.
LogicalPtr drop_grouping_calls(const LogicalAggregate& aggregate) {
  std::vector<AggregateCall> calls;
  for (const AggregateCall& call : aggregate.calls) {
    if (!is_internal_aggregate(call)) {
      calls.push_back(call);
    }
  }
  const size_t key_count = aggregate.keys.size();
  LogicalPtr grouped = make_aggregate(aggregate.inputs[0], aggregate.keys, std::move(calls), {});
  std::vector<ExpressionPtr> columns;
  for (size_t i = 0; i < key_count; ++i) {
    columns.push_back(column_of(grouped->schema, i));
  }
  size_t next = key_count;
  for (const AggregateCall& call : aggregate.calls) {
    columns.push_back(is_internal_aggregate(call) ? big_int(0)
                                                  : column_of(grouped->schema, next++));
  }
  return make_project(std::move(grouped), std::move(columns), names_of(aggregate.schema));
}

}  // namespace

LogicalPtr expand_grouping_sets(const LogicalPtr& plan, const PlannerContext& context) {
  return transform_plan(plan, [&](const LogicalPtr& node) -> LogicalPtr {
    const auto* aggregate = if_a<LogicalAggregate>(*node);
    if (aggregate == nullptr) {
      return node;
    }
    if (!aggregate->grouping_sets.empty()) {
      return Expansion(*aggregate, context).rewrite();
    }
    const bool has_grouping =
        std::any_of(aggregate->calls.begin(), aggregate->calls.end(), is_internal_aggregate);
    return has_grouping ? drop_grouping_calls(*aggregate) : node;
  });
}

}  // namespace thalweg::planner
