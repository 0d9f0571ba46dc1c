// ABS, SIGN, FLOOR, CEIL, ROUND, TRUNCATE of numbers; FLOOR and CEIL of times are in time_floor.cc.
#include <cmath>

#include "thalweg/expression/physical.h"
#include "thalweg/expression/row_kernel.h"
#include "thalweg/expression/type_inference.h"
#include "thalweg/functions/scalar/decimal_result.h"
#include "thalweg/functions/scalar/time_floor.h"
#include "thalweg/functions/signature.h"
#include "thalweg/types/decimal.h"

namespace thalweg::functions {

using expression::FunctionRegistry;
using expression::row_kernel;
using expression::RowFault;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

/// The lowest integer has no positive twin and stays as it is, as in Java.
template <typename T>
T wrapping_negate(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return -value;
  } else {
    return static_cast<T>(uint64_t{0} - static_cast<uint64_t>(value));
  }
}

/// A function of one number whose result has the number's type.
template <typename OfDecimal, typename OfNumber>
ScalarFunction like_argument(std::string name,
                             std::string description,
                             std::vector<std::string> examples,
                             OfDecimal of_decimal,
                             OfNumber of_number) {
  ScalarFunction function;
  function.forms = fmt::format("'{}(<NUMERIC>)'", name);
  function.names = {std::move(name)};
  function.description = std::move(description);
  function.examples = std::move(examples);
  function.is_infallible = true;
  function.bind = strict_like({{Family::kNumeric}});
  function.make_kernel = [of_decimal, of_number](const Signature& signature,
                                                 std::span<const BoundArgument>) {
    const DataType& type = signature.result;
    if (type.kind() == TypeKind::kDecimal) {
      return row_kernel<Int128, Int128>(
          type, [of_decimal, type](Int128 value) { return of_decimal(value, type); });
    }
    return expression::with_number(type.kind(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      return row_kernel<T, T>(type,
                              [of_number](T value) { return static_cast<T>(of_number(value)); });
    });
  };
  return function;
}

/// Towards minus infinity, or towards plus infinity.
Int128 decimal_floor(Int128 value, int32_t scale, bool up) {
  const Int128 unit = power_of_ten(scale);
  Int128 whole = value / unit;
  if (value % unit != 0) {
    whole += up ? (value > 0 ? 1 : 0) : (value < 0 ? -1 : 0);
  }
  return whole;
}

template <typename T>
T number_floor(T value, bool up) {
  if constexpr (std::is_floating_point_v<T>) {
    return up ? std::ceil(value) : std::floor(value);
  } else {
    return value;
  }
}

Bound bind_number_floor(std::span<const BoundArgument> arguments) {
  const Parameters parameters{{Family::kNumeric}};
  auto types = match(parameters, arguments);
  if (!types) {
    return mismatch(parameters, arguments.size());
  }
  DataType result = types->front();
  if (result.kind() == TypeKind::kDecimal) {
    result = DataType::decimal(result.precision(), 0).as_nullable(result.is_nullable());
  }
  return Signature{std::move(*types), result};
}

std::unique_ptr<ScalarKernel> make_number_floor(const Signature& signature, bool up) {
  const DataType& type = signature.arguments[0];
  if (type.kind() == TypeKind::kDecimal) {
    return row_kernel<Int128, Int128>(signature.result, [scale = type.scale(), up](Int128 value) {
      return decimal_floor(value, scale, up);
    });
  }
  return expression::with_number(type.kind(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return row_kernel<T, T>(signature.result, [up](T value) { return number_floor(value, up); });
  });
}

ScalarFunction floor_function(std::vector<std::string> names,
                              bool up,
                              std::string description,
                              std::vector<std::string> examples) {
  ScalarFunction function;
  function.forms = fmt::format("'{0}(<NUMERIC>)'\n'{0}(<DATETIME> TO <TIME_UNIT>)'", names[0]);
  function.names = std::move(names);
  function.description = std::move(description);
  function.examples = std::move(examples);
  function.bind = [](std::span<const BoundArgument> arguments) {
    return arguments.size() == 2 ? bind_time_floor(arguments) : bind_number_floor(arguments);
  };
  function.make_kernel = [up](const Signature& signature,
                              std::span<const BoundArgument> arguments) {
    return signature.arguments.size() == 2 ? make_time_floor(signature, arguments, up)
                                           : make_number_floor(signature, up);
  };
  return function;
}

enum class Rounding : uint8_t { kHalfUp, kDown };

/// `value` with all digits behind the `digits`th cut off or rounded, still at its own scale.
Int128 round_unscaled(Int128 value, int32_t scale, int32_t digits, Rounding rounding) {
  if (digits >= scale) {
    return value;
  }
  const int64_t dropped = int64_t{scale} - digits;
  if (dropped > 38) {
    return 0;
  }
  const Int128 unit = power_of_ten(static_cast<int32_t>(dropped));
  return (rounding == Rounding::kHalfUp ? divide_half_up(value, unit) : value / unit) * unit;
}

