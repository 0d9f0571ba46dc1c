// + - * / % and MOD on numbers; + and - on times are in datetime_arithmetic.cc.
#include <algorithm>
#include <cmath>

#include "thalweg/expression/physical.h"
#include "thalweg/expression/row_kernel.h"
#include "thalweg/expression/type_inference.h"
#include "thalweg/functions/scalar/datetime_arithmetic.h"
#include "thalweg/functions/scalar/decimal_arithmetic.h"
#include "thalweg/functions/scalar/decimal_result.h"
#include "thalweg/functions/signature.h"
#include "thalweg/types/decimal.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::map_total;
using expression::RowErrors;
using expression::RowFault;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

enum class Operation : uint8_t { kAdd, kSubtract, kMultiply, kDivide, kModulo };

DataType decimal_result_type(Operation operation, const DataType& left, const DataType& right) {
  switch (operation) {
    case Operation::kAdd:
    case Operation::kSubtract:
      return expression::decimal_sum_type(left, right);
    case Operation::kMultiply:
      return expression::decimal_product_type(left, right);
    case Operation::kDivide:
      return expression::decimal_quotient_type(left, right);
    default:
      return expression::decimal_modulo_type(left, right);
  }
}

Bound bind_numbers(Operation operation, std::span<const BoundArgument> arguments) {
  const DataType& left = arguments[0].type;
  const DataType& right = arguments[1].type;
  if (!left.is_numeric() || !right.is_numeric()) {
    return NoMatch{};
  }
  const bool nullable = left.is_nullable() || right.is_nullable();
  const bool has_decimal = left.kind() == TypeKind::kDecimal || right.kind() == TypeKind::kDecimal;
  if (has_decimal && !left.is_approximate() && !right.is_approximate()) {
    const DataType one = expression::as_decimal(left);
    const DataType other = expression::as_decimal(right);
    return Signature{{one.as_nullable(left.is_nullable()), other.as_nullable(right.is_nullable())},
                     decimal_result_type(operation, one, other).as_nullable(nullable)};
  }
  const DataType common = *expression::least_common_type(left, right);
  // Calcite gives MOD the type of its divisor.
  const bool is_integer_modulo = operation == Operation::kModulo && right.is_integer();
  const DataType& result = is_integer_modulo ? right : common;
  return Signature{
      {common.as_nullable(left.is_nullable()), common.as_nullable(right.is_nullable())},
      result.as_nullable(nullable)};
}

/// Java's integers wrap around: calculated without sign.
template <Operation operation, typename T>
T calculate(T left, T right) {
  if constexpr (std::is_floating_point_v<T>) {
    switch (operation) {
      case Operation::kAdd:
        return left + right;
      case Operation::kSubtract:
        return left - right;
      case Operation::kMultiply:
        return left * right;
      case Operation::kDivide:
        return left / right;
      default:
        return std::fmod(left, right);
    }
  } else {
    const auto one = static_cast<uint64_t>(static_cast<int64_t>(left));
    const auto other = static_cast<uint64_t>(static_cast<int64_t>(right));
    switch (operation) {
      case Operation::kAdd:
        return static_cast<T>(one + other);
      case Operation::kSubtract:
        return static_cast<T>(one - other);
      default:
        return static_cast<T>(one * other);
    }
  }
}

template <Operation operation, typename T>
std::unique_ptr<ScalarKernel> plain_kernel(const DataType& result) {
  return column_kernel([result](std::span<const ColumnPtr> arguments,
                                int32_t rows,
                                const EvaluationContext&,
                                RowErrors&) {
    return map_total<T, T, T>(
        arguments, rows, result, [](T left, T right) { return calculate<operation>(left, right); });
  });
}

/// A remainder of floating numbers whose type is the integer divisor's; Java makes a NaN 0.
template <typename T, typename Result>
std::unique_ptr<ScalarKernel> floating_modulo_kernel(const DataType& result) {
  return column_kernel([result](std::span<const ColumnPtr> arguments,
                                int32_t rows,
                                const EvaluationContext&,
                                RowErrors&) {
    return map_total<Result, T, T>(arguments, rows, result, [](T left, T right) {
      const T rest = std::fmod(left, right);
      return std::isnan(rest) ? Result{0} : static_cast<Result>(rest);
    });
  });
}

