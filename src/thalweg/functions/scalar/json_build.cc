// JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON, JSON_QUOTE, JSON_UNQUOTE. The forms with the other ON
// NULL clause are functions of their own: $JSON_OBJECT_ABSENT_ON_NULL, $JSON_ARRAY_NULL_ON_NULL.
#include <map>

#include "thalweg/expression/utf8.h"
#include "thalweg/functions/building_kernel.h"
#include "thalweg/functions/json/json_value.h"
#include "thalweg/functions/json/json_writer.h"
#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;

namespace {

/// Which arguments are JSON already and go in as they are.
std::vector<bool> json_arguments(std::span<const BoundArgument> arguments) {
  std::vector<bool> flags;
  for (const BoundArgument& argument : arguments) {
    flags.push_back(argument.is_json);
  }
  return flags;
}

void append_argument(std::string& out, const Column& column, int32_t row, bool is_json) {
  if (is_json && !column.is_null(row)) {
    out += column.string_at(row);
  } else {
    append_json_of(out, column, row);
  }
}

Bound bind_values(std::span<const BoundArgument> arguments) {
  Signature signature;
  for (const BoundArgument& argument : arguments) {
    if (!has_json_form(argument.type)) {
      return NoMatch{"Type " + argument.type.to_string() + " has no JSON form"};
    }
    signature.arguments.push_back(argument.type);
  }
  signature.result = DataType::string().not_null();
  return signature;
}

ScalarFunction object_function(std::string name,
                               bool keeps_nulls,
                               std::vector<std::string> examples) {
  ScalarFunction function =
      documented({{std::move(name)},
                  "'JSON_OBJECT([[KEY] <CHARACTER> VALUE <ANY>, ...] [{ NULL | ABSENT } ON NULL])'",
                  "A JSON object of keys and values.",
                  std::move(examples)},
                 [](std::span<const BoundArgument> arguments) -> Bound {
                   if (arguments.size() % 2 != 0) {
                     return NoMatch{};
                   }
                   for (size_t i = 0; i < arguments.size(); i += 2) {
                     if (!arguments[i].type.is_character()) {
                       return NoMatch{};
                     }
                   }
                   return bind_values(arguments);
                 });
  function.makes_json = true;
  function.is_infallible = true;
  function.make_kernel = [keeps_nulls](const Signature& signature,
                                       std::span<const BoundArgument> bound) {
    return building_kernel(
        signature.result,
        false,
        [keeps_nulls, is_json = json_arguments(bound)](
            std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
          std::map<std::string, std::string> fields;
          for (size_t i = 0; i < arguments.size(); i += 2) {
            if (keeps_nulls || !arguments[i + 1]->is_null(row)) {
              std::string& value = fields[std::string(arguments[i]->string_at(row))];
              value.clear();
              append_argument(value, *arguments[i + 1], row, is_json[i + 1]);
            }
          }
          std::string text = "{";
          for (const auto& [key, value] : fields) {
            text += text.size() == 1 ? "" : ",";
            append_json_string(text, key);
            text += ":" + value;
          }
          builder.append_string(text + "}");
        });
  };
  return function;
}

ScalarFunction array_function(std::string name,
                              bool keeps_nulls,
                              std::vector<std::string> examples) {
  ScalarFunction function = documented({{std::move(name)},
                                        "'JSON_ARRAY([<ANY>, ...] [{ NULL | ABSENT } ON NULL])'",
                                        "A JSON array of values.",
                                        std::move(examples)},
                                       bind_values);
  function.makes_json = true;
  function.is_infallible = true;
  function.make_kernel = [keeps_nulls](const Signature& signature,
                                       std::span<const BoundArgument> bound) {
    return building_kernel(
        signature.result,
        false,
        [keeps_nulls, is_json = json_arguments(bound)](
            std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
          std::string text = "[";
          for (size_t i = 0; i < arguments.size(); ++i) {
            if (keeps_nulls || !arguments[i]->is_null(row)) {
              text += text.size() == 1 ? "" : ",";
              append_argument(text, *arguments[i], row, is_json[i]);
            }
          }
          builder.append_string(text + "]");
        });
  };
  return function;
}

ScalarFunction json_string_function() {
  ScalarFunction function = documented(
      {{"JSON_STRING"},
       "'JSON_STRING(<ANY>)'",
       "A value as JSON; NULL stays NULL.",
       {"JSON_STRING(ARRAY[1, 2]) -> [1,2]", "JSON_STRING('Hello') -> \"Hello\""}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        if (arguments.size() != 1) {
          return mismatch({{Family::kAny}}, arguments.size());
        }
        const TypeKind kind = arguments[0].type.kind();
        if (kind == TypeKind::kDate || kind == TypeKind::kTime) {
          return NoMatch{};
        }
        Bound bound = bind_values(arguments);
        if (auto* signature = std::get_if<Signature>(&bound)) {
          signature->result = DataType::string().as_nullable(arguments[0].type.is_nullable());
        }
        return bound;
      });
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return building_kernel(
        signature.result,
        true,
        [](std::span<const ColumnPtr> arguments, int32_t row, ColumnBuilder& builder) {
          std::string text;
          append_json_of(text, *arguments[0], row);
          builder.append_string(text);
        });
  };
  return function;
}

