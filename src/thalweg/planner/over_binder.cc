#include "thalweg/planner/over_binder.h"

#include <algorithm>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/expression/function_registry.h"
#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/function_lookup.h"
#include "thalweg/planner/internal_functions.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/over_build.h"
#include "thalweg/planner/over_formulas.h"
#include "thalweg/planner/select_items.h"

namespace thalweg::planner {

using expression::AggregateCall;
using expression::AggregateFunction;
using expression::ExpressionPtr;

namespace {

/// Stands for the result of a call, until it has a column.
constexpr std::string_view kStandIn = "$OVER";
/// Stands for what is computed below the windows.
constexpr std::string_view kOperand = "$BELOW_OVER";

std::shared_ptr<const AggregateFunction> function_of(const sql::FunctionCall& call,
                                                     ExpressionBinder& row) {
  std::shared_ptr<const AggregateFunction> function =
      find_function(call.name, row.context()).aggregate;
  if (function == nullptr) {
    sql::FunctionCall alone = call;
    alone.over = nullptr;
    row.bind(alone);  // says what is wrong with a function that is not there
    throw Error(ErrorCode::kValidation, "OVER must be applied to aggregate function")
        .at(call.position);
  }
  if (call.filter) {
    throw Error(ErrorCode::kValidation, "OVER must be applied to aggregate function")
        .at(call.position)
        .hint(
            "FILTER does not go with OVER: put the condition into the argument, "
            "SUM(CASE WHEN condition THEN x END) OVER (...).");
  }
  if (!call.order_by.empty()) {
    throw Error(ErrorCode::kNotSupported, "ORDER BY inside an aggregate is not supported")
        .at(call.position);
  }
  return function;
}

void check_nulls_treatment(const sql::FunctionCall& call, const std::string& function) {
  if (!call.ignore_nulls) {
    return;
  }
  if (function != "LAG" && function != "LEAD") {
    throw Error(
        ErrorCode::kValidation,
        fmt::format("Cannot specify IGNORE NULLS or RESPECT NULLS following '{}'", function))
        .at(call.position);
  }
  if (*call.ignore_nulls) {
    // Flink takes the words and counts NULLs all the same.
    throw Error(ErrorCode::kNotSupported, "IGNORE NULLS is not supported")
        .at(call.position)
        .hint("Leave out the rows that are NULL in a subquery.");
  }
}

OverDemands demands_of(const AggregateFunction& function) {
  const std::string& name = function.name();
  OverDemands demands;
  demands.has_own_frame = function.is_over_only;
  demands.counts_rows = function.is_over_only && name == "ROW_NUMBER";
  demands.needs_order = function.is_over_only &&
                        (function.takes_order || name == "CUME_DIST" || name == "PERCENT_RANK");
  return demands;
}

void require_row_order(const OverDemands& demands,
                       const OverWindow& window,
                       SourcePosition position) {
  if ((demands.counts_rows || demands.needs_order) && window.order.empty()) {
    throw Error(ErrorCode::kValidation,
                "Over Agg: The window rank function requires order by clause with non-constant "
                "fields. please re-check the over window statement.")
        .at(position);
  }
}

/// The result is NULL where there is no row in the frame, and for some functions where there is
/// nothing but NULLs.
DataType result_type(const AggregateCall& call,
                     const std::vector<ExpressionPtr>& operands,
                     const OverWindow& window) {
  const std::string& name = call.function->name();
  const DataType& type = call.signature.result;
  if (name == "COUNT" || call.function->is_over_only || call.function->is_foreign) {
    return type;
  }
  if (window.may_be_empty()) {
    return type.as_nullable();
  }
  const bool follows_operand = name == "SUM" || name == "AVG" || name == "MIN" || name == "MAX" ||
                               name == "FIRST_VALUE" || name == "LAST_VALUE";
  return follows_operand ? type.as_nullable(operands.front()->type.is_nullable()) : type;
}

void require_distinct_names(const std::vector<sql::NamedWindow>& named) {
  for (size_t i = 0; i < named.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (named[i].name.text == named[j].name.text) {
        throw Error(ErrorCode::kValidation, "Duplicate window names not allowed")
            .at(named[i].name.position);
      }
    }
  }
}

}  // namespace

