#include "thalweg/planner/column_trends.h"

#include <algorithm>

namespace thalweg::planner {

using expression::Accumulators;
using expression::AggregateCall;
using expression::AggregateFunction;
using expression::AggregateInput;
using expression::AggregateKernel;
using expression::ExpressionKind;

namespace {

std::vector<Trend> all_columns(const PhysicalNode& node, Trend trend) {
  return std::vector<Trend>(node.schema.size(), trend);
}

size_t place(ColumnIndex column) {
  return static_cast<size_t>(column.value);
}

bool is_not_negative(const PhysicalNode& node, ColumnIndex column);

bool is_not_negative(const Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value.data)) {
    return *integer >= 0;
  }
  if (const auto* decimal = std::get_if<Int128>(&value.data)) {
    return *decimal >= 0;
  }
  const auto* number = std::get_if<double>(&value.data);
  return number != nullptr && *number >= 0;
}

bool is_not_negative(const expression::Expression& expression, const PhysicalNode& input) {
  switch (expression.kind) {
    case ExpressionKind::kLiteral:
      return expression.type.is_numeric() && is_not_negative(expression.literal);
    case ExpressionKind::kColumn:
      return is_not_negative(input, expression.column);
    case ExpressionKind::kCast:
      return expression.type.is_numeric() && is_not_negative(*expression.operands[0], input);
    case ExpressionKind::kCase:  // condition, value, ..., otherwise
      for (size_t i = 0; i < expression.operands.size(); ++i) {
        const bool is_value = i % 2 == 1 || i + 1 == expression.operands.size();
        if (is_value && !is_not_negative(*expression.operands[i], input)) {
          return false;
        }
      }
      return true;
    default:
      return false;
  }
}

/// Whether the plan itself shows that no value is below zero.
bool is_not_negative(const PhysicalNode& node, ColumnIndex column) {
  switch (node.kind) {
    case PhysicalNodeKind::kExchange:
      return is_not_negative(*node.inputs[0], column);
    case PhysicalNodeKind::kCalc:
      return is_not_negative(*as<Calc>(node).projections[place(column)], *node.inputs[0]);
    case PhysicalNodeKind::kGroupAggregate: {
      const auto& aggregate = as<GroupAggregate>(node);
      return place(column) >= aggregate.keys.size() &&
             aggregate.calls[place(column) - aggregate.keys.size()].function->name() == "COUNT";
    }
    case PhysicalNodeKind::kValues: {
      const auto& rows = as<Values>(node).rows;
      return node.schema[place(column)].type.is_numeric() &&
             std::all_of(rows.begin(), rows.end(), [&](const std::vector<Value>& row) {
               return std::holds_alternative<std::monostate>(row[place(column)].data) ||
                      is_not_negative(row[place(column)]);
             });
    }
    default:
      return false;
  }
}

Trend trend_of(const AggregateCall& call,
               const PhysicalNode& input,
               const std::vector<Trend>& trends) {
  const std::string& name = call.function->name();
  const Trend inner = call.arguments.empty() ? Trend::kConstant : trends[place(call.arguments[0])];
  Trend own = Trend::kUnknown;
  if (name == "COUNT" || name == "MAX") {
    own = Trend::kRising;
  } else if (name == "MIN") {
    own = Trend::kFalling;
  } else if ((name == "SUM" || name == "$SUM0") && is_not_negative(input, call.arguments[0])) {
    own = Trend::kRising;
  }
  return inner == Trend::kConstant || inner == own ? own : Trend::kUnknown;
}

std::vector<Trend> trends_of(const GroupAggregate& aggregate) {
  const PhysicalNode& input = *aggregate.inputs[0];
  const std::vector<Trend> inner = column_trends(input);
  std::vector<Trend> trends = all_columns(aggregate, Trend::kConstant);
  for (const ColumnIndex key : aggregate.keys) {
    if (inner[place(key)] != Trend::kConstant) {
      return all_columns(aggregate, Trend::kUnknown);
    }
  }
  for (size_t i = 0; i < aggregate.calls.size(); ++i) {
    trends[aggregate.keys.size() + i] = trend_of(aggregate.calls[i], input, inner);
  }
  return trends;
}

std::vector<Trend> trends_of(const Calc& calc) {
  const std::vector<Trend> inner = column_trends(*calc.inputs[0]);
  std::vector<Trend> trends = all_columns(calc, Trend::kUnknown);
  for (size_t i = 0; i < calc.projections.size(); ++i) {
    const expression::Expression* expression = calc.projections[i].get();
    while (expression->kind == ExpressionKind::kCast) {
      expression = expression->operands[0].get();
    }
    if (expression->kind == ExpressionKind::kColumn) {
      trends[i] = inner[place(expression->column)];
    }
  }
  return trends;
}

/// An aggregate to which rows taken back mean nothing.
class KeepsWhatIsTakenBack final : public AggregateKernel {
 public:
  explicit KeepsWhatIsTakenBack(std::unique_ptr<AggregateKernel> inner)
      : inner_(std::move(inner)) {}

  std::vector<stream::StateField> accumulator() const override { return inner_->accumulator(); }

  void accumulate(const AggregateInput& input, const Accumulators& accumulators) const override {
    inner_->accumulate(input, accumulators);
  }

  void retract(const AggregateInput&, const Accumulators&) const override {}

  bool supports_retract() const override { return true; }

  void merge(const Accumulators& into, const Accumulators& from) const override {
    inner_->merge(into, from);
  }

  void append_results(const Accumulators& accumulators, ColumnBuilder& results) const override {
    inner_->append_results(accumulators, results);
  }

  void update_rows(const AggregateInput& input,
                   std::span<const RowKind> kinds,
                   std::span<const uint8_t> counts,
                   const Accumulators& accumulators,
                   ColumnBuilder& before,
                   ColumnBuilder& after) const override {
    inner_->update_rows(input, kinds, counts, accumulators, before, after);
  }

 private:
  std::unique_ptr<AggregateKernel> inner_;
};

}  // namespace

std::vector<Trend> column_trends(const PhysicalNode& node) {
  if (node.changelog.is_insert_only()) {
    return all_columns(node, Trend::kConstant);
  }
  switch (node.kind) {
    case PhysicalNodeKind::kExchange:
      return column_trends(*node.inputs[0]);
    case PhysicalNodeKind::kCalc:
      return trends_of(as<Calc>(node));
    case PhysicalNodeKind::kGroupAggregate:
      return trends_of(as<GroupAggregate>(node));
    default:
      return all_columns(node, Trend::kUnknown);
  }
}

std::vector<AggregateCall> without_needless_retraction(std::vector<AggregateCall> calls,
                                                       const PhysicalNode& input) {
  const std::vector<Trend> trends = column_trends(input);
  for (AggregateCall& call : calls) {
    const std::string& name = call.function->name();
    const Trend wanted = name == "MAX"   ? Trend::kRising
                         : name == "MIN" ? Trend::kFalling
                                         : Trend::kUnknown;
    if (wanted == Trend::kUnknown || trends[place(call.arguments[0])] != wanted) {
      continue;
    }
    auto function = std::make_shared<AggregateFunction>(*call.function);
    function->make_kernel = [inner = call.function->make_kernel](
                                const expression::Signature& signature,
                                std::span<const expression::BoundArgument> arguments,
                                bool) -> std::unique_ptr<AggregateKernel> {
      return std::make_unique<KeepsWhatIsTakenBack>(inner(signature, arguments, false));
    };
    call.function = std::move(function);
  }
  return calls;
}

}  // namespace thalweg::planner