/// Flink rounds the number's own decimal text, not its binary value.
double round_double(double value, int32_t digits, Rounding rounding) {
  if (!std::isfinite(value) || digits > 17 || digits < -308) {
    return digits < -308 ? 0 : value;
  }
  if (digits >= 0 && digits <= 15) {
    // Far from a tie the binary value decides like its text.
    const double unit = static_cast<double>(power_of_ten(digits));
    const double scaled = value * unit;
    const double fraction = std::abs(scaled - std::trunc(scaled));
    const double tie = rounding == Rounding::kHalfUp ? 0.5 : 1.0;
    const bool is_clear =
        std::abs(fraction - tie) > 1e-4 && (rounding == Rounding::kHalfUp || fraction > 1e-4);
    if (std::abs(scaled) < 1e15 && is_clear) {
      return (rounding == Rounding::kHalfUp ? std::round(scaled) : std::trunc(scaled)) / unit;
    }
  }
  constexpr int32_t kScale = 18;
  const auto exact = decimal_from_double(value, 38, kScale);
  if (!exact || digits >= kScale) {
    const double unit = std::pow(10.0, digits);
    return (rounding == Rounding::kHalfUp ? std::round(value * unit) : std::trunc(value * unit)) /
           unit;
  }
  return decimal_to_double(round_unscaled(*exact, kScale, digits, rounding), kScale);
}

/// ROUND and TRUNCATE: one argument, or a number of digits as the second.
Bound bind_rounding(std::span<const BoundArgument> arguments) {
  const Parameters parameters{{Family::kNumeric}, {DataType::integer()}};
  auto types = match(parameters, arguments);
  if (!types) {
    return mismatch(parameters, arguments.size());
  }
  DataType result = types->front();
  const bool nullable = any_nullable(arguments);
  if (result.kind() == TypeKind::kDecimal) {
    const auto digits =
        arguments.size() == 1 ? std::optional<int64_t>(0) : literal_integer(arguments, 1);
    if (digits) {
      result = expression::decimal_round_type(result, static_cast<int32_t>(*digits));
    }
  }
  return Signature{std::move(*types), result.as_nullable(nullable)};
}

template <typename T>
T round_number(T value, int32_t digits, Rounding rounding) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(round_double(value, digits, rounding));
  } else {
    return static_cast<T>(round_unscaled(value, 0, digits, rounding));
  }
}

std::unique_ptr<ScalarKernel> make_rounding(const Signature& signature, Rounding rounding) {
  const DataType& type = signature.arguments[0];
  const DataType& result = signature.result;
  const bool has_digits = signature.arguments.size() == 2;
  if (type.kind() == TypeKind::kDecimal) {
    const auto round = [type, result, rounding](RowFault& fault, Int128 value, int32_t digits) {
      return checked_decimal(fault,
                             rescale_decimal(round_unscaled(value, type.scale(), digits, rounding),
                                             type.scale(),
                                             result.scale(),
                                             result.precision()),
                             result);
    };
    return has_digits ? row_kernel<Int128, Int128, int32_t>(result, round)
                      : row_kernel<Int128, Int128>(result, [round](RowFault& fault, Int128 value) {
                          return round(fault, value, 0);
                        });
  }
  return expression::with_number(type.kind(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return has_digits ? row_kernel<T, T, int32_t>(result,
                                                  [rounding](T value, int32_t digits) {
                                                    return round_number(value, digits, rounding);
                                                  })
                      : row_kernel<T, T>(result, [rounding](T value) {
                          return round_number(value, 0, rounding);
                        });
  });
}

ScalarFunction rounding_function(std::string name,
                                 Rounding rounding,
                                 std::string description,
                                 std::vector<std::string> examples) {
  ScalarFunction function;
  function.forms = fmt::format("'{0}(<NUMERIC>)'\n'{0}(<NUMERIC>, <INTEGER>)'", name);
  function.names = {std::move(name)};
  function.description = std::move(description);
  function.examples = std::move(examples);
  function.bind = bind_rounding;
  function.make_kernel = [rounding](const Signature& signature, std::span<const BoundArgument>) {
    return make_rounding(signature, rounding);
  };
  return function;
}

}  // namespace

void add_math(FunctionRegistry& registry) {
  registry.add(like_argument(
      "ABS",
      "The number without its sign.",
      {"ABS(-1.5) -> 1.5", "ABS(-7) -> 7"},
      [](Int128 value, const DataType&) { return value < 0 ? -value : value; },
      [](auto value) { return value < 0 ? wrapping_negate(value) : value; }));
  registry.add(like_argument(
      "SIGN",
      "-1, 0 or 1 for a negative number, zero or a positive one.",
      {"SIGN(-3) -> -1", "SIGN(2.5) -> 1.0"},
      [](Int128 value, const DataType& type) {
        return value == 0 ? Int128{0}
                          : (value < 0 ? -power_of_ten(type.scale()) : power_of_ten(type.scale()));
      },
      [](auto value) { return value > 0 ? 1 : (value < 0 ? -1 : 0); }));
  registry.add(floor_function({"FLOOR"},
                              false,
                              "The largest whole number that is not above; or a time cut down to "
                              "the start of its unit.",
                              {"FLOOR(-1.2) -> -2",
                               "FLOOR(TIMESTAMP '2024-03-15 12:34:56' TO HOUR) -> "
                               "2024-03-15 12:00:00"}));
  registry.add(
      floor_function({"CEIL", "CEILING"},
                     true,
                     "The smallest whole number that is not below; or a time moved up to "
                     "the start of the next unit.",
                     {"CEIL(1.2) -> 2", "CEIL(DATE '2024-03-15' TO MONTH) -> 2024-04-01"}));
  registry.add(rounding_function("ROUND",
                                 Rounding::kHalfUp,
                                 "Rounds half up to a number of digits, 0 when not given.",
                                 {"ROUND(2.5) -> 3", "ROUND(-2.567, 2) -> -2.57"}));
  registry.add(rounding_function("TRUNCATE",
                                 Rounding::kDown,
                                 "Cuts off all digits behind a number of digits, 0 when not given.",
                                 {"TRUNCATE(42.345, 2) -> 42.34", "TRUNCATE(-1.9) -> -1"}));
}

}  // namespace thalweg::functions