OverBinder::OverBinder(const PlannerContext& context, const SelectClauses& clauses)
    : context_(context), uses_formulas_(clauses.uses_over_formulas) {
  if (clauses.windows != nullptr) {
    named_ = *clauses.windows;
    require_distinct_names(named_);
  }
}

std::vector<ExpressionPtr> OverBinder::bind_operands(const sql::FunctionCall& call,
                                                     ExpressionBinder& row) const {
  std::vector<ExpressionPtr> operands;
  for (const sql::ExprPtr& argument : call.args) {
    if (argument->kind == sql::ExprKind::kStar) {
      continue;
    }
    if (contains_over(*argument)) {
      throw Error(ErrorCode::kValidation, "Aggregate expressions cannot be nested")
          .at(call.position)
          .hint("Compute the inner one in a subquery.");
    }
    operands.push_back(row.bind(*argument));
    if (operands.back()->type.kind() == TypeKind::kNull) {
      throw Error(ErrorCode::kValidation, "Illegal use of 'NULL'")
          .at(argument->position)
          .hint("Give it a type: CAST(NULL AS STRING).");
    }
  }
  return operands;
}

ExpressionPtr OverBinder::bind(const sql::FunctionCall& call, ExpressionBinder& row) {
  const std::shared_ptr<const AggregateFunction> function = function_of(call, row);
  check_nulls_treatment(call, function->name());
  const std::vector<ExpressionPtr> operands = bind_operands(call, row);
  const OverDemands demands = demands_of(*function);
  OverWindow written = bind_over_window(resolve_window(*call.over, named_), demands, row);
  require_row_order(demands, written, call.position);
  UnplacedCall bound = bind_aggregate_call(call, function, operands, context_);
  DataType& result = bound.call.signature.result;
  result = result_type(bound.call, operands, written);
  const size_t window = add_window(std::move(written));
  if (uses_formulas_ && !function->is_foreign && operands.size() == 1) {
    const bool distinct = bound.call.distinct;
    const auto over = [&](const std::string& name, const ExpressionPtr& operand) {
      UnplacedCall part =
          bind_aggregate_call(context_.functions.find_aggregate(name), {operand}, call.position);
      part.call.distinct = distinct;
      part.call.signature.result = result_type(part.call, {operand}, windows_[window]);
      if (name == "$SUM0") {
        part.call.signature.result = part.call.signature.result.not_null();
      }
      return add_call(std::move(part), window, call.position);
    };
    const OverFormulas formulas(
        context_, over, result, windows_[window].may_be_empty(), call.position);
    if (ExpressionPtr formula = formulas.compute(function->name(), bound.operands.front())) {
      return formula;
    }
  }
  return add_call(std::move(bound), window, call.position);
}

size_t OverBinder::add_window(OverWindow window) {
  for (size_t i = 0; i < windows_.size(); ++i) {
    if (is_same_window(windows_[i], window)) {
      if (windows_[i].frame_text.empty()) {
        windows_[i].frame_text = std::move(window.frame_text);
      }
      return i;
    }
  }
  windows_.push_back(std::move(window));
  return windows_.size() - 1;
}

size_t OverBinder::add_operand(ExpressionPtr operand) {
  for (size_t i = 0; i < operands_.size(); ++i) {
    if (expression::equal(*operands_[i], *operand)) {
      return i;
    }
  }
  operands_.push_back(std::move(operand));
  return operands_.size() - 1;
}

