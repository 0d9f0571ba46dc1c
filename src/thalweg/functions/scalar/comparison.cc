// =, <>, <, <=, >, >=, IS [NOT] DISTINCT FROM.
#include <cmath>

#include "thalweg/expression/row_kernel.h"
#include "thalweg/expression/type_inference.h"
#include "thalweg/functions/order.h"
#include "thalweg/functions/signature.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::map_total;
using expression::RowErrors;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

bool is_temporal(const DataType& type) {
  return type.kind() == TypeKind::kDate || type.kind() == TypeKind::kTime || type.is_timestamp();
}

int32_t scale_of(const DataType& type) {
  return type.kind() == TypeKind::kDecimal ? type.scale() : 0;
}

enum class Order : uint8_t { kUnordered, kOrdered };

/// The type that a text and a value of another kind are compared in. Flink reads the text as a date
/// or time, and as a number where the order is asked for, and writes a BOOLEAN as text.
std::optional<DataType> type_beside_text(const DataType& other, Order order) {
  if (is_temporal(other) || (other.is_numeric() && order == Order::kOrdered)) {
    return other;
  }
  return other.kind() == TypeKind::kBoolean ? std::optional(DataType::string()) : std::nullopt;
}

/// The type that both sides of a comparison are brought to.
std::optional<DataType> comparison_type(const DataType& left, const DataType& right, Order order) {
  if (auto common = expression::least_common_type(left, right)) {
    // Digits of both sides together may be more than a decimal has: then their doubles decide, as
    // they do between FLOAT and DOUBLE.
    const bool is_cut = common->kind() == TypeKind::kDecimal &&
                        common->scale() < std::max(scale_of(left), scale_of(right));
    const bool widens = common->kind() == TypeKind::kFloat && left.kind() != right.kind() &&
                        left.is_approximate() && right.is_approximate();
    return is_cut || widens ? DataType::float64().as_nullable(common->is_nullable()) : *common;
  }
  if (right.is_character()) {
    return type_beside_text(left, order);
  }
  return left.is_character() ? type_beside_text(right, order) : std::nullopt;
}

bool is_comparable(const DataType& type, Order order) {
  if (type.kind() == TypeKind::kMultiset || type.kind() == TypeKind::kOpaque) {
    return false;
  }
  return order == Order::kUnordered || has_order(type);
}

Bind bind_comparison(Order order, bool never_null) {
  return [order, never_null](std::span<const BoundArgument> arguments) -> Bound {
    if (arguments.size() != 2) {
      return mismatch({{Family::kAny, Family::kAny}}, arguments.size());
    }
    const DataType& left = arguments[0].type;
    const DataType& right = arguments[1].type;
    const auto type = comparison_type(left, right, order);
    if (!type && (left.is_structured() || right.is_structured()) &&
        left.class_name() != right.class_name()) {
      return NoMatch{fmt::format("Incompatible {}types: {} and {}.",
                                 left.is_structured() && right.is_structured() ? "structured " : "",
                                 left.to_string(),
                                 right.to_string())};
    }
    if (!type || !is_comparable(*type, order)) {
      return NoMatch{};
    }
    const DataType common = type->kind() == TypeKind::kNull ? DataType::boolean() : *type;
    return Signature{
        {common.as_nullable(left.is_nullable()), common.as_nullable(right.is_nullable())},
        DataType::boolean().as_nullable(!never_null && any_nullable(arguments))};
  };
}

/// Calls `f(TypeTag)` with the stored type of a simple physical kind.
template <typename T, typename Compare>
std::unique_ptr<ScalarKernel> simple_kernel(const DataType& result, Compare compare) {
  return column_kernel([result, compare](std::span<const ColumnPtr> arguments,
                                         int32_t rows,
                                         const EvaluationContext&,
                                         RowErrors&) {
    return map_total<uint8_t, T, T>(arguments, rows, result, [compare](const T& l, const T& r) {
      return static_cast<uint8_t>(compare(l, r));
    });
  });
}

