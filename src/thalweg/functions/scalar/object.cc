// OBJECT_OF and OBJECT_UPDATE: values of STRUCTURED types.
#include <algorithm>

#include "thalweg/functions/simple_function.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;

namespace {

/// The names of fields at 1, 3, 5 and so on, or why they are none. `words` is how Flink calls what
/// is not NULL here.
std::variant<std::vector<std::string>, NoMatch> field_names(
    std::span<const BoundArgument> arguments, std::string_view words) {
  std::vector<std::string> names;
  for (size_t i = 1; i < arguments.size(); i += 2) {
    if (!arguments[i].type.is_character()) {
      return NoMatch{
          fmt::format("The field key at position {} must be a {} character string, but was {}.",
                      i + 1,
                      words,
                      arguments[i].type.to_string())};
    }
    const auto name = literal_text(arguments, i);
    if (!name) {
      return NoMatch{fmt::format(
          "The field key at position {} must be a {} character string literal.", i + 1, words)};
    }
    if (std::find(names.begin(), names.end(), *name) != names.end()) {
      return NoMatch{fmt::format("The field name '{}' at position {} is repeated.", *name, i + 1)};
    }
    names.push_back(*name);
  }
  return names;
}

Bound bind_object_of(std::span<const BoundArgument> arguments) {
  if (arguments.size() % 2 == 0) {
    return NoMatch{};
  }
  if (!arguments[0].type.is_character()) {
    return NoMatch{
        fmt::format("The first argument must be a non-nullable character string "
                    "representing the class name, but was {}.",
                    arguments[0].type.to_string())};
  }
  const auto class_name = literal_text(arguments, 0);
  if (!class_name) {
    return NoMatch{
        "The first argument must be a non-nullable character string literal "
        "representing the class name."};
  }
  const auto names = field_names(arguments, "non-nullable");
  if (const auto* refusal = std::get_if<NoMatch>(&names)) {
    return *refusal;
  }
  Signature signature;
  std::vector<Field> fields;
  for (size_t i = 0; i < arguments.size(); ++i) {
    signature.arguments.push_back(arguments[i].type);
    if (i > 0 && i % 2 == 0) {
      fields.push_back({std::get<0>(names)[i / 2 - 1], arguments[i].type});
    }
  }
  try {
    signature.result = DataType::structured(*class_name, std::move(fields));
  } catch (const Error& error) {
    return NoMatch{error.message()};
  }
  return signature;
}

std::string attribute_list(const DataType& object) {
  std::string text;
  for (const Field& field : object.fields()) {
    text += (text.empty() ? "" : ", ") + field.name;
  }
  return "[" + text + "]";
}

size_t index_of(const DataType& object, std::string_view name) {
  const std::vector<Field>& fields = object.fields();
  const auto found = std::find_if(
      fields.begin(), fields.end(), [name](const Field& field) { return field.name == name; });
  return static_cast<size_t>(found - fields.begin());
}

Bound bind_object_update(std::span<const BoundArgument> arguments) {
  if (arguments.size() % 2 == 0) {
    return NoMatch{};
  }
  const DataType& object = arguments[0].type;
  if (!object.is_structured()) {
    return NoMatch{fmt::format("The first argument must be a structured type, but was {}.",
                               object.to_string())};
  }
  const auto names = field_names(arguments, "non-null");
  if (const auto* refusal = std::get_if<NoMatch>(&names)) {
    return *refusal;
  }
  std::vector<Field> fields = object.fields();
  Signature signature;
  signature.arguments.push_back(object);
  for (size_t i = 1; i < arguments.size(); i += 2) {
    const std::string& name = std::get<0>(names)[i / 2];
    const size_t index = index_of(object, name);
    if (index == fields.size()) {
      return NoMatch{
          fmt::format("The field name '{}' at position {} is not part of the structured "
                      "type attributes. Available attributes: {}.",
                      name,
                      i + 1,
                      attribute_list(object))};
    }
    fields[index].type = arguments[i + 1].type;
    signature.arguments.push_back(arguments[i].type);
    signature.arguments.push_back(arguments[i + 1].type);
  }
  signature.result = DataType::structured(object.class_name(), std::move(fields));
  return signature;
}

ScalarFunction object_of() {
  ScalarFunction function =
      documented({{"OBJECT_OF"},
                  "'OBJECT_OF(<CHARACTER> class_name[, <CHARACTER> key, <ANY> value]*)'",
                  "A value of a structured type, of the names and values of its fields. Class name "
                  "and keys are literals; the class need not exist.",
                  {"OBJECT_OF('com.example.User', 'name', 'Bob', 'age', 42) -> (name=Bob, age=42)",
                   "OBJECT_OF('com.example.User', 'age', 42).age -> 42"}},
                 bind_object_of);
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return column_kernel([type = signature.result](std::span<const ColumnPtr> arguments,
                                                   int32_t rows,
                                                   const EvaluationContext&,
                                                   RowErrors&) {
      std::vector<ColumnPtr> children;
      for (size_t i = 2; i < arguments.size(); i += 2) {
        children.push_back(flatten(arguments[i]));
      }
      return Column::make_struct(type, rows, std::move(children));
    });
  };
  return function;
}

ScalarFunction object_update() {
  ScalarFunction function = documented(
      {{"OBJECT_UPDATE"},
       "'OBJECT_UPDATE(<STRUCTURED>[, <CHARACTER> key, <ANY> value]*)'",
       "A structured value with other values in the fields named; their types may change. NULL "
       "stays NULL.",
       {"OBJECT_UPDATE(OBJECT_OF('User', 'name', 'Bob', 'age', 42), 'age', 43) -> (name=Bob, "
        "age=43)"}},
      bind_object_update);
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument> bound) {
    std::vector<size_t> replaced;
    for (size_t i = 1; i < bound.size(); i += 2) {
      replaced.push_back(index_of(signature.arguments[0], *literal_text(bound, i)));
    }
    return column_kernel([type = signature.result, replaced](std::span<const ColumnPtr> arguments,
                                                             int32_t rows,
                                                             const EvaluationContext&,
                                                             RowErrors&) -> ColumnPtr {
      const ColumnPtr object = flatten(arguments[0]);
      std::vector<ColumnPtr> children;
      for (size_t i = 0; i < object->child_count(); ++i) {
        children.push_back(object->child(i));
      }
      for (size_t i = 0; i < replaced.size(); ++i) {
        children[replaced[i]] = flatten(arguments[2 * i + 2]);
      }
      const MutableColumnPtr result = Column::make_struct(type, rows, std::move(children));
      result->add_nulls_of(*object);
      return result;
    });
  };
  return function;
}

}  // namespace

void add_object(FunctionRegistry& registry) {
  registry.add(object_of());
  registry.add(object_update());
}

}  // namespace thalweg::functions
