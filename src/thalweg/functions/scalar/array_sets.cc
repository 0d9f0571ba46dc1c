// Functions of several arrays: ARRAY_UNION, ARRAY_CONCAT and so on.
#include "thalweg/expression/type_inference.h"
#include "thalweg/functions/scalar/array_function.h"

namespace thalweg::functions {

using expression::common_argument_type;
using expression::FunctionRegistry;

namespace {

/// Arrays of one common element type.
Bind arrays(size_t least, size_t most) {
  return [least, most](std::span<const BoundArgument> arguments) -> Bound {
    if (arguments.size() < least || arguments.size() > most) {
      return mismatch({std::vector<Parameter>(least, Family::kArray)}, arguments.size());
    }
    std::vector<DataType> types;
    for (const BoundArgument& argument : arguments) {
      if (argument.type.kind() != TypeKind::kArray) {
        return NoMatch{};
      }
      types.push_back(argument.type.child(0));
    }
    const auto element = common_argument_type(types);
    if (!element) {
      return NoMatch{};
    }
    Signature signature;
    for (const BoundArgument& argument : arguments) {
      signature.arguments.push_back(
          DataType::array(*element).as_nullable(argument.type.is_nullable()));
    }
    signature.result = DataType::array(*element).as_nullable(any_nullable(arguments));
    return signature;
  };
}

/// The elements of all arrays, each once, in the order of their first place.
void distinct(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  std::vector<std::pair<const Column*, int32_t>> kept;
  for (const ColumnPtr& argument : arguments) {
    const Elements elements = elements_of(*argument, row);
    for (int32_t i = elements.begin; i < elements.end; ++i) {
      const bool known = std::any_of(kept.begin(), kept.end(), [&](const auto& other) {
        return equal_values(elements.values, i, *other.first, other.second);
      });
      if (!known) {
        kept.emplace_back(&elements.values, i);
        builder.child(0).append_from(elements.values, i);
      }
    }
  }
  builder.append_list();
}

/// Elements of the first array that the second has, or has not, each once.
template <bool kWanted>
void keep_where(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  const Elements left = elements_of(*arguments[0], row);
  const Elements right = elements_of(*arguments[1], row);
  for (int32_t i = left.begin; i < left.end; ++i) {
    const bool is_first = Elements{left.values, left.begin, i}.find(left.values, i) < 0;
    if (is_first && (right.find(left.values, i) >= 0) == kWanted) {
      builder.child(0).append_from(left.values, i);
    }
  }
  builder.append_list();
}

void concat_arrays(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  for (const ColumnPtr& argument : arguments) {
    const Elements elements = elements_of(*argument, row);
    for (int32_t i = elements.begin; i < elements.end; ++i) {
      builder.child(0).append_from(elements.values, i);
    }
  }
  builder.append_list();
}

}  // namespace

void add_array_sets(FunctionRegistry& registry) {
  registry.add(building({{"ARRAY_DISTINCT"},
                         "'ARRAY_DISTINCT(<ARRAY>)'",
                         "Each element once.",
                         {"ARRAY_DISTINCT(ARRAY[1, 1, 2]) -> [1, 2]"}},
                        arrays(1, 1),
                        true,
                        distinct));
  registry.add(building({{"ARRAY_UNION"},
                         "'ARRAY_UNION(<ARRAY>, <ARRAY>)'",
                         "The elements of both arrays, each once.",
                         {"ARRAY_UNION(ARRAY[1], ARRAY[1, 2]) -> [1, 2]"}},
                        arrays(2, 2),
                        true,
                        distinct));
  registry.add(building({{"ARRAY_INTERSECT"},
                         "'ARRAY_INTERSECT(<ARRAY>, <ARRAY>)'",
                         "The elements that both arrays have, each once.",
                         {"ARRAY_INTERSECT(ARRAY[1, 2], ARRAY[2]) -> [2]"}},
                        arrays(2, 2),
                        true,
                        keep_where<true>));
  registry.add(building({{"ARRAY_EXCEPT"},
                         "'ARRAY_EXCEPT(<ARRAY>, <ARRAY>)'",
                         "The elements of the first array that the second has not, each once.",
                         {"ARRAY_EXCEPT(ARRAY[1, 2, 2, 3], ARRAY[2]) -> [1, 3]"}},
                        arrays(2, 2),
                        true,
                        keep_where<false>));
  registry.add(building({{"ARRAY_CONCAT"},
                         "'ARRAY_CONCAT(<ARRAY>, ...)'",
                         "The elements of all arrays, one after the other.",
                         {"ARRAY_CONCAT(ARRAY[1], ARRAY[2]) -> [1, 2]"}},
                        arrays(1, SIZE_MAX),
                        true,
                        concat_arrays));
}

}  // namespace thalweg::functions