/// `compare` is a functor like std::less<>.
template <typename Compare>
std::unique_ptr<ScalarKernel> make_comparison(const Signature& signature, Compare compare) {
  const DataType& result = signature.result;
  switch (signature.arguments[0].physical()) {
    case PhysicalKind::kBool:
      return simple_kernel<uint8_t>(result, compare);
    case PhysicalKind::kInt8:
      return simple_kernel<int8_t>(result, compare);
    case PhysicalKind::kInt16:
      return simple_kernel<int16_t>(result, compare);
    case PhysicalKind::kInt32:
      return simple_kernel<int32_t>(result, compare);
    case PhysicalKind::kInt64:
      return simple_kernel<int64_t>(result, compare);
    case PhysicalKind::kInt128:
      return simple_kernel<Int128>(result, compare);
    case PhysicalKind::kFloat:
      return simple_kernel<float>(result, compare);
    case PhysicalKind::kDouble:
      return simple_kernel<double>(result, compare);
    case PhysicalKind::kString:
      return simple_kernel<StringView>(result, compare);
    default:
      return column_kernel([result, compare](std::span<const ColumnPtr> arguments,
                                             int32_t rows,
                                             const EvaluationContext&,
                                             RowErrors&) {
        MutableColumnPtr column = expression::make_strict_result(result, arguments, rows);
        for (int32_t row = 0; row < column->stored_size(); ++row) {
          column->mutable_values<uint8_t>()[static_cast<size_t>(row)] = static_cast<uint8_t>(
              compare(compare_values(*arguments[0], row, *arguments[1], row), 0));
        }
        return column;
      });
  }
}

template <typename Compare>
ScalarFunction comparison(std::string name,
                          Order order,
                          std::string description,
                          std::vector<std::string> examples) {
  ScalarFunction function;
  function.infix = "{0} " + name + " {1}";
  function.forms = fmt::format("'<COMPARABLE_TYPE> {} <COMPARABLE_TYPE>'", name);
  function.names = {std::move(name)};
  function.description = std::move(description);
  function.examples = std::move(examples);
  function.is_infallible = true;
  function.bind = bind_comparison(order, false);
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return make_comparison(signature, Compare{});
  };
  return function;
}

/// Equality in which NULL is a value like any other.
std::unique_ptr<ScalarKernel> make_distinct(const DataType& result, bool negated) {
  return column_kernel([result, negated](std::span<const ColumnPtr> arguments,
                                         int32_t rows,
                                         const EvaluationContext&,
                                         RowErrors&) {
    const bool constant = arguments[0]->is_constant() && arguments[1]->is_constant();
    auto column = constant ? Column::make_constant(result, rows) : Column::make(result, rows);
    for (int32_t row = 0; row < column->stored_size(); ++row) {
      const bool equal = equal_values(*arguments[0], row, *arguments[1], row);
      column->mutable_values<uint8_t>()[static_cast<size_t>(row)] =
          static_cast<uint8_t>(equal == negated);
    }
    return column;
  });
}

ScalarFunction distinct_from(std::string name, bool negated, std::vector<std::string> examples) {
  ScalarFunction function;
  function.infix = "{0} " + name + " {1}";
  function.forms = fmt::format("'<COMPARABLE_TYPE> {} <COMPARABLE_TYPE>'", name);
  function.names = {std::move(name)};
  function.description = "Compares two values; NULL equals NULL, so the result is never NULL.";
  function.examples = std::move(examples);
  function.is_infallible = true;
  function.bind = bind_comparison(Order::kUnordered, true);
  function.make_kernel = [negated](const Signature& signature, std::span<const BoundArgument>) {
    return make_distinct(signature.result, negated);
  };
  return function;
}

}  // namespace

void add_comparison(FunctionRegistry& registry) {
  registry.add(comparison<std::equal_to<>>(
      "=", Order::kUnordered, "True when both values are equal.", {"1 = 1.0 -> TRUE"}));
  registry.add(comparison<std::not_equal_to<>>(
      "<>", Order::kUnordered, "True when the values differ.", {"'a' <> 'b' -> TRUE"}));
  registry.add(comparison<std::less<>>(
      "<", Order::kOrdered, "True when the left value is smaller.", {"'A' < 'a' -> TRUE"}));
  registry.add(comparison<std::less_equal<>>(
      "<=", Order::kOrdered, "True when the left value is not larger.", {"2 <= 2 -> TRUE"}));
  registry.add(comparison<std::greater<>>(
      ">", Order::kOrdered, "True when the left value is larger.", {"1 > 2 -> FALSE"}));
  registry.add(comparison<std::greater_equal<>>(
      ">=", Order::kOrdered, "True when the left value is not smaller.", {"1.5 >= 1 -> TRUE"}));
  registry.add(distinct_from("IS DISTINCT FROM", false, {"1 IS DISTINCT FROM NULL -> TRUE"}));
  registry.add(distinct_from("IS NOT DISTINCT FROM", true, {"1 IS NOT DISTINCT FROM 2 -> FALSE"}));
}

}  // namespace thalweg::functions