ExpressionPtr OverBinder::add_call(UnplacedCall bound, size_t window, SourcePosition position) {
  for (ExpressionPtr& operand : bound.operands) {
    // A constant is shown as it is written; the plan that runs casts it.
    const bool is_cast_constant =
        operand->kind == expression::ExpressionKind::kCast && operand->is_implicit &&
        operand->operands[0]->kind == expression::ExpressionKind::kLiteral;
    bound.call.arguments.push_back({static_cast<int32_t>(
        add_operand(is_cast_constant ? operand->operands[0] : std::move(operand)))});
  }
  for (const PlacedCall& known : calls_) {
    if (known.window == window && known.call.function == bound.call.function &&
        known.call.arguments == bound.call.arguments &&
        known.call.distinct == bound.call.distinct) {
      return known.stand_in;
    }
  }
  const DataType type = bound.call.signature.result;
  const ColumnIndex number{static_cast<int32_t>(calls_.size())};
  ExpressionPtr stand_in =
      internal_call(std::string(kStandIn), type, {expression::make_column(number, type)}, position);
  calls_.push_back({std::move(bound.call), window, stand_in});
  return stand_in;
}

namespace {

size_t number_of(const expression::Expression& stand_in) {
  return static_cast<size_t>(stand_in.operands[0]->column.value);
}

}  // namespace

bool has_over_call(const expression::Expression& expr) {
  return internal_name(expr) == kStandIn ||
         std::any_of(expr.operands.begin(), expr.operands.end(), [](const ExpressionPtr& operand) {
           return has_over_call(*operand);
         });
}

namespace {

bool is_conditional(expression::ExpressionKind kind) {
  using expression::ExpressionKind;
  return kind == ExpressionKind::kCase || kind == ExpressionKind::kCoalesce ||
         kind == ExpressionKind::kAnd || kind == ExpressionKind::kOr;
}

}  // namespace

ExpressionPtr OverBinder::computed_below(const ExpressionPtr& expr) {
  const bool stands_for_itself =
      plain_column(*expr) >= 0 || expr->operands.empty() || internal_name(*expr) == kStandIn;
  if (stands_for_itself) {
    return expr;
  }
  if (!has_over_call(*expr)) {
    if (!internal_name(*expr).empty() || expression::referenced_columns(*expr).empty()) {
      return expr;
    }
    const ColumnIndex place{static_cast<int32_t>(add_operand(expr))};
    return internal_call(std::string(kOperand),
                         expr->type,
                         {expression::make_column(place, expr->type)},
                         expr->position);
  }
  if (is_conditional(expr->kind)) {
    return expr;  // a part of it is computed only for the rows that come to it
  }
  auto copy = std::make_shared<expression::Expression>(*expr);
  for (ExpressionPtr& operand : copy->operands) {
    operand = computed_below(operand);
  }
  return copy;
}

LogicalPtr OverBinder::project(LogicalPtr rows,
                               std::vector<ExpressionPtr> projections,
                               const std::vector<std::string>& names) {
  const bool keeps_all_columns =
      !context_.is_batch() &&
      std::all_of(projections.begin(), projections.end(), [](const ExpressionPtr& projection) {
        return plain_column(*projection) >= 0 || internal_name(*projection) == kStandIn;
      });
  for (ExpressionPtr& projection : projections) {
    projection = computed_below(projection);
  }
  std::vector<OverWindowCalls> windows;
  for (const OverWindow& window : windows_) {
    windows.push_back({window, {}, {}});
  }
  for (const PlacedCall& placed : calls_) {
    windows[placed.window].calls.push_back(placed.call);
    windows[placed.window].numbers.push_back(number_of(*placed.stand_in));
  }
  const OverPlan plan = build_over(std::move(rows), windows, operands_, keeps_all_columns);
  for (ExpressionPtr& projection : projections) {
    projection = transform(projection, [&](const ExpressionPtr& node) {
      const std::string_view name = internal_name(*node);
      if (name != kStandIn && name != kOperand) {
        return node;
      }
      const size_t number = number_of(*node);
      const ColumnIndex column = name == kStandIn ? plan.results[number] : plan.operands[number];
      return expression::make_column(column, node->type, node->position);
    });
  }
  return make_project(plan.plan, std::move(projections), names);
}

}  // namespace thalweg::planner
