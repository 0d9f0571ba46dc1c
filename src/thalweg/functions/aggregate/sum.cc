// SUM, $SUM0.
#include "thalweg/expression/physical.h"
#include "thalweg/functions/aggregate/inline_kernel.h"
#include "thalweg/functions/signature.h"
#include "thalweg/types/decimal.h"

namespace thalweg::functions {

using expression::AggregateFunction;
using expression::AggregateKernel;
using expression::FunctionRegistry;

namespace {

/// Java's integers wrap around.
template <typename T>
T wrapping_add(T left, T right) {
  if constexpr (std::is_floating_point_v<T>) {
    return left + right;
  } else {
    using Unsigned = std::conditional_t<sizeof(T) == 16, unsigned __int128, uint64_t>;
    return static_cast<T>(static_cast<Unsigned>(left) + static_cast<Unsigned>(right));
  }
}

template <typename T>
T wrapping_negate(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return -value;
  } else {
    using Unsigned = std::conditional_t<sizeof(T) == 16, unsigned __int128, uint64_t>;
    return static_cast<T>(Unsigned{0} - static_cast<Unsigned>(value));
  }
}

/// Without retraction a flag tells whether there was a value; with it, a count.
template <typename T, typename Seen>
struct SumPolicy {
  using Input = T;
  static constexpr bool kRetracts = std::is_same_v<Seen, int64_t>;
  DataType type;
  bool zero_when_empty = false;

  std::vector<stream::StateField> fields() const {
    return {{"sum", type.not_null()},
            {"count", kRetracts ? DataType::big_int().not_null() : DataType::boolean().not_null()}};
  }

  void add(const Accumulator& accumulator, T value) const {
    accumulator.set(0, wrapping_add(accumulator.get<T>(0), value));
    if constexpr (kRetracts) {
      accumulator.set(1, accumulator.get<Seen>(1) + 1);
    } else {
      accumulator.set(1, Seen{1});
    }
  }

  void subtract(const Accumulator& accumulator, T value) const {
    accumulator.set(0, wrapping_add(accumulator.get<T>(0), wrapping_negate(value)));
    accumulator.set(1, static_cast<Seen>(accumulator.get<Seen>(1) - 1));
  }

  void merge(const Accumulator& into, const Accumulator& from) const {
    into.set(0, wrapping_add(into.get<T>(0), from.get<T>(0)));
    if constexpr (kRetracts) {
      into.set(1, into.get<Seen>(1) + from.get<Seen>(1));
    } else {
      into.set(1, static_cast<Seen>(into.get<Seen>(1) | from.get<Seen>(1)));
    }
  }

  void append(const Accumulator& accumulator, ColumnBuilder& results) const {
    if (accumulator.get<Seen>(1) == 0 && !zero_when_empty) {
      results.append_null();
      return;
    }
    const T sum = accumulator.get<T>(0);
    if constexpr (sizeof(T) == 16) {
      // More digits than the type has: NULL, as in Flink.
      if (!fits_precision(sum, type.precision())) {
        results.append_null();
        return;
      }
    }
    results.append(sum);
  }
};

template <typename T>
std::unique_ptr<AggregateKernel> make_sum(const DataType& type, bool needs_retract, bool zero) {
  if (needs_retract) {
    return inline_kernel(SumPolicy<T, int64_t>{type, zero});
  }
  return inline_kernel(SumPolicy<T, uint8_t>{type, zero});
}

AggregateFunction sum_function(std::string name, std::string description, bool zero_when_empty) {
  AggregateFunction function;
  function.forms = fmt::format("'{}(<NUMERIC>)'", name);
  function.names = {std::move(name)};
  function.description = std::move(description);
  function.bind = [zero_when_empty](std::span<const BoundArgument> arguments) -> Bound {
    const Parameters parameters{{Family::kNumeric}};
    const auto types = match(parameters, arguments);
    if (!types) {
      return mismatch(parameters, arguments.size());
    }
    DataType result = types->front();
    if (result.kind() == TypeKind::kDecimal) {
      result = DataType::decimal(38, result.scale());
    }
    // A decimal's digits are added as they are: its scale is the sum's.
    return Signature{{types->front()}, result.as_nullable(!zero_when_empty)};
  };
  function.make_kernel = [zero_when_empty](const Signature& signature,
                                           std::span<const BoundArgument>,
                                           bool needs_retract) {
    const DataType& type = signature.result;
    if (type.kind() == TypeKind::kDecimal) {
      return make_sum<Int128>(type, needs_retract, zero_when_empty);
    }
    return expression::with_number(type.kind(), [&](auto tag) {
      return make_sum<typename decltype(tag)::Type>(type, needs_retract, zero_when_empty);
    });
  };
  return function;
}

}  // namespace

void add_sum(FunctionRegistry& registry) {
  registry.add(sum_function(
      "SUM", "The sum of the values; NULL when there are none. Integers wrap around.", false));
  registry.add(sum_function("$SUM0", "The sum of the values; 0 when there are none.", true));
}

}  // namespace thalweg::functions