Error division_by_zero() {
  return Error(ErrorCode::kDivisionByZero, "Division by zero");
}

/// Integer division and remainder, where only zero can fail: the lowest number by -1 wraps.
template <Operation operation, typename T, typename Result>
std::unique_ptr<ScalarKernel> dividing_kernel(const DataType& result) {
  return expression::row_kernel<Result, T, T>(
      result, [](RowFault& fault, T left, T right) -> std::optional<Result> {
        if (right == 0) {
          fault.raise(division_by_zero());
          return std::nullopt;
        }
        if (right == -1) {
          return operation == Operation::kModulo
                     ? Result{0}
                     : static_cast<Result>(calculate<Operation::kSubtract>(T{0}, left));
        }
        return static_cast<Result>(operation == Operation::kModulo ? left % right : left / right);
      });
}

/// True when the result's type holds every digit that the operation may give.
bool is_exact(Operation operation, const Signature& signature) {
  const DataType& left = signature.arguments[0];
  const DataType& right = signature.arguments[1];
  const DataType& result = signature.result;
  if (operation == Operation::kMultiply) {
    return result.scale() == left.scale() + right.scale() &&
           left.precision() + right.precision() <= result.precision();
  }
  const int32_t whole =
      std::max(left.precision() - left.scale(), right.precision() - right.scale());
  return result.scale() == std::max(left.scale(), right.scale()) &&
         whole + result.scale() < result.precision();
}

/// Sums, differences and products that cannot overflow. Without sign: what lies under a NULL may.
template <Operation operation>
std::unique_ptr<ScalarKernel> exact_decimal_kernel(const Signature& signature) {
  using Unsigned = unsigned __int128;
  const DataType& result = signature.result;
  const DataType& left_type = signature.arguments[0];
  const DataType& right_type = signature.arguments[1];
  return column_kernel([=](std::span<const ColumnPtr> arguments,
                           int32_t rows,
                           const EvaluationContext&,
                           RowErrors&) {
    if constexpr (operation == Operation::kMultiply) {
      constexpr int32_t kDigitsOf64Bits = 18;
      if (std::max(left_type.precision(), right_type.precision()) <= kDigitsOf64Bits) {
        return map_total<Int128, Int128, Int128>(
            arguments, rows, result, [](Int128 left, Int128 right) {
              return Int128{static_cast<int64_t>(left)} * static_cast<int64_t>(right);
            });
      }
      return map_total<Int128, Int128, Int128>(
          arguments, rows, result, [](Int128 left, Int128 right) {
            return static_cast<Int128>(static_cast<Unsigned>(left) * static_cast<Unsigned>(right));
          });
    } else {
      const auto sum = [](Int128 left, Int128 right) {
        const auto one = static_cast<Unsigned>(left);
        const auto other = static_cast<Unsigned>(right);
        return static_cast<Int128>(operation == Operation::kAdd ? one + other : one - other);
      };
      if (left_type.scale() == right_type.scale()) {
        return map_total<Int128, Int128, Int128>(arguments, rows, result, sum);
      }
      const auto up = static_cast<Unsigned>(power_of_ten(result.scale() - left_type.scale()));
      const auto right_up =
          static_cast<Unsigned>(power_of_ten(result.scale() - right_type.scale()));
      return map_total<Int128, Int128, Int128>(
          arguments, rows, result, [sum, up, right_up](Int128 left, Int128 right) {
            return sum(static_cast<Int128>(static_cast<Unsigned>(left) * up),
                       static_cast<Int128>(static_cast<Unsigned>(right) * right_up));
          });
    }
  });
}