/// JSON(text): marks a text as JSON for JSON_OBJECT and JSON_ARRAY.
ScalarFunction json_function() {
  ScalarFunction function = simple<std::string_view, std::string_view>(
      {{"JSON"},
       "'JSON(<CHARACTER>)'",
       "A text that goes into JSON_OBJECT and JSON_ARRAY as JSON.",
       {"JSON_ARRAY(JSON('{\"a\": 1}')) -> [{\"a\":1}]"}},
      nullable({{Family::kText}}, DataType::string()),
      [](std::string& out, std::string_view text) {
        const auto value = parse_json(text);
        if (!value) {
          return false;
        }
        append_json(out, *value);
        return true;
      });
  function.makes_json = true;
  return function;
}

/// In ASCII alone, slashes escaped.
void json_quote(std::string& out, std::string_view text) {
  std::string quoted;
  append_json_string(quoted, text);
  for (size_t at = 0; at < quoted.size();) {
    const uint32_t code = utf8::next(quoted, at);
    if (code == '/') {
      out += "\\/";
    } else if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x10000) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
    } else {
      const uint32_t rest = code - 0x10000;
      fmt::format_to(std::back_inserter(out),
                     "\\u{:04x}\\u{:04x}",
                     0xD800U + (rest >> 10U),
                     0xDC00U + (rest & 0x3FFU));
    }
  }
}

bool json_unquote(std::string& out, std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') {
    out = text;
    return true;
  }
  const auto value = parse_json(text);
  out = value && value->kind == JsonValue::Kind::kString ? value->text : std::string(text);
  return true;
}

}  // namespace

void add_json_build(FunctionRegistry& registry) {
  registry.add(object_function(
      "JSON_OBJECT",
      true,
      {"JSON_OBJECT('k' VALUE 1) -> {\"k\":1}",
       "JSON_OBJECT('x' VALUE JSON_OBJECT('y' VALUE 1.50)) -> {\"x\":{\"y\":1.50}}"}));
  registry.add(object_function("$JSON_OBJECT_ABSENT_ON_NULL", false, {}));
  registry.add(array_function(
      "JSON_ARRAY", false, {"JSON_ARRAY(1, 'a', TRUE) -> [1,\"a\",true]", "JSON_ARRAY() -> []"}));
  registry.add(array_function("$JSON_ARRAY_NULL_ON_NULL", true, {}));
  registry.add(json_string_function());
  registry.add(json_function());
  registry.add(
      simple<std::string_view, std::string_view>({{"JSON_QUOTE"},
                                                  "'JSON_QUOTE(<CHARACTER>)'",
                                                  "A text as a JSON string, in quotes.",
                                                  {"JSON_QUOTE('a\"b') -> \"a\\\"b\""}},
                                                 strict({{Family::kText}}, DataType::string()),
                                                 json_quote));
  registry.add(simple<std::string_view, std::string_view>(
      {{"JSON_UNQUOTE"},
       "'JSON_UNQUOTE(<CHARACTER>)'",
       "The text of a JSON string; other texts as they are.",
       {"JSON_UNQUOTE('\"abc\"') -> abc"}},
      strict({{Family::kText}}, DataType::string()),
      json_unquote));
}

}  // namespace thalweg::functions
