// MIN, MAX.
#include "thalweg/common/check.h"
#include "thalweg/functions/aggregate/inline_kernel.h"
#include "thalweg/functions/aggregate/ordered_counts.h"
#include "thalweg/functions/order.h"
#include "thalweg/functions/signature.h"

namespace thalweg::functions {

using expression::AggregateFunction;
using expression::AggregateKernel;
using expression::FunctionRegistry;

namespace {

template <typename T>
void append_extreme(ColumnBuilder& results, const T& value) {
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>) {
    results.append_string(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    results.append(static_cast<uint8_t>(value));
  } else {
    results.append(value);
  }
}

/// Keeps the extreme value only.
template <typename T, bool is_max>
struct ExtremePolicy {
  using Input = T;
  using Kept = typename expression::Stored<T>::Type;
  static constexpr bool kRetracts = false;
  DataType type;

  std::vector<stream::StateField> fields() const {
    return {{"value", type.not_null()}, {"seen", DataType::boolean().not_null()}};
  }

  static T kept(const Accumulator& accumulator) {
    if constexpr (std::is_same_v<T, std::string_view>) {
      // The view's inline bytes lie in the record, which outlives this use.
      return reinterpret_cast<const StringView*>(accumulator.place(0))->view();
    } else {
      return static_cast<T>(accumulator.get<Kept>(0));
    }
  }

  void add(const Accumulator& accumulator, const T& value) const {
    if (accumulator.get<uint8_t>(1) != 0) {
      const T present = kept(accumulator);
      const bool replaces = is_max ? ValueOrder{}(present, value) : ValueOrder{}(value, present);
      if (!replaces) {
        return;
      }
    }
    accumulator.set(1, uint8_t{1});
    if constexpr (std::is_same_v<T, std::string_view>) {
      accumulator.memory.assign_string(accumulator.place(0), value);
    } else {
      accumulator.set(0, static_cast<Kept>(value));
    }
  }

  void subtract(const Accumulator&, const T&) const {}

  void merge(const Accumulator& into, const Accumulator& from) const {
    if (from.get<uint8_t>(1) != 0) {
      add(into, kept(from));
    }
  }

  void append(const Accumulator& accumulator, ColumnBuilder& results) const {
    if (accumulator.get<uint8_t>(1) == 0) {
      results.append_null();
    } else {
      append_extreme(results, kept(accumulator));
    }
  }
};

/// Keeps every value, so that rows can be taken back.
template <typename T, bool is_max>
struct RetractableExtremePolicy {
  using Input = T;
  using Key = std::conditional_t<std::is_same_v<T, std::string_view>, std::string, T>;
  using Counts = OrderedCounts<Key>;
  static constexpr bool kRetracts = true;
  DataType type;

  std::vector<stream::StateField> fields() const {
    return {{"values", DataType::bytes().not_null(), Counts::kind()}};
  }

  static void count(const Accumulator& accumulator, const T& value, int64_t step) {
    auto& counts = static_cast<Counts&>(
        accumulator.memory.writable_object(accumulator.place(0), *Counts::kind()));
    accumulator.memory.object_resized(counts.add(Key(value), step));
  }

  void add(const Accumulator& accumulator, const T& value) const { count(accumulator, value, 1); }

  void subtract(const Accumulator& accumulator, const T& value) const {
    count(accumulator, value, -1);
  }

  static const Counts* counts_of(const Accumulator& accumulator) {
    return static_cast<const Counts*>(accumulator.memory.object(accumulator.place(0)));
  }

  void merge(const Accumulator& into, const Accumulator& from) const {
    const Counts* counts = counts_of(from);
    if (counts == nullptr) {
      return;
    }
    for (const auto& [value, number] : counts->counts()) {
      count(into, T(value), number);
    }
  }

  void append(const Accumulator& accumulator, ColumnBuilder& results) const {
    const Counts* counts = counts_of(accumulator);
    if (counts != nullptr) {
      const auto& map = counts->counts();
      if constexpr (is_max) {
        for (auto entry = map.rbegin(); entry != map.rend(); ++entry) {
          if (entry->second > 0) {
            return append_extreme(results, entry->first);
          }
        }
      } else {
        for (const auto& [value, number] : map) {
          if (number > 0) {
            return append_extreme(results, value);
          }
        }
      }
    }
    results.append_null();
  }
};

template <typename T, bool is_max>
std::unique_ptr<AggregateKernel> make_extreme_of(const DataType& type, bool needs_retract) {
  if (needs_retract) {
    return inline_kernel(RetractableExtremePolicy<T, is_max>{type});
  }
  return inline_kernel(ExtremePolicy<T, is_max>{type});
}

template <bool is_max>
std::unique_ptr<AggregateKernel> make_extreme(const DataType& type, bool needs_retract) {
  switch (type.physical()) {
    case PhysicalKind::kBool:
      return make_extreme_of<bool, is_max>(type, needs_retract);
    case PhysicalKind::kInt8:
      return make_extreme_of<int8_t, is_max>(type, needs_retract);
    case PhysicalKind::kInt16:
      return make_extreme_of<int16_t, is_max>(type, needs_retract);
    case PhysicalKind::kInt32:
      return make_extreme_of<int32_t, is_max>(type, needs_retract);
    case PhysicalKind::kInt64:
      return make_extreme_of<int64_t, is_max>(type, needs_retract);
    case PhysicalKind::kInt128:
      return make_extreme_of<Int128, is_max>(type, needs_retract);
    case PhysicalKind::kFloat:
      return make_extreme_of<float, is_max>(type, needs_retract);
    case PhysicalKind::kDouble:
      return make_extreme_of<double, is_max>(type, needs_retract);
    case PhysicalKind::kString:
      return make_extreme_of<std::string_view, is_max>(type, needs_retract);
    default:
      unreachable("MIN or MAX of a type without an order");
  }
}

template <bool is_max>
AggregateFunction extreme(std::string name, std::string description) {
  AggregateFunction function;
  function.forms = fmt::format("'{}(<COMPARABLE_TYPE>)'", name);
  function.names = {std::move(name)};
  function.description = std::move(description);
  function.bind = [](std::span<const BoundArgument> arguments) -> Bound {
    const Parameters parameters{{Family::kAny}};
    auto types = match(parameters, arguments);
    if (!types) {
      return mismatch(parameters, arguments.size());
    }
    const DataType type = types->front().with_time_attribute(TimeAttribute::kNone).as_nullable();
    if (!has_order(type)) {
      return NoMatch{};
    }
    return Signature{std::move(*types), type};
  };
  function.make_kernel =
      [](const Signature& signature, std::span<const BoundArgument>, bool needs_retract) {
        return make_extreme<is_max>(signature.result, needs_retract);
      };
  return function;
}

}  // namespace

void add_min_max(FunctionRegistry& registry) {
  registry.add(extreme<false>("MIN", "The smallest value; NULL when there are none."));
  registry.add(extreme<true>("MAX", "The largest value; NULL when there are none."));
}

}  // namespace thalweg::functions
