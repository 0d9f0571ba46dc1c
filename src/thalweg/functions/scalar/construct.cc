// ARRAY[..], MAP[..], ROW(..), and access to their parts: a[i], m[k], r.field.
#include <numeric>

#include "thalweg/expression/type_inference.h"
#include "thalweg/functions/building_kernel.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/types/column_operations.h"
#include "thalweg/types/variant.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::least_common_type;
using expression::row_kernel;
using expression::RowErrors;
using expression::RowFault;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

/// Every `step`th argument from `first` on has one common type.
std::optional<DataType> common_of_every(std::span<const BoundArgument> arguments,
                                        size_t first,
                                        size_t step) {
  std::vector<DataType> types;
  for (size_t i = first; i < arguments.size(); i += step) {
    types.push_back(arguments[i].type);
  }
  return least_common_type(types);
}

ScalarFunction array_constructor() {
  ScalarFunction function =
      documented({{"ARRAY"},
                  "'ARRAY[<ANY>, ...]'",
                  "An array of values.",
                  {"ARRAY[1, 2] -> [1, 2]", "ARRAY['a', CAST(NULL AS STRING)] -> [a, NULL]"}},
                 [](std::span<const BoundArgument> arguments) -> Bound {
                   const auto element = common_of_every(arguments, 0, 1);
                   if (!element) {
                     return NoMatch{arguments.empty() ? "Require at least 1 argument" : ""};
                   }
                   if (element->kind() == TypeKind::kNull) {
                     return NoMatch{"Parameters must be of the same type"};
                   }
                   return Signature{std::vector<DataType>(arguments.size(), *element),
                                    DataType::array(*element).not_null()};
                 });
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return building_kernel(
        signature.result,
        false,
        [](std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
          for (const ColumnPtr& argument : arguments) {
            builder.child(0).append_from(*argument, row);
          }
          builder.append_list();
        });
  };
  return function;
}

/// A key that comes again takes the place of the earlier one, which keeps its position.
void append_map(std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
  for (size_t i = 0; i < arguments.size(); i += 2) {
    size_t last = i;
    bool is_first = true;
    for (size_t j = 0; j < arguments.size(); j += 2) {
      if (j != i && equal_values(*arguments[i], row, *arguments[j], row)) {
        is_first = is_first && j > i;
        last = std::max(last, j);
      }
    }
    if (is_first) {
      builder.child(0).append_from(*arguments[i], row);
      builder.child(1).append_from(*arguments[last + 1], row);
    }
  }
  builder.append_list();
}

ScalarFunction map_constructor() {
  ScalarFunction function =
      documented({{"MAP"},
                  "'MAP[<ANY>, <ANY>, ...]'",
                  "A map of keys and values.",
                  {"MAP['a', 1, 'b', 2] -> {a=1, b=2}"}},
                 [](std::span<const BoundArgument> arguments) -> Bound {
                   if (arguments.empty() || arguments.size() % 2 != 0) {
                     return NoMatch{"Map requires an even number of arguments"};
                   }
                   const auto key = common_of_every(arguments, 0, 2);
                   const auto value = common_of_every(arguments, 1, 2);
                   if (!key || !value) {
                     return NoMatch{};
                   }
                   if (key->kind() == TypeKind::kNull) {
                     return NoMatch{"Parameters must be of the same type"};
                   }
                   Signature signature;
                   for (size_t i = 0; i < arguments.size(); ++i) {
                     signature.arguments.push_back(i % 2 == 0 ? *key : *value);
                   }
                   signature.result = DataType::map(*key, *value).not_null();
                   return signature;
                 });
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return building_kernel(signature.result, false, append_map);
  };
  return function;
}

