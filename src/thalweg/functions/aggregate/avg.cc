// AVG.
#include "thalweg/expression/physical.h"
#include "thalweg/functions/aggregate/inline_kernel.h"
#include "thalweg/functions/scalar/decimal_arithmetic.h"
#include "thalweg/functions/signature.h"
#include "thalweg/types/decimal.h"

namespace thalweg::functions {

using expression::AggregateFunction;
using expression::AggregateKernel;
using expression::FunctionRegistry;

namespace {

/// Sums in `Sum`, wide enough for the average of `T`s.
template <typename T, typename Sum>
struct AvgPolicy {
  using Input = T;
  static constexpr bool kRetracts = true;
  DataType argument;
  DataType result;

  std::vector<stream::StateField> fields() const {
    const DataType sum = std::is_same_v<Sum, Int128>   ? DataType::decimal(38, argument.scale())
                         : std::is_same_v<Sum, double> ? DataType::float64()
                                                       : DataType::big_int();
    return {{"sum", sum.not_null()}, {"count", DataType::big_int().not_null()}};
  }

  static Sum plus(Sum left, Sum right) {
    if constexpr (std::is_same_v<Sum, double>) {
      return left + right;
    } else {
      using Unsigned = std::conditional_t<std::is_same_v<Sum, Int128>, unsigned __int128, uint64_t>;
      return static_cast<Sum>(static_cast<Unsigned>(left) + static_cast<Unsigned>(right));
    }
  }

  void add(const Accumulator& accumulator, T value) const {
    accumulator.set(0, plus(accumulator.get<Sum>(0), static_cast<Sum>(value)));
    accumulator.set(1, accumulator.get<int64_t>(1) + 1);
  }

  void subtract(const Accumulator& accumulator, T value) const {
    accumulator.set(0, plus(accumulator.get<Sum>(0), -static_cast<Sum>(value)));
    accumulator.set(1, accumulator.get<int64_t>(1) - 1);
  }

  void merge(const Accumulator& into, const Accumulator& from) const {
    into.set(0, plus(into.get<Sum>(0), from.get<Sum>(0)));
    into.set(1, into.get<int64_t>(1) + from.get<int64_t>(1));
  }

  void append(const Accumulator& accumulator, ColumnBuilder& results) const {
    const auto count = accumulator.get<int64_t>(1);
    const auto sum = accumulator.get<Sum>(0);
    if (count == 0) {
      results.append_null();
    } else if constexpr (std::is_same_v<Sum, Int128>) {
      // A sum of more digits than a decimal has is NULL, as in Flink.
      if (!fits_precision(sum, 38)) {
        results.append_null();
        return;
      }
      const auto average =
          decimal_divide(sum, count, {argument.scale(), 0, {result.precision(), result.scale()}});
      average ? results.append(*average) : results.append_null();
    } else {
      results.append(static_cast<T>(sum / static_cast<Sum>(count)));
    }
  }
};

}  // namespace

void add_avg(FunctionRegistry& registry) {
  AggregateFunction function;
  function.names = {"AVG"};
  function.forms = "'AVG(<NUMERIC>)'";
  function.description =
      "The average of the values; NULL when there are none. That of integers is an integer.";
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
  function.make_kernel = [](const Signature& signature,
                            std::span<const BoundArgument>,
                            bool) -> std::unique_ptr<AggregateKernel> {
    const DataType& argument = signature.arguments[0];
    if (argument.kind() == TypeKind::kDecimal) {
      return inline_kernel(AvgPolicy<Int128, Int128>{argument, signature.result});
    }
    return expression::with_number(
        argument.kind(), [&](auto tag) -> std::unique_ptr<AggregateKernel> {
          using T = typename decltype(tag)::Type;
          using Sum = std::conditional_t<std::is_floating_point_v<T>, double, int64_t>;
          return inline_kernel(AvgPolicy<T, Sum>{argument, signature.result});
        });
  };
  registry.add(std::move(function));
}

}  // namespace thalweg::functions
