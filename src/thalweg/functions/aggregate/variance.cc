// STDDEV_POP, STDDEV_SAMP, VAR_POP, VAR_SAMP, by Welford's method as in Flink.
#include <algorithm>
#include <cmath>
#include <limits>

#include "thalweg/expression/physical.h"
#include "thalweg/functions/aggregate/inline_kernel.h"
#include "thalweg/functions/signature.h"
#include "thalweg/types/decimal.h"

namespace thalweg::functions {

using expression::AggregateFunction;
using expression::AggregateKernel;
using expression::FunctionRegistry;

namespace {

struct Spread {
  bool is_sample;
  bool is_root;
};

/// Count, mean, and the sum of squared distances from the mean.
template <typename T>
struct VariancePolicy {
  using Input = T;
  static constexpr bool kRetracts = true;
  Spread spread;
  DataType argument;
  DataType result;

  std::vector<stream::StateField> fields() const {
    return {{"count", DataType::big_int().not_null()},
            {"mean", DataType::float64().not_null()},
            {"m2", DataType::float64().not_null()}};
  }

  double number(T value) const {
    if constexpr (std::is_same_v<T, Int128>) {
      return decimal_to_double(value, argument.scale());
    } else {
      return static_cast<double>(value);
    }
  }

  void add(const Accumulator& accumulator, T value) const {
    const double x = number(value);
    const int64_t count = accumulator.get<int64_t>(0) + 1;
    double mean = accumulator.get<double>(1);
    const double delta = x - mean;
    mean += delta / static_cast<double>(count);
    accumulator.set(0, count);
    accumulator.set(1, mean);
    accumulator.set(2, accumulator.get<double>(2) + delta * (x - mean));
  }

  void subtract(const Accumulator& accumulator, T value) const {
    const double x = number(value);
    const int64_t count = accumulator.get<int64_t>(0) - 1;
    if (count <= 0) {
      accumulator.set(0, count);
      accumulator.set(1, 0.0);
      accumulator.set(2, 0.0);
      return;
    }
    const double mean = accumulator.get<double>(1);
    const double delta = x - mean;
    const double before = mean - delta / static_cast<double>(count);
    accumulator.set(0, count);
    accumulator.set(1, before);
    accumulator.set(2, accumulator.get<double>(2) - delta * (x - before));
  }

  void merge(const Accumulator& into, const Accumulator& from) const {
    const auto other = from.get<int64_t>(0);
    if (other == 0) {
      return;
    }
    const int64_t own = into.get<int64_t>(0);
    const auto total = static_cast<double>(own + other);
    const double delta = from.get<double>(1) - into.get<double>(1);
    const double mean = into.get<double>(1) + delta * static_cast<double>(other) / total;
    const double m2 = into.get<double>(2) + from.get<double>(2) +
                      delta * delta * static_cast<double>(own) * static_cast<double>(other) / total;
    into.set(0, own + other);
    into.set(1, mean);
    into.set(2, m2);
  }

  /// Java's casts: to what an INT or BIGINT can hold, and from there on by cutting bits off.
  template <typename Number>
  static Number cast_number(double value) {
    if constexpr (std::is_floating_point_v<Number>) {
      return static_cast<Number>(value);
    } else {
      using Whole = std::conditional_t<sizeof(Number) == 8, int64_t, int32_t>;
      constexpr auto kMost = std::numeric_limits<Whole>::max();
      return static_cast<Number>(value >= static_cast<double>(kMost) ? kMost
                                                                     : static_cast<Whole>(value));
    }
  }

  void append(const Accumulator& accumulator, ColumnBuilder& results) const {
    const int64_t count = accumulator.get<int64_t>(0) - (spread.is_sample ? 1 : 0);
    if (count <= 0) {
      results.append_null();
      return;
    }
    double value = accumulator.get<double>(2) / static_cast<double>(count);
    value = spread.is_root ? std::sqrt(value) : value;
    if constexpr (std::is_same_v<T, Int128>) {
      const auto decimal = decimal_from_double(value, result.precision(), result.scale());
      decimal ? results.append(*decimal) : results.append_null();
    } else {
      results.append(cast_number<T>(value));
    }
  }
};

AggregateFunction spread_function(std::vector<std::string> names,
                                  Spread spread,
                                  std::string description) {
  AggregateFunction function;
  function.forms = fmt::format("'{}(<NUMERIC>)'", names.front());
  function.names = std::move(names);
  function.description = std::move(description);
  function.bind = [](std::span<const BoundArgument> arguments) -> Bound {
    const Parameters parameters{{Family::kNumeric}};
    auto types = match(parameters, arguments);
    if (!types) {
      return mismatch(parameters, arguments.size());
    }
    DataType result = types->front().as_nullable();
    if (result.kind() == TypeKind::kDecimal) {
      result = DataType::decimal(38, std::max(6, result.scale()));
    }
    return Signature{std::move(*types), result};
  };
  function.make_kernel = [spread](const Signature& signature,
                                  std::span<const BoundArgument>,
                                  bool) -> std::unique_ptr<AggregateKernel> {
    const DataType& argument = signature.arguments[0];
    if (argument.kind() == TypeKind::kDecimal) {
      return inline_kernel(VariancePolicy<Int128>{spread, argument, signature.result});
    }
    return expression::with_number(
        argument.kind(), [&](auto tag) -> std::unique_ptr<AggregateKernel> {
          return inline_kernel(
              VariancePolicy<typename decltype(tag)::Type>{spread, argument, signature.result});
        });
  };
  return function;
}

}  // namespace

void add_variance(FunctionRegistry& registry) {
  registry.add(spread_function(
      {"STDDEV_POP"}, {false, true}, "The standard deviation of all values, as a population."));
  registry.add(spread_function(
      {"STDDEV_SAMP", "STDDEV"}, {true, true}, "The standard deviation estimated from a sample."));
  registry.add(
      spread_function({"VAR_POP"}, {false, false}, "The variance of all values, as a population."));
  registry.add(spread_function(
      {"VAR_SAMP", "VARIANCE"}, {true, false}, "The variance estimated from a sample."));
}

}  // namespace thalweg::functions
