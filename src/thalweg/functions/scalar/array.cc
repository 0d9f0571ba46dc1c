// Functions of one array: ARRAY_CONTAINS, ARRAY_SORT and so on.
#include <numeric>

#include "thalweg/expression/type_inference.h"
#include "thalweg/functions/order.h"
#include "thalweg/functions/scalar/array_function.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::functions {

using expression::can_implicitly_cast;
using expression::FunctionRegistry;
using expression::ScalarFunction;

namespace {

enum class Result : uint8_t { kArray, kElement, kBoolean, kInteger };

/// Array and element, the element brought to the type of the array's.
Bind array_and_element(Result result) {
  return [result](std::span<const BoundArgument> arguments) -> Bound {
    if (arguments.size() != 2) {
      return mismatch({{Family::kArray, Family::kAny}}, arguments.size());
    }
    const DataType& array = arguments[0].type;
    if (array.kind() != TypeKind::kArray) {
      return NoMatch{};
    }
    if (!can_implicitly_cast(arguments[1].type, array.child(0))) {
      return NoMatch{};
    }
    const bool may_hold_null = array.child(0).is_nullable() ||
                               (result == Result::kArray && arguments[1].type.is_nullable());
    const DataType element = array.child(0).as_nullable(may_hold_null);
    const DataType wanted = DataType::array(element).as_nullable(array.is_nullable());
    const DataType type = result == Result::kArray     ? wanted
                          : result == Result::kBoolean ? DataType::boolean()
                                                       : DataType::integer();
    const bool nullable =
        array.is_nullable() || (result == Result::kInteger && arguments[1].type.is_nullable());
    return Signature{{wanted, element.as_nullable(arguments[1].type.is_nullable())},
                     type.as_nullable(nullable)};
  };
}

/// One array, giving one of its elements or NULL.
Bound bind_element_of(std::span<const BoundArgument> arguments) {
  if (arguments.size() != 1 || arguments[0].type.kind() != TypeKind::kArray) {
    return NoMatch{};
  }
  const DataType element = arguments[0].type.child(0);
  return has_order(element) ? Bound(Signature{{arguments[0].type}, element.as_nullable()})
                            : Bound(NoMatch{});
}

void contains(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  if (arguments[0]->is_null(row)) {
    builder.append_null();
    return;
  }
  const bool found = elements_of(*arguments[0], row).find(*arguments[1], row) >= 0;
  builder.append(static_cast<uint8_t>(found));
}

void position(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  const Elements elements = elements_of(*arguments[0], row);
  const int32_t found = elements.find(*arguments[1], row);
  builder.append(found < 0 ? 0 : found - elements.begin + 1);
}

void remove_element(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  if (arguments[0]->is_null(row)) {
    builder.append_null();
    return;
  }
  const Elements elements = elements_of(*arguments[0], row);
  for (int32_t i = elements.begin; i < elements.end; ++i) {
    if (!equal_values(elements.values, i, *arguments[1], row)) {
      builder.child(0).append_from(elements.values, i);
    }
  }
  builder.append_list();
}

template <bool at_end>
void add_element(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  if (arguments[0]->is_null(row)) {
    builder.append_null();
    return;
  }
  const Elements elements = elements_of(*arguments[0], row);
  if (!at_end) {
    builder.child(0).append_from(*arguments[1], row);
  }
  for (int32_t i = elements.begin; i < elements.end; ++i) {
    builder.child(0).append_from(elements.values, i);
  }
  if (at_end) {
    builder.child(0).append_from(*arguments[1], row);
  }
  builder.append_list();
}

void reverse(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  const Elements elements = elements_of(*arguments[0], row);
  for (int32_t i = elements.end; i > elements.begin; --i) {
    builder.child(0).append_from(elements.values, i - 1);
  }
  builder.append_list();
}

template <int sign>
void extreme(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  const Elements elements = elements_of(*arguments[0], row);
  int32_t best = -1;
  for (int32_t i = elements.begin; i < elements.end; ++i) {
    if (!elements.values.is_null(i) &&
        (best < 0 || compare_values(elements.values, i, elements.values, best) * sign > 0)) {
      best = i;
    }
  }
  if (best < 0) {
    builder.append_null();
  } else {
    builder.append_from(elements.values, best);
  }
}

/// ARRAY_SORT(array[, ascending[, nulls first]]); NULLs go first when ascending, last otherwise.
void sort(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  const Elements elements = elements_of(*arguments[0], row);
  const bool ascending = arguments.size() < 2 || arguments[1]->at<uint8_t>(row) != 0;
  const bool nulls_first = arguments.size() < 3 ? ascending : arguments[2]->at<uint8_t>(row) != 0;
  std::vector<int32_t> order(static_cast<size_t>(elements.size()));
  std::iota(order.begin(), order.end(), elements.begin);
  std::stable_sort(order.begin(), order.end(), [&](int32_t left, int32_t right) {
    const bool left_null = elements.values.is_null(left);
    const bool right_null = elements.values.is_null(right);
    if (left_null || right_null) {
      return left_null != right_null && left_null == nulls_first;
    }
    const int compared = compare_values(elements.values, left, elements.values, right);
    return ascending ? compared < 0 : compared > 0;
  });
  for (const int32_t i : order) {
    builder.child(0).append_from(elements.values, i);
  }
  builder.append_list();
}

/// Positions from 1, negative ones from the end, both ends included.
void slice(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  const Elements elements = elements_of(*arguments[0], row);
  const int64_t size = elements.size();
  const auto resolve = [size](int64_t index) {
    return index < 0 ? size + index + 1 : std::max<int64_t>(index, 1);
  };
  const int64_t first = std::max<int64_t>(1, resolve(arguments[1]->at<int32_t>(row)));
  const int64_t last =
      arguments.size() < 3 ? size : std::min(size, resolve(arguments[2]->at<int32_t>(row)));
  for (int64_t i = first; i <= last; ++i) {
    builder.child(0).append_from(elements.values, elements.begin + static_cast<int32_t>(i) - 1);
  }
  builder.append_list();
}

/// ARRAY_JOIN(array, separator[, text for NULLs]).
void join(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  const Elements elements = elements_of(*arguments[0], row);
  std::string text;
  bool is_first = true;
  for (int32_t i = elements.begin; i < elements.end; ++i) {
    const bool is_null = elements.values.is_null(i);
    if (is_null && arguments.size() < 3) {
      continue;
    }
    text += is_first ? std::string_view() : arguments[1]->string_at(row);
    text += is_null ? arguments[2]->string_at(row) : elements.values.string_at(i);
    is_first = false;
  }
  builder.append_string(text);
}

Bound bind_sort(std::span<const BoundArgument> arguments) {
  auto types = match({{Family::kArray}, {DataType::boolean(), DataType::boolean()}}, arguments);
  if (!types || !has_order(types->front().child(0))) {
    return NoMatch{};
  }
  const DataType result = types->front().as_nullable(any_nullable(arguments));
  return Signature{std::move(*types), result};
}

Bound bind_join(std::span<const BoundArgument> arguments) {
  auto types =
      match({{DataType::array(DataType::string()), Family::kText}, {Family::kText}}, arguments);
  if (!types) {
    return NoMatch{};
  }
  return Signature{std::move(*types), DataType::string().as_nullable(any_nullable(arguments))};
}

void add_searches(FunctionRegistry& registry) {
  registry.add(building({{"ARRAY_CONTAINS"},
                         "'ARRAY_CONTAINS(<ARRAY>, <ANY>)'",
                         "True when the array has the element; NULL can be looked for.",
                         {"ARRAY_CONTAINS(ARRAY[1, 2], 2) -> TRUE"}},
                        array_and_element(Result::kBoolean),
                        false,
                        contains));
  registry.add(building({{"ARRAY_POSITION"},
                         "'ARRAY_POSITION(<ARRAY>, <ANY>)'",
                         "Where the element is first, from 1; 0 when it is not there.",
                         {"ARRAY_POSITION(ARRAY['a', 'b'], 'b') -> 2"}},
                        array_and_element(Result::kInteger),
                        true,
                        position));
  registry.add(building({{"ARRAY_MAX"},
                         "'ARRAY_MAX(<ARRAY>)'",
                         "The largest element, NULLs left out.",
                         {"ARRAY_MAX(ARRAY[1, 3]) -> 3"}},
                        bind_element_of,
                        true,
                        extreme<1>));
  registry.add(building({{"ARRAY_MIN"},
                         "'ARRAY_MIN(<ARRAY>)'",
                         "The smallest element, NULLs left out.",
                         {"ARRAY_MIN(ARRAY[1, 3]) -> 1"}},
                        bind_element_of,
                        true,
                        extreme<-1>));
  registry.add(building({{"ARRAY_JOIN"},
                         "'ARRAY_JOIN(<ARRAY>, <CHARACTER>[, <CHARACTER> for NULL])'",
                         "The texts of an array with a separator between them.",
                         {"ARRAY_JOIN(ARRAY['a', 'b'], '-') -> a-b"}},
                        bind_join,
                        true,
                        join));
}

void add_changes(FunctionRegistry& registry) {
  registry.add(building({{"ARRAY_REMOVE"},
                         "'ARRAY_REMOVE(<ARRAY>, <ANY>)'",
                         "The array without any element equal to the given one.",
                         {"ARRAY_REMOVE(ARRAY[1, 2, 1], 1) -> [2]"}},
                        array_and_element(Result::kArray),
                        false,
                        remove_element));
  registry.add(building({{"ARRAY_APPEND"},
                         "'ARRAY_APPEND(<ARRAY>, <ANY>)'",
                         "The array with an element more at its end.",
                         {"ARRAY_APPEND(ARRAY[1], 2) -> [1, 2]"}},
                        array_and_element(Result::kArray),
                        false,
                        add_element<true>));
  registry.add(building({{"ARRAY_PREPEND"},
                         "'ARRAY_PREPEND(<ARRAY>, <ANY>)'",
                         "The array with an element more at its start.",
                         {"ARRAY_PREPEND(ARRAY[1], 0) -> [0, 1]"}},
                        array_and_element(Result::kArray),
                        false,
                        add_element<false>));
  registry.add(building({{"ARRAY_REVERSE"},
                         "'ARRAY_REVERSE(<ARRAY>)'",
                         "The elements from last to first.",
                         {"ARRAY_REVERSE(ARRAY[1, 2]) -> [2, 1]"}},
                        strict_like({{Family::kArray}}),
                        true,
                        reverse));
  registry.add(building({{"ARRAY_SORT"},
                         "'ARRAY_SORT(<ARRAY>[, <BOOLEAN> ascending[, <BOOLEAN> nulls first]])'",
                         "The elements in order.",
                         {"ARRAY_SORT(ARRAY[3, 1, 2]) -> [1, 2, 3]"}},
                        bind_sort,
                        true,
                        sort));
  registry.add(building({{"ARRAY_SLICE"},
                         "'ARRAY_SLICE(<ARRAY>, <INTEGER> start[, <INTEGER> end])'",
                         "The elements between two positions, both included, from 1; negative ones "
                         "count from the end.",
                         {"ARRAY_SLICE(ARRAY[1, 2, 3], 2, 3) -> [2, 3]"}},
                        strict_like({{Family::kArray, DataType::integer()}, {DataType::integer()}}),
                        true,
                        slice));
}

}  // namespace

void add_array(FunctionRegistry& registry) {
  add_searches(registry);
  add_changes(registry);
}

}  // namespace thalweg::functions
