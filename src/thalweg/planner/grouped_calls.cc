#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/expression/function_registry.h"
#include "thalweg/planner/aggregate_binder.h"
#include "thalweg/planner/aggregate_call_binder.h"
#include "thalweg/planner/function_lookup.h"
#include "thalweg/planner/group_window_binder.h"
#include "thalweg/planner/internal_functions.h"
#include "thalweg/planner/literal_binder.h"
#include "thalweg/planner/null_literals.h"

namespace thalweg::planner {

using expression::AggregateCall;
using expression::AggregateFunction;
using expression::ExpressionPtr;

ColumnIndex GroupedBinder::bind_filter(const sql::Expr& filter) {
  refuse_untyped_null(filter);
  ExpressionBinder binder(context(), scope(), "FILTER");
  ExpressionPtr condition = binder.bind_condition(filter);
  if (condition->type.is_nullable()) {
    condition = call("IS TRUE", {std::move(condition)}, filter.position);
  }
  return {static_cast<int32_t>(find_or_add_input(std::move(condition)))};
}

/// A group of no rows has a row too when there are no keys; otherwise these give NULL for NULLs
/// only.
void GroupedBinder::set_nullability(AggregateCall& call,
                                    const std::vector<ExpressionPtr>& arguments) const {
  const std::string& name = call.function->name();
  DataType& result = call.signature.result;
  if (name == "COUNT") {
    return;
  }
  if (keys_.empty() || sets_.size() > 1 || call.filter.value >= 0) {
    result = result.as_nullable();
  } else if (name == "SUM" || name == "AVG" || name == "MIN" || name == "MAX") {
    result = result.as_nullable(arguments.front()->type.is_nullable());
  }
}

ExpressionPtr GroupedBinder::add_call(AggregateCall call, const sql::Expr& expr) {
  const auto reference = [&](size_t index) {
    return expression::make_column({static_cast<int32_t>(keys_.size() + index)},
                                   calls_[index].signature.result,
                                   expr.position);
  };
  for (size_t i = 0; i < calls_.size(); ++i) {
    const AggregateCall& known = calls_[i];
    const bool same_function = known.function == call.function ||
                               (is_internal_aggregate(known) && is_internal_aggregate(call) &&
                                known.function->name() == call.function->name());
    if (same_function && known.arguments == call.arguments && known.distinct == call.distinct &&
        known.filter == call.filter) {
      return reference(i);
    }
  }
  call.name = name_for(expr);
  calls_.push_back(std::move(call));
  return reference(calls_.size() - 1);
}

/// Flink takes an order in these aggregates and gives the values as they come all the same.
static void check_order(const sql::FunctionCall& node,
                        std::string_view name,
                        ExpressionBinder& binder) {
  const bool takes_order = name.starts_with("ARRAY_AGG") || name.starts_with("$ARRAY_AGG") ||
                           name.starts_with("JSON_ARRAYAGG");
  for (const sql::OrderItem& item : node.order_by) {
    if (!takes_order) {
      throw Error(ErrorCode::kNotSupported, "ORDER BY inside an aggregate is not supported")
          .at(node.position);
    }
    binder.bind(*item.expr);
  }
}

ExpressionPtr GroupedBinder::bind_aggregate(const sql::FunctionCall& node) {
  std::shared_ptr<const AggregateFunction> function = find_aggregate(node, context());
  if (function->name() == "ARRAY_AGG" && node.ignore_nulls.value_or(false)) {
    function = context().functions.find_aggregate("$ARRAY_AGG_IGNORE_NULLS");
  }
  if (function->is_over_only) {
    throw Error(ErrorCode::kValidation, "OVER clause is necessary for window functions")
        .at(node.position)
        .hint(fmt::format("Write {}(...) OVER (PARTITION BY ... ORDER BY ...).",
                          function_name(node)));
  }
  if (function->name() == "COUNT" && node.args.empty()) {
    throw Error(ErrorCode::kTypeMismatch,
                "Invalid number of arguments to function 'COUNT'. Was expecting 1 arguments")
        .at(node.position)
        .hint("COUNT(*) counts rows.");
  }
  ExpressionBinder binder(context(), scope(), "SELECT");
  check_order(node, function->name(), binder);
  std::vector<ExpressionPtr> arguments;
  for (const sql::ExprPtr& argument : node.args) {
    if (argument->kind == sql::ExprKind::kStar) {
      continue;
    }
    if (contains_aggregate(*argument, context()) || contains_over(*argument)) {
      throw Error(ErrorCode::kValidation, "Aggregate expressions cannot be nested")
          .at(node.position);
    }
    arguments.push_back(binder.bind(*argument));
  }
  refuse_null_literals(function->name(), arguments);
  if (function->name() == "APPROX_COUNT_DISTINCT" && !context().is_batch()) {
    throw Error(ErrorCode::kNotSupported,
                "APPROX_COUNT_DISTINCT aggregate function does not support yet for streaming.")
        .at(node.position)
        .hint("Use COUNT(DISTINCT ...), which is exact.");
  }
  auto [call, operands] = bind_aggregate_call(node, function, arguments, context());
  for (ExpressionPtr& operand : operands) {
    call.arguments.push_back({static_cast<int32_t>(find_or_add_input(std::move(operand)))});
  }
  if (node.filter) {
    call.filter = bind_filter(*node.filter);
  }
  set_nullability(call, arguments);
  return add_call(std::move(call), node);
}

ExpressionPtr GroupedBinder::bind_grouping(const sql::FunctionCall& node) {
  if (node.args.empty()) {
    throw Error(ErrorCode::kTypeMismatch,
                fmt::format("Invalid number of arguments to function '{}'. Was expecting 1 "
                            "arguments",
                            function_name(node)))
        .at(node.position);
  }
  std::vector<ColumnIndex> arguments;
  for (const sql::ExprPtr& argument : node.args) {
    const ExpressionPtr bound = bind_input(*argument);
    bool found = false;
    for (const size_t key : keys_) {
      if (!found && expression::equal(*inputs_[key], *bound)) {
        arguments.push_back({static_cast<int32_t>(key)});
        found = true;
      }
    }
    if (!found) {
      throw Error(
          ErrorCode::kValidation,
          fmt::format("Argument to {} operator must be a grouped expression", function_name(node)))
          .at(argument->position);
    }
  }
  return add_call(
      internal_aggregate(function_name(node), DataType::big_int().not_null(), std::move(arguments)),
      node);
}

ExpressionPtr GroupedBinder::bind_auxiliary(const sql::FunctionCall& node) {
  const std::string name = function_name(node);
  const WindowAuxiliary auxiliary = *window_auxiliary(name);
  ExpressionBinder binder(context(), scope(), "SELECT");
  const ExpressionPtr wanted = bind_group_window(node, auxiliary.kind, binder);
  for (size_t key = 0; key < keys_.size(); ++key) {
    const expression::Expression& known = *inputs_[keys_[key]];
    if (internal_name(known).empty() || !same_window(known, *wanted)) {
      continue;
    }
    const DataType& time = known.operands[0]->type;
    if (auxiliary.property == WindowProperty::kRowTime &&
        time.time_attribute() == TimeAttribute::kProcessingTime) {
      throw Error(ErrorCode::kValidation, "A proctime window cannot provide a rowtime attribute.")
          .at(node.position);
    }
    if (auxiliary.property == WindowProperty::kProcessingTime &&
        time.time_attribute() == TimeAttribute::kEventTime) {
      // An event-time window has none, and Flink sends NULL.
      return expression::make_literal(DataType::timestamp_ltz(3), Value(), node.position);
    }
    return internal_call(
        name, window_property_type(auxiliary.property, time), {key_reference(key)}, node.position);
  }
  const std::string window = name.substr(0, name.find('_'));
  throw Error(ErrorCode::kValidation,
              fmt::format("Call to auxiliary group function '{}' must have matching call to group "
                          "function '${}' in GROUP BY clause",
                          name,
                          window))
      .at(node.position);
}

}  // namespace thalweg::planner