ScalarFunction row_constructor() {
  ScalarFunction function =
      documented({{"ROW"}, "'ROW(<ANY>, ...)'", "A row of values.", {"ROW(1, 'a') -> (1, a)"}},
                 [](std::span<const BoundArgument> arguments) -> Bound {
                   if (arguments.empty()) {
                     return NoMatch{"Require at least 1 argument"};
                   }
                   Signature signature;
                   std::vector<Field> fields;
                   for (size_t i = 0; i < arguments.size(); ++i) {
                     const DataType& type = arguments[i].type;
                     signature.arguments.push_back(type);
                     fields.push_back({fmt::format("EXPR${}", i), type});
                   }
                   signature.result = DataType::row(std::move(fields)).not_null();
                   return signature;
                 });
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return column_kernel([type = signature.result](std::span<const ColumnPtr> arguments,
                                                   int32_t rows,
                                                   const EvaluationContext&,
                                                   RowErrors&) {
      std::vector<ColumnPtr> children;
      for (const ColumnPtr& argument : arguments) {
        children.push_back(flatten(argument));
      }
      return Column::make_struct(type, rows, std::move(children));
    });
  };
  return function;
}

std::optional<size_t> field_index(const DataType& row, std::span<const BoundArgument> arguments) {
  if (const auto name = literal_text(arguments, 1)) {
    for (size_t i = 0; i < row.fields().size(); ++i) {
      if (row.fields()[i].name == *name) {
        return i;
      }
    }
    return std::nullopt;
  }
  const auto index = literal_integer(arguments, 1);
  if (!index || *index < 0 || *index >= static_cast<int64_t>(row.child_count())) {
    return std::nullopt;
  }
  return static_cast<size_t>(*index);
}

/// A row's field; NULL where the row is.
ColumnPtr field_of(const Column& row_column, size_t index, const DataType& type, int32_t rows) {
  const ColumnPtr& child = row_column.child(index);
  if (!row_column.is_constant() && !row_column.may_have_nulls()) {
    return child;
  }
  if (row_column.is_constant() && row_column.is_null(0)) {
    return Column::make_null(type, rows);
  }
  if (!row_column.is_constant() && !child->is_constant() && child->opaque_operations() == nullptr) {
    // The same values, and the row's NULLs besides their own.
    const auto field = std::const_pointer_cast<Column>(child->with_type(type));
    field->add_nulls_of(row_column);
    return field;
  }
  std::vector<int32_t> chosen(static_cast<size_t>(rows));
  for (int32_t row = 0; row < rows; ++row) {
    chosen[static_cast<size_t>(row)] =
        row_column.is_null(row) ? -1 : (row_column.is_constant() ? 0 : row);
  }
  return gather(child, chosen);
}

ScalarFunction field_access() {
  ScalarFunction function = documented(
      {{".", "GET"}, "'<ROW>.<NAME>'", "A field of a row, by name or by number from 0.", {}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        if (arguments.size() != 2 || arguments[0].type.kind() != TypeKind::kRow) {
          return NoMatch{};
        }
        const DataType& row = arguments[0].type;
        const auto index = field_index(row, arguments);
        if (!index) {
          return NoMatch{"No such field in " + row.to_string()};
        }
        const DataType& field = row.child(*index);
        return Signature{{row, arguments[1].type},
                         field.as_nullable(field.is_nullable() || row.is_nullable())};
      });
  function.infix = "{0}.{1}";
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument> arguments) {
    const size_t index = *field_index(signature.arguments[0], arguments);
    return column_kernel([type = signature.result, index](std::span<const ColumnPtr> columns,
                                                          int32_t rows,
                                                          const EvaluationContext&,
                                                          RowErrors&) {
      return field_of(*columns[0], index, type, rows);
    });
  };
  return function;
}

/// Flink's generated code gives -1 for a missing element whose type is NOT NULL.
bool append_missing_number(const DataType& element, ColumnBuilder& builder) {
  if (element.is_nullable()) {
    return false;
  }
  switch (element.kind()) {
    case TypeKind::kInt:
      builder.append(int32_t{-1});
      return true;
    case TypeKind::kBigInt:
      builder.append(int64_t{-1});
      return true;
    case TypeKind::kDouble:
      builder.append(-1.0);
      return true;
    default:
      return false;
  }
}

