#include <algorithm>

#include "thalweg/common/error.h"
#include "thalweg/expression/evaluator.h"
#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/insert_cast.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/physical_planner.h"
#include "thalweg/planner/rules/rule.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

namespace {

/// An input's column as the union's type. Literals and computed values get Flink's cast to the
/// nullable type too; columns are taken as they are.
ExpressionPtr adapted(ExpressionPtr expr, const DataType& type, const PlannerContext& context) {
  expr = fold(coerce(std::move(expr), type), context);
  if (expr->type.is_nullable() || !type.is_nullable() || plain_column(*expr) >= 0) {
    return expr;
  }
  const SourcePosition position = expr->position;
  return expression::make_cast(std::move(expr), type, false, position);
}

/// Rows that the plan computes from nothing but constants.
class ConstantRows {
 public:
  explicit ConstantRows(const PlannerContext& context) {
    evaluation_.time_zone = context.time_zone();
    evaluation_.is_batch = context.is_batch();
  }

  /// False when some value is known at run time only, or fails.
  bool add_all(const std::vector<PhysicalPtr>& inputs) {
    return std::all_of(
        inputs.begin(), inputs.end(), [this](const PhysicalPtr& input) { return add(*input); });
  }

  std::vector<std::vector<Value>> take() { return std::move(rows_); }

 private:
  bool add(const PhysicalNode& node) {
    switch (node.kind) {
      case PhysicalNodeKind::kValues:
        for (const std::vector<Value>& row : as<Values>(node).rows) {
          rows_.push_back(row);
        }
        return true;
      case PhysicalNodeKind::kUnion:
        // One below was looked at when it was made.
        return node.execution != nullptr && add(*node.execution);
      case PhysicalNodeKind::kCalc: {
        const auto* values = if_a<Values>(*node.inputs[0]);
        return values != nullptr && values->rows.size() == 1 && add_calc(as<Calc>(node));
      }
      default:
        return false;
    }
  }

  bool add_calc(const Calc& calc) {
    try {
      if (calc.condition) {
        if (!expression::is_constant(*calc.condition)) {
          return false;
        }
        const Value keep = expression::evaluate_constant(calc.condition, evaluation_);
        if (keep.is_null() || !std::get<bool>(keep.data)) {
          return true;
        }
      }
      std::vector<Value> row;
      for (const ExpressionPtr& projection : calc.projections) {
        if (!expression::is_constant(*projection)) {
          return false;
        }
        row.push_back(expression::evaluate_constant(projection, evaluation_));
      }
      rows_.push_back(std::move(row));
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  expression::EvaluationContext evaluation_;
  std::vector<std::vector<Value>> rows_;
};

PhysicalPtr make_union(Schema schema,
                       std::vector<PhysicalPtr> inputs,
                       const PlannerContext& context) {
  auto all = std::make_shared<Union>();
  for (const PhysicalPtr& input : inputs) {
    all->is_bounded = all->is_bounded && input->is_bounded;
    all->changelog.update_before |= input->changelog.update_before;
    all->changelog.update_after |= input->changelog.update_after;
    all->changelog.remove |= input->changelog.remove;
    for (size_t i = 0; i < schema.size(); ++i) {
      if (input->schema[i].type.time_attribute() != schema[i].type.time_attribute()) {
        schema[i].type = schema[i].type.with_time_attribute(TimeAttribute::kNone);
      }
    }
  }
  all->schema = std::move(schema);
  all->inputs = std::move(inputs);
  // VALUES of computed rows is a union of one-row tables in Flink's plans; one source gives them
  // here.
  ConstantRows constant(context);
  if (constant.add_all(all->inputs)) {
    auto values = std::make_shared<Values>();
    values->schema = all->schema;
    values->rows = constant.take();
    all->execution = std::move(values);
  }
  return all;
}

bool has_types_of(const Schema& schema, const Schema& wanted) {
  return std::equal(schema.begin(),
                    schema.end(),
                    wanted.begin(),
                    wanted.end(),
                    [](const Field& own, const Field& other) { return own.type == other.type; });
}

PhysicalPtr adapt_input(const PhysicalPtr& input,
                        const Schema& schema,
                        const PlannerContext& context) {
  if (input->kind == PhysicalNodeKind::kUnion) {
    if (has_types_of(input->schema, schema)) {
      return input;
    }
    std::vector<PhysicalPtr> inputs;
    for (const PhysicalPtr& inner : input->inputs) {
      inputs.push_back(adapt_input(inner, schema, context));
    }
    Schema adapted_schema = input->schema;
    for (size_t i = 0; i < schema.size(); ++i) {
      adapted_schema[i].type = schema[i].type;
    }
    return make_union(std::move(adapted_schema), std::move(inputs), context);
  }
  const auto* calc = if_a<Calc>(*input);
  std::vector<ExpressionPtr> projections =
      calc != nullptr ? calc->projections : all_columns(input->schema);
  bool changed = false;
  for (size_t i = 0; i < projections.size(); ++i) {
    ExpressionPtr next = adapted(projections[i], schema[i].type, context);
    changed = changed || next != projections[i];
    projections[i] = std::move(next);
  }
  if (!changed) {
    return input;
  }
  auto adapted_calc = std::make_shared<Calc>();
  if (calc != nullptr) {
    adapted_calc = std::make_shared<Calc>(*calc);
  } else {
    adapted_calc->inputs.push_back(input);
    adapted_calc->changelog = input->changelog;
    adapted_calc->is_bounded = input->is_bounded;
    adapted_calc->schema = input->schema;
  }
  for (size_t i = 0; i < projections.size(); ++i) {
    adapted_calc->schema[i].type = projections[i]->type;
  }
  adapted_calc->projections = std::move(projections);
  return adapted_calc;
}

}  // namespace

PhysicalPtr PhysicalPlanner::plan_union(const LogicalSetOperation& node) {
  std::vector<PhysicalPtr> inputs;
  for (const LogicalPtr& input : node.inputs) {
    inputs.push_back(adapt_input(plan(input), node.schema, context_));
  }
  return make_union(node.schema, std::move(inputs), context_);
}

}  // namespace thalweg::planner