template <Operation operation>
std::unique_ptr<ScalarKernel> decimal_kernel(const Signature& signature) {
  if constexpr (operation != Operation::kDivide && operation != Operation::kModulo) {
    if (is_exact(operation, signature)) {
      return exact_decimal_kernel<operation>(signature);
    }
  }
  const DataType& result = signature.result;
  const DecimalOperation shape{signature.arguments[0].scale(),
                               signature.arguments[1].scale(),
                               {result.precision(), result.scale()}};
  return expression::row_kernel<Int128, Int128, Int128>(
      result, [shape, result](RowFault& fault, Int128 left, Int128 right) -> std::optional<Int128> {
        switch (operation) {
          case Operation::kAdd:
            return checked_decimal(fault, decimal_add(left, right, shape), result);
          case Operation::kSubtract:
            return checked_decimal(fault, decimal_add(left, -right, shape), result);
          case Operation::kMultiply:
            return checked_decimal(fault, decimal_multiply(left, right, shape), result);
          default:
            break;
        }
        if (right == 0) {
          fault.raise(division_by_zero());
          return std::nullopt;
        }
        return checked_decimal(fault,
                               operation == Operation::kDivide ? decimal_divide(left, right, shape)
                                                               : decimal_modulo(left, right, shape),
                               result);
      });
}

template <Operation operation>
std::unique_ptr<ScalarKernel> make_number_kernel(const Signature& signature) {
  const DataType& type = signature.arguments[0];
  if (type.kind() == TypeKind::kDecimal) {
    return decimal_kernel<operation>(signature);
  }
  return expression::with_number(type.kind(), [&](auto tag) -> std::unique_ptr<ScalarKernel> {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<T> && operation == Operation::kModulo) {
      return expression::with_integer(signature.result.kind(), [&](auto result) {
        return dividing_kernel<operation, T, typename decltype(result)::Type>(signature.result);
      });
    } else if constexpr (std::is_integral_v<T> && operation == Operation::kDivide) {
      return dividing_kernel<operation, T, T>(signature.result);
    } else if constexpr (operation == Operation::kModulo) {
      if (signature.result.is_integer()) {
        return expression::with_integer(signature.result.kind(), [&](auto result) {
          return floating_modulo_kernel<T, typename decltype(result)::Type>(signature.result);
        });
      }
      return plain_kernel<operation, T>(signature.result);
    } else {
      return plain_kernel<operation, T>(signature.result);
    }
  });
}

bool is_datetime_call(std::span<const DataType> types) {
  for (const DataType& type : types) {
    if (type.is_interval()) {
      return true;
    }
  }
  return false;
}

Bound bind_datetime(Operation operation, std::span<const BoundArgument> arguments) {
  switch (operation) {
    case Operation::kAdd:
      return bind_datetime_sum(arguments, false);
    case Operation::kSubtract:
      return bind_datetime_sum(arguments, true);
    case Operation::kMultiply:
      return bind_interval_product(arguments);
    default:
      return NoMatch{};
  }
}

template <Operation operation>
ScalarFunction binary(std::string name, std::string forms, std::string description) {
  ScalarFunction function;
  function.infix = "{0} " + name + " {1}";
  function.forms = std::move(forms);
  function.names = {std::move(name)};
  function.description = std::move(description);
  function.is_infallible_with = [](const DataType& result) {
    return operation != Operation::kDivide && operation != Operation::kModulo &&
           (result.kind() != TypeKind::kDecimal || result.is_nullable());
  };
  function.bind = [](std::span<const BoundArgument> arguments) -> Bound {
    if (arguments.size() != 2) {
      return mismatch({{Family::kNumeric, Family::kNumeric}}, arguments.size());
    }
    if (auto refused = refuse_null_literal(arguments)) {
      return *refused;
    }
    const DataType types[] = {arguments[0].type, arguments[1].type};
    if (is_datetime_call(types)) {
      return bind_datetime(operation, arguments);
    }
    return bind_numbers(operation, arguments);
  };
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    if (is_datetime_call(signature.arguments)) {
      return operation == Operation::kMultiply
                 ? make_interval_product(signature)
                 : make_datetime_sum(signature, operation == Operation::kSubtract);
    }
    return make_number_kernel<operation>(signature);
  };
  return function;
}