void append_missing(const DataType& element, ColumnBuilder& builder) {
  if (!append_missing_number(element, builder)) {
    builder.append_null();
  }
}

std::unique_ptr<ScalarKernel> make_array_access(const Signature& signature) {
  return building_kernel(
      signature.result,
      true,
      [element = signature.result](
          std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
        const Column& array = *arguments[0];
        const int64_t index = arguments[1]->at<int32_t>(row);
        const int32_t begin = array.list_begin(row);
        if (index < 1 || index > array.list_end(row) - begin) {
          append_missing(element, builder);
        } else {
          builder.append_from(*array.child(0), begin + static_cast<int32_t>(index) - 1);
        }
      });
}

std::unique_ptr<ScalarKernel> make_map_access(const Signature& signature) {
  return building_kernel(
      signature.result,
      true,
      [value = signature.result](
          std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
        const Column& map = *arguments[0];
        for (int32_t i = map.list_begin(row); i < map.list_end(row); ++i) {
          if (equal_values(*map.child(0), i, *arguments[1], row)) {
            builder.append_from(*map.child(1), i);
            return;
          }
        }
        append_missing(value, builder);
      });
}

/// Reads `part(variant, key)` of each row into a variant of its own; a missing part is NULL.
template <typename Key, typename Part>
std::unique_ptr<ScalarKernel> variant_part(const Signature& signature,
                                           variant::Kind container,
                                           std::string_view refusal,
                                           Part part) {
  return row_kernel<std::string_view, std::string_view, Key>(
      signature.result,
      [container, refusal, part](
          RowFault& fault, std::string& out, std::string_view bytes, const Key& key) {
        const variant::View whole(bytes);
        if (whole.kind() != container) {
          fault.raise(Error(ErrorCode::kInvalidArgument, std::string(refusal)));
          return false;
        }
        const std::optional<variant::View> found = part(whole, key);
        if (found) {
          found->append_to(out);
        }
        return found.has_value();
      });
}

std::unique_ptr<ScalarKernel> make_variant_access(const Signature& signature) {
  if (signature.arguments[1].is_character()) {
    return variant_part<std::string_view>(
        signature,
        variant::Kind::kObject,
        "String key access on variant requires an object variant, but a non-object variant was "
        "provided.",
        [](const variant::View& object, std::string_view name) { return object.field(name); });
  }
  return variant_part<int32_t>(
      signature,
      variant::Kind::kArray,
      "Integer index access on variant requires an array variant, but a non-array variant was "
      "provided.",
      [](const variant::View& array, int32_t index) { return array.element(int64_t{index} - 1); });
}

/// v['field'] of an object, v[1] of an array.
Bound bind_variant_item(std::span<const BoundArgument> arguments) {
  const DataType& key = arguments[1].type;
  if (!key.is_character() && !key.is_integer()) {
    return NoMatch{
        fmt::format("Incorrect type {} supplied for the variant value. Variant values can only be "
                    "accessed with a CHARACTER STRING map key or an INTEGER NUMERIC array index.",
                    key.to_string())};
  }
  return Signature{{arguments[0].type,
                    key.is_integer() ? DataType::integer().as_nullable(key.is_nullable()) : key},
                   DataType::variant()};
}

Bound bind_item(std::span<const BoundArgument> arguments) {
  if (arguments.size() != 2) {
    return mismatch({{Family::kArray, Family::kInteger}}, arguments.size());
  }
  const DataType& collection = arguments[0].type;
  const DataType& key = arguments[1].type;
  const bool nullable = any_nullable(arguments);
  if (collection.kind() == TypeKind::kArray && key.is_integer()) {
    const auto index = literal_integer(arguments, 1);
    if (index && *index < 1) {
      return NoMatch{
          fmt::format("Array element access needs an index starting at 1 but was {}.", *index)};
    }
    const DataType& element = collection.child(0);
    return Signature{{collection, DataType::integer().as_nullable(key.is_nullable())},
                     element.as_nullable(element.is_nullable() || nullable)};
  }
  if (collection.kind() == TypeKind::kVariant) {
    return bind_variant_item(arguments);
  }
  if (collection.kind() == TypeKind::kMap) {
    const DataType& wanted = collection.child(0);
    if (!expression::can_implicitly_cast(key, wanted)) {
      return NoMatch{};
    }
    const DataType& value = collection.child(1);
    return Signature{{collection, wanted.as_nullable(key.is_nullable())},
                     value.as_nullable(value.is_nullable() || nullable)};
  }
  return NoMatch{};
}

