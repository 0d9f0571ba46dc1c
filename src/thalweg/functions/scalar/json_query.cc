// JSON_QUERY, whose clauses the binder gives as further arguments:
//   JSON_QUERY(json, path, returning, wrapper, on empty, on error)
// `returning` is a NULL literal of the type wanted; the wrapper is 'WITHOUT', 'CONDITIONAL' or
// 'UNCONDITIONAL'; the others are 'NULL', 'ERROR', 'EMPTY ARRAY' or 'EMPTY OBJECT'.
#include "thalweg/functions/building_kernel.h"
#include "thalweg/functions/json/json_lookup.h"
#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

class JsonQueryKernel final : public ScalarKernel {
 public:
  JsonQueryKernel(DataType type, std::span<const BoundArgument> arguments)
      : type_(std::move(type)),
        wrapper_(json_clause(arguments, 3, "WITHOUT")),
        on_empty_(json_clause(arguments, 4, "NULL")),
        on_error_(json_clause(arguments, 5, "NULL")) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext&,
                     RowErrors& errors) override {
    ColumnBuilder builder(type_);
    for (int32_t row = 0; row < rows; ++row) {
      if (arguments[0]->is_null(row) || arguments[1]->is_null(row)) {
        builder.append_null();
        continue;
      }
      find_json(paths_, arguments[0]->string_at(row), arguments[1]->string_at(row), found_);
      const Outcome outcome = append_found(found_, builder);
      if (outcome == Outcome::kEmpty) {
        append_behaviour(
            on_empty_, "Empty result of JSON_QUERY function is not allowed", row, builder, errors);
      } else if (outcome == Outcome::kError) {
        append_behaviour(on_error_, found_.error, row, builder, errors);
      }
    }
    return builder.finish();
  }

 private:
  Outcome append_found(Found& found, ColumnBuilder& builder) const {
    if (!found.has_value) {
      return Outcome::kError;
    }
    JsonValue& value = found.value;
    if (value.kind == JsonValue::Kind::kNull) {
      found.error = "Strict jsonpath mode requires a value, and the actual value is: null";
      return found.lax ? Outcome::kEmpty : Outcome::kError;
    }
    const bool wraps = wrapper_ == "UNCONDITIONAL" ||
                       (wrapper_ == "CONDITIONAL" && value.kind != JsonValue::Kind::kArray);
    if (wraps) {
      JsonValue list;
      list.kind = JsonValue::Kind::kArray;
      list.items.push_back(std::move(value));
      value = std::move(list);
    }
    if (value.is_scalar()) {
      found.error = fmt::format(
          "Strict jsonpath mode requires array or object value, and the actual value "
          "is: '{}'",
          scalar_text(value));
      return found.lax ? Outcome::kEmpty : Outcome::kError;
    }
    if (type_.kind() != TypeKind::kArray) {
      std::string text;
      append_json(text, value);
      builder.append_string(text);
      return Outcome::kValue;
    }
    if (value.kind != JsonValue::Kind::kArray) {
      found.error = "JSON_QUERY found no array";
      return Outcome::kError;
    }
    append_array(value, builder);
    return Outcome::kValue;
  }

  static void append_array(const JsonValue& value, ColumnBuilder& builder) {
    for (const JsonValue& item : value.items) {
      if (item.kind == JsonValue::Kind::kNull) {
        builder.child(0).append_null();
        continue;
      }
      std::string text;
      if (item.is_scalar()) {
        text = scalar_text(item);
      } else {
        append_json(text, item);
      }
      builder.child(0).append_string(text);
    }
    builder.append_list();
  }

  void append_behaviour(const std::string& behaviour,
                        const std::string& reason,
                        int32_t row,
                        ColumnBuilder& builder,
                        RowErrors& errors) const {
    if (behaviour == "EMPTY ARRAY" && type_.kind() == TypeKind::kArray) {
      builder.append_list();
    } else if (behaviour == "EMPTY ARRAY" || behaviour == "EMPTY OBJECT") {
      builder.append_string(behaviour == "EMPTY ARRAY" ? "[]" : "{}");
    } else {
      if (behaviour == "ERROR") {
        errors.add(row, Error(ErrorCode::kInvalidArgument, reason));
      }
      builder.append_null();
    }
  }

  DataType type_;
  std::string wrapper_;
  std::string on_empty_;
  std::string on_error_;
  PathCache paths_;
  Found found_;
};

ScalarFunction json_query_function() {
  ScalarFunction function = documented(
      {{"JSON_QUERY"},
       "'JSON_QUERY(<CHARACTER>, <CHARACTER> path [RETURNING <TYPE>] [... WRAPPER] [... ON EMPTY] "
       "[... ON ERROR])'",
       "An object or array of a JSON text, found by a path.",
       {"JSON_QUERY('{\"a\": {\"b\": 1}}', '$.a') -> {\"b\":1}",
        "JSON_QUERY('{\"b\":1}', '$.b') -> NULL"}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        if (arguments.size() != 2 && arguments.size() != 6) {
          return NoMatch{};
        }
        if (auto refused = refuse_null_literal(arguments.first(2))) {
          return *refused;
        }
        auto types = match({{Family::kText, Family::kText}}, arguments.first(2));
        const DataType result =
            arguments.size() == 2 ? DataType::string() : arguments[2].type.as_nullable();
        const bool is_text_array =
            result.kind() == TypeKind::kArray && result.child(0).is_character();
        if (!types || (!result.is_character() && !is_text_array)) {
          return NoMatch{};
        }
        for (size_t i = 2; i < arguments.size(); ++i) {
          types->push_back(arguments[i].type);
        }
        return Signature{std::move(*types), result};
      });
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument> arguments) {
    return std::make_unique<JsonQueryKernel>(signature.result, arguments);
  };
  return function;
}

}  // namespace

void add_json_query(FunctionRegistry& registry) {
  registry.add(json_query_function());
}

}  // namespace thalweg::functions