std::unique_ptr<ScalarKernel> make_negation(const Signature& signature) {
  const DataType& result = signature.result;
  if (result.kind() == TypeKind::kDecimal) {
    return expression::row_kernel<Int128, Int128>(result, [](Int128 value) { return -value; });
  }
  const TypeKind kind = result.kind() == TypeKind::kIntervalYearMonth ? TypeKind::kInt
                        : result.kind() == TypeKind::kIntervalDayTime ? TypeKind::kBigInt
                                                                      : result.kind();
  return expression::with_number(kind, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return column_kernel([result](std::span<const ColumnPtr> arguments,
                                  int32_t rows,
                                  const EvaluationContext&,
                                  RowErrors&) {
      return map_total<T, T>(arguments, rows, result, [](T value) -> T {
        if constexpr (std::is_floating_point_v<T>) {
          return -value;
        } else {
          return calculate<Operation::kSubtract>(T{0}, value);
        }
      });
    });
  });
}

/// One function for both minus signs: they share a name.
ScalarFunction subtraction() {
  ScalarFunction function = binary<Operation::kSubtract>(
      "-",
      "'<NUMERIC> - <NUMERIC>'\n'<DATETIME_INTERVAL> - <DATETIME_INTERVAL>'\n"
      "'<DATETIME> - <DATETIME_INTERVAL>'",
      "The difference of two numbers or intervals, a time some while earlier; or, with one "
      "operand, its negative.");
  function.examples = {"5 - 7 -> -2", "1.5 - 1 -> 0.5"};
  const auto bind_two = function.bind;
  const auto make_two = function.make_kernel;
  function.bind = [bind_two](std::span<const BoundArgument> arguments) -> Bound {
    if (arguments.size() != 1) {
      return bind_two(arguments);
    }
    if (auto refused = refuse_null_literal(arguments)) {
      return *refused;
    }
    const DataType& type = arguments[0].type;
    return type.is_numeric() || type.is_interval() ? Bound(Signature{{type}, type})
                                                   : Bound(NoMatch{});
  };
  function.make_kernel = [make_two](const Signature& signature,
                                    std::span<const BoundArgument> arguments) {
    return signature.arguments.size() == 1 ? make_negation(signature)
                                           : make_two(signature, arguments);
  };
  return function;
}

}  // namespace

void add_arithmetic(FunctionRegistry& registry) {
  ScalarFunction sum = binary<Operation::kAdd>(
      "+",
      "'<NUMERIC> + <NUMERIC>'\n'<DATETIME_INTERVAL> + <DATETIME_INTERVAL>'\n"
      "'<DATETIME> + <DATETIME_INTERVAL>'\n'<DATETIME_INTERVAL> + <DATETIME>'",
      "The sum of two numbers or intervals, or a time some while later.");
  sum.examples = {"1 + 2 -> 3", "0.1 + 0.2 -> 0.3"};
  registry.add(std::move(sum));
  registry.add(subtraction());
  ScalarFunction product =
      binary<Operation::kMultiply>("*",
                                   "'<NUMERIC> * <NUMERIC>'\n'<DATETIME_INTERVAL> * <NUMERIC>'\n"
                                   "'<NUMERIC> * <DATETIME_INTERVAL>'",
                                   "The product of two numbers, or an interval several times.");
  product.examples = {"2 * 3 -> 6", "1.5 * 1.5 -> 2.25"};
  registry.add(std::move(product));
  ScalarFunction quotient = binary<Operation::kDivide>(
      "/", "'<NUMERIC> / <NUMERIC>'", "The quotient; integers drop the fraction.");
  quotient.examples = {"5 / 2 -> 2", "-5 / 2 -> -2", "5.0 / 2 -> 2.500000000000"};
  registry.add(std::move(quotient));
  ScalarFunction rest =
      binary<Operation::kModulo>("%",
                                 "'<NUMERIC> % <NUMERIC>'",
                                 "The remainder of a division, with the sign of the left side.");
  rest.examples = {"-7 % 3 -> -1"};
  registry.add(rest);
  rest.names = {"MOD"};
  rest.infix = "";
  rest.forms = "'MOD(<NUMERIC>, <NUMERIC>)'";
  rest.examples = {"MOD(-7, 3) -> -1", "MOD(5.5, 2) -> 1.5"};
  registry.add(std::move(rest));
}

}  // namespace thalweg::functions
