// Functions of DOUBLE: powers, logarithms, trigonometry.
#include <cmath>
#include <numbers>

#include "thalweg/expression/row_kernel.h"
#include "thalweg/functions/signature.h"

namespace thalweg::functions {

using expression::FunctionRegistry;
using expression::row_kernel;
using expression::ScalarFunction;

namespace {

ScalarFunction described(std::vector<std::string> names,
                         std::string forms,
                         std::string description,
                         std::vector<std::string> examples) {
  ScalarFunction function;
  function.names = std::move(names);
  function.forms = std::move(forms);
  function.description = std::move(description);
  function.examples = std::move(examples);
  function.is_infallible = true;
  return function;
}

template <typename F>
ScalarFunction of_one(std::string name,
                      std::string description,
                      std::vector<std::string> examples,
                      F f) {
  ScalarFunction function = described(
      {name}, fmt::format("'{}(<NUMERIC>)'", name), std::move(description), std::move(examples));
  function.bind = strict({{DataType::float64()}}, DataType::float64());
  function.make_kernel = [f](const Signature& signature, std::span<const BoundArgument>) {
    return row_kernel<double, double>(signature.result, f);
  };
  return function;
}

template <typename F>
ScalarFunction of_two(std::string name,
                      std::string description,
                      std::vector<std::string> examples,
                      F f) {
  ScalarFunction function = described({name},
                                      fmt::format("'{}(<NUMERIC>, <NUMERIC>)'", name),
                                      std::move(description),
                                      std::move(examples));
  function.bind = strict({{DataType::float64(), DataType::float64()}}, DataType::float64());
  function.make_kernel = [f](const Signature& signature, std::span<const BoundArgument>) {
    return row_kernel<double, double, double>(signature.result, f);
  };
  return function;
}

ScalarFunction constant(std::string name, std::string description, double value) {
  ScalarFunction function =
      described({name}, fmt::format("'{}()'", name), std::move(description), {});
  function.bind = strict({}, DataType::float64());
  function.make_kernel = [value](const Signature& signature, std::span<const BoundArgument>) {
    return row_kernel<double>(signature.result, [value] { return value; });
  };
  return function;
}

/// LOG(x) and LOG(base, x).
ScalarFunction logarithm() {
  ScalarFunction function = described({"LOG"},
                                      "'LOG(<NUMERIC>)'\n'LOG(<NUMERIC>, <NUMERIC>)'",
                                      "The natural logarithm, or that to a base given first.",
                                      {"LOG(2, 8) -> 3.0", "LOG(1) -> 0.0"});
  function.bind = strict({{DataType::float64()}, {DataType::float64()}}, DataType::float64());
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return signature.arguments.size() == 1
               ? row_kernel<double, double>(signature.result, [](double x) { return std::log(x); })
               : row_kernel<double, double, double>(signature.result, [](double base, double x) {
                   return std::log(x) / std::log(base);
                 });
  };
  return function;
}

}  // namespace

void add_double_math(FunctionRegistry& registry) {
  registry.add(of_two("POWER",
                      "The first number to the power of the second.",
                      {"POWER(2, 10) -> 1024.0"},
                      [](double x, double y) { return std::pow(x, y); }));
  registry.add(of_one("SQRT", "The square root.", {"SQRT(2) -> 1.4142135623730951"}, [](double x) {
    return std::sqrt(x);
  }));
  registry.add(
      of_one("EXP", "e to the power of the number.", {"EXP(1) -> 2.718281828459045"}, [](double x) {
        return std::exp(x);
      }));
  registry.add(
      of_one("LN", "The natural logarithm.", {"LN(10) -> 2.302585092994046"}, [](double x) {
        return std::log(x);
      }));
  registry.add(of_one("LOG10", "The logarithm to base 10.", {"LOG10(100) -> 2.0"}, [](double x) {
    return std::log10(x);
  }));
  registry.add(of_one("LOG2", "The logarithm to base 2.", {"LOG2(8) -> 3.0"}, [](double x) {
    return std::log(x) / std::log(2.0);
  }));
  registry.add(logarithm());
  registry.add(of_one("SIN", "The sine of an angle in radians.", {"SIN(0) -> 0.0"}, [](double x) {
    return std::sin(x);
  }));
  registry.add(of_one("COS", "The cosine of an angle in radians.", {"COS(0) -> 1.0"}, [](double x) {
    return std::cos(x);
  }));
  registry.add(
      of_one("TAN", "The tangent of an angle in radians.", {"TAN(0) -> 0.0"}, [](double x) {
        return std::tan(x);
      }));
  registry.add(of_one("COT",
                      "The cotangent of an angle in radians.",
                      {"COT(1) -> 0.6420926159343306"},
                      [](double x) { return 1.0 / std::tan(x); }));
  registry.add(of_one("ASIN", "The arc sine.", {"ASIN(1) -> 1.5707963267948966"}, [](double x) {
    return std::asin(x);
  }));
  registry.add(
      of_one("ACOS", "The arc cosine.", {"ACOS(1) -> 0.0"}, [](double x) { return std::acos(x); }));
  registry.add(of_one("ATAN", "The arc tangent.", {"ATAN(1) -> 0.7853981633974483"}, [](double x) {
    return std::atan(x);
  }));
  registry.add(of_two("ATAN2",
                      "The angle of the point (second, first).",
                      {"ATAN2(1, 1) -> 0.7853981633974483"},
                      [](double y, double x) { return std::atan2(y, x); }));
  registry.add(of_one(
      "SINH", "The hyperbolic sine.", {"SINH(0) -> 0.0"}, [](double x) { return std::sinh(x); }));
  registry.add(of_one(
      "COSH", "The hyperbolic cosine.", {"COSH(0) -> 1.0"}, [](double x) { return std::cosh(x); }));
  registry.add(of_one("TANH", "The hyperbolic tangent.", {"TANH(0) -> 0.0"}, [](double x) {
    return std::tanh(x);
  }));
  registry.add(of_one("DEGREES", "Radians as degrees.", {"DEGREES(PI()) -> 180.0"}, [](double x) {
    return x * (180.0 / std::numbers::pi);
  }));
  registry.add(
      of_one("RADIANS", "Degrees as radians.", {"RADIANS(180) -> 3.141592653589793"}, [](double x) {
        return x / 180.0 * std::numbers::pi;
      }));
  registry.add(constant("PI", "The number pi.", std::numbers::pi));
  registry.add(constant("E", "The base of natural logarithms.", std::numbers::e));
}

}  // namespace thalweg::functions