ScalarFunction item_operator() {
  ScalarFunction function = documented({{"[]", "AT", "ITEM"},
                                        "'<ARRAY>[<INTEGER>]'\n'<MAP>[<ANY>]'\n"
                                        "'<VARIANT>[<CHARACTER>|<INTEGER>]'",
                                        "An element of an array, from 1, or the value of a key; of "
                                        "a VARIANT, which must hold an array or an object.",
                                        {"ARRAY['a', 'b'][2] -> b",
                                         "MAP['k', 'v']['k'] -> v",
                                         "PARSE_JSON('{\"a\": [1, \"x\"]}')['a'][2] -> \"x\""}},
                                       bind_item);
  function.infix = "{0}[{1}]";
  function.is_infallible_with = [](const DataType& result) {
    return result.kind() != TypeKind::kVariant;
  };
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    switch (signature.arguments[0].kind()) {
      case TypeKind::kArray:
        return make_array_access(signature);
      case TypeKind::kVariant:
        return make_variant_access(signature);
      default:
        return make_map_access(signature);
    }
  };
  return function;
}

ScalarFunction cardinality_function() {
  ScalarFunction function = documented(
      {{"CARDINALITY"},
       "'CARDINALITY(<ARRAY>|<MAP>|<MULTISET>)'",
       "The number of elements or entries.",
       {"CARDINALITY(ARRAY[1, 2]) -> 2"}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        if (arguments.size() != 1 || !arguments[0].type.is_nested() ||
            arguments[0].type.kind() == TypeKind::kRow) {
          return NoMatch{};
        }
        return Signature{{arguments[0].type},
                         DataType::integer().as_nullable(arguments[0].type.is_nullable())};
      });
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return building_kernel(
        signature.result,
        true,
        [](std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
          builder.append(arguments[0]->list_end(row) - arguments[0]->list_begin(row));
        });
  };
  return function;
}

/// The only element; more than one fail the row.
ScalarFunction element_function() {
  ScalarFunction function = documented(
      {{"ELEMENT"},
       "'ELEMENT(<ARRAY>)'",
       "The only element of an array; NULL when it is empty, an error when there are more.",
       {"ELEMENT(ARRAY[7]) -> 7"}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        if (arguments.size() != 1 || arguments[0].type.kind() != TypeKind::kArray) {
          return NoMatch{};
        }
        return Signature{{arguments[0].type}, arguments[0].type.child(0).as_nullable()};
      });
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return column_kernel([type = signature.result](std::span<const ColumnPtr> arguments,
                                                   int32_t rows,
                                                   const EvaluationContext&,
                                                   RowErrors& errors) {
      std::vector<int32_t> chosen(static_cast<size_t>(rows), -1);
      const Column& array = *arguments[0];
      for (int32_t row = 0; row < rows; ++row) {
        const int32_t size = array.is_null(row) ? 0 : array.list_end(row) - array.list_begin(row);
        if (size > 1) {
          errors.add(
              row,
              Error(ErrorCode::kInvalidArgument, "ELEMENT of an array with more than one element"));
        } else if (size == 1) {
          chosen[static_cast<size_t>(row)] = array.list_begin(row);
        }
      }
      return gather(array.child(0), chosen);
    });
  };
  return function;
}

}  // namespace

void add_construct(FunctionRegistry& registry) {
  registry.add(array_constructor());
  registry.add(map_constructor());
  registry.add(row_constructor());
  registry.add(field_access());
  registry.add(item_operator());
  registry.add(cardinality_function());
  registry.add(element_function());
}

}  // namespace thalweg::functions
