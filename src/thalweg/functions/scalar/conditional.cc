// IF, IFNULL, COALESCE, NULLIF, GREATEST, LEAST, TYPEOF.
#include "thalweg/expression/type_inference.h"
#include "thalweg/functions/building_kernel.h"
#include "thalweg/functions/order.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::Expression;
using expression::ExpressionKind;
using expression::ExpressionPtr;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;

namespace {

std::vector<DataType> types_of(std::span<const BoundArgument> arguments) {
  std::vector<DataType> types;
  for (const BoundArgument& argument : arguments) {
    types.push_back(argument.type);
  }
  return types;
}

/// All arguments from `first` on are brought to one type, if there is one; the result may be made
/// nullable or not.
std::optional<Signature> bind_common(std::span<const BoundArgument> arguments,
                                     size_t first,
                                     const std::optional<DataType>& common) {
  if (!common) {
    return std::nullopt;
  }
  Signature signature;
  for (size_t i = 0; i < arguments.size(); ++i) {
    signature.arguments.push_back(i < first ? arguments[i].type
                                            : common->as_nullable(arguments[i].type.is_nullable()));
  }
  signature.result = *common;
  return signature;
}

ScalarFunction if_function() {
  ScalarFunction function = documented(
      {{"IF"},
       "'IF(<BOOLEAN>, <ANY>, <ANY>)'",
       "The first value where the condition is TRUE, else the second.",
       {"IF(1 > 2, 'y', 'n') -> n", "IF(FALSE, 1 / 0, 7) -> 7"}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        if (arguments.size() != 3) {
          return mismatch({{Family::kBoolean, Family::kAny, Family::kAny}}, arguments.size());
        }
        // To Flink IF is another CASE.
        auto signature = bind_common(
            arguments, 1, expression::least_common_type(types_of(arguments.subspan(1))));
        const bool is_condition = arguments[0].type.kind() == TypeKind::kBoolean ||
                                  arguments[0].type.kind() == TypeKind::kNull;
        if (!signature || !is_condition) {
          return NoMatch{};
        }
        const bool is_nullable = arguments[0].type.is_nullable();
        signature->arguments[0] = DataType::boolean().as_nullable(is_nullable);
        signature->result =
            signature->result.as_nullable(is_nullable || signature->result.is_nullable());
        return *signature;
      });
  function.expand = [](const Expression& call) {
    return expression::make_form(ExpressionKind::kCase, call.type, call.operands, call.position);
  };
  return function;
}

ScalarFunction coalescing(std::string name, std::string description, std::string example) {
  ScalarFunction function = documented(
      {{name}, fmt::format("'{}(<ANY>, <ANY>, ...)'", name), std::move(description), {example}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        auto signature =
            bind_common(arguments, 0, expression::common_argument_type(types_of(arguments)));
        if (!signature) {
          return NoMatch{};
        }
        const bool all_nullable =
            std::all_of(arguments.begin(), arguments.end(), [](const BoundArgument& argument) {
              return argument.type.is_nullable();
            });
        signature->result = signature->result.as_nullable(all_nullable);
        return *signature;
      });
  function.expand = [](const Expression& call) {
    return expression::make_form(
        ExpressionKind::kCoalesce, call.type, call.operands, call.position);
  };
  return function;
}

/// GREATEST and LEAST; NULL when any argument is.
ScalarFunction extreme(std::string name, int sign, std::vector<std::string> examples) {
  ScalarFunction function = documented(
      {{name},
       fmt::format("'{}(<COMPARABLE_TYPE>, ...)'", name),
       fmt::format("The {} argument; NULL when one is NULL.", sign > 0 ? "largest" : "smallest"),
       std::move(examples)},
      [](std::span<const BoundArgument> arguments) -> Bound {
        auto signature =
            bind_common(arguments, 0, expression::common_argument_type(types_of(arguments)));
        if (!signature || !has_order(signature->result)) {
          return NoMatch{};
        }
        return *signature;
      });
  function.is_infallible = true;
  function.make_kernel = [sign](const Signature& signature, std::span<const BoundArgument>) {
    return building_kernel(
        signature.result,
        true,
        [sign](std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
          const Column* best = arguments[0].get();
          for (const ColumnPtr& argument : arguments.subspan(1)) {
            if (compare_values(*argument, row, *best, row) * sign > 0) {
              best = argument.get();
            }
          }
          builder.append_from(*best, row);
        });
  };
  return function;
}

ScalarFunction typeof_function() {
  ScalarFunction function =
      documented({{"TYPEOF"},
                  "'TYPEOF(<ANY>[, <BOOLEAN> force serializable])'",
                  "The type of an expression as text.",
                  {"TYPEOF(1.5) -> DECIMAL(2, 1) NOT NULL"}},
                 [](std::span<const BoundArgument> arguments) -> Bound {
                   if (arguments.empty() || arguments.size() > 2) {
                     return mismatch({{Family::kAny}, {Family::kBoolean}}, arguments.size());
                   }
                   Signature signature;
                   for (const BoundArgument& argument : arguments) {
                     signature.arguments.push_back(argument.type);
                   }
                   signature.result = DataType::string();
                   return signature;
                 });
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    const DataType type =
        expression::resolved_type(signature.arguments[0]).with_time_attribute(TimeAttribute::kNone);
    const std::string text =
        signature.arguments.size() == 2 ? type.to_serializable_string() : type.to_string();
    return column_kernel(
        [type = signature.result, text](
            std::span<const ColumnPtr>, int32_t rows, const EvaluationContext&, RowErrors&) {
          return constant_column(type, Value(text), rows);
        });
  };
  return function;
}

}  // namespace

void add_conditional(FunctionRegistry& registry) {
  registry.add(if_function());
  registry.add(
      coalescing("COALESCE", "The first argument that is not NULL.", "COALESCE(NULL, 5) -> 5"));
  registry.add(coalescing(
      "IFNULL", "The first argument, or the second where it is NULL.", "IFNULL(NULL, 9) -> 9"));
  registry.add(extreme("GREATEST", 1, {"GREATEST(1, 3, 2) -> 3"}));
  registry.add(extreme("LEAST", -1, {"LEAST('b', 'a') -> a"}));
  registry.add(typeof_function());
}

}  // namespace thalweg::functions
