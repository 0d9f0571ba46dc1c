// JSON_VALUE, JSON_QUERY, JSON_EXISTS, IS JSON. The binder gives their clauses as further
// arguments:
//   JSON_VALUE(json, path, returning, on empty, default, on error, default)
//   JSON_QUERY(json, path, returning, wrapper, on empty, on error)
//   JSON_EXISTS(json, path, on error)
// `returning` is a NULL literal of the type wanted; clauses are CHAR literals: 'NULL', 'ERROR',
// 'DEFAULT', 'EMPTY ARRAY', 'EMPTY OBJECT', 'TRUE', 'FALSE', 'UNKNOWN'; the wrapper is 'WITHOUT',
// 'CONDITIONAL' or 'UNCONDITIONAL'. A default that is not wanted is a NULL literal.
#include <limits>

#include "thalweg/functions/building_kernel.h"
#include "thalweg/functions/json/json_path.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/types/text.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

/// Paths are literals mostly: the last one is kept.
class PathCache {
 public:
  const std::optional<JsonPath>& get(std::string_view text) {
    if (!text_ || *text_ != text) {
      text_ = std::string(text);
      path_ = JsonPath::compile(text);
    }
    return path_;
  }

 private:
  std::optional<std::string> text_;
  std::optional<JsonPath> path_;
};

/// What a path finds in a text: a value, or why there is none.
struct Found {
  std::optional<JsonValue> value;
  bool lax = false;
  std::string error;
};

Found find(PathCache& paths, std::string_view json, std::string_view path_text) {
  const std::optional<JsonPath>& path = paths.get(path_text);
  if (!path) {
    return {std::nullopt, false, fmt::format("Illegal JSON path: '{}'", path_text)};
  }
  const auto document = parse_json(json);
  if (!document) {
    return {std::nullopt, path->is_lax(), fmt::format("Invalid JSON text: '{}'", json)};
  }
  auto value = path->evaluate(*document);
  if (!value) {
    return {std::nullopt, false, fmt::format("No results for path: {}", path_text)};
  }
  return {std::move(value), path->is_lax(), {}};
}

std::string clause(std::span<const BoundArgument> arguments, size_t index, std::string unset) {
  return literal_text(arguments, index).value_or(std::move(unset));
}

enum class Outcome : uint8_t { kValue, kEmpty, kError };

/// A scalar put into a builder of the type asked for; false when it does not fit.
bool append_scalar(const JsonValue& value, ColumnBuilder& builder) {
  const std::string text = scalar_text(value);
  switch (builder.type().kind()) {
    case TypeKind::kBoolean: {
      const auto boolean = text::parse_boolean(text);
      if (boolean) {
        builder.append(static_cast<uint8_t>(*boolean));
      }
      return boolean.has_value();
    }
    case TypeKind::kInt: {
      const auto number = text::parse_int64(text);
      const bool fits = number && *number >= std::numeric_limits<int32_t>::min() &&
                        *number <= std::numeric_limits<int32_t>::max();
      if (fits) {
        builder.append(static_cast<int32_t>(*number));
      }
      return fits;
    }
    case TypeKind::kBigInt: {
      const auto number = text::parse_int64(text);
      if (number) {
        builder.append(*number);
      }
      return number.has_value();
    }
    case TypeKind::kDouble: {
      const auto number = text::parse_double(text);
      if (number) {
        builder.append(*number);
      }
      return number.has_value();
    }
    default:
      builder.append_string(text);
      return true;
  }
}

class JsonValueKernel final : public ScalarKernel {
 public:
  JsonValueKernel(DataType type, std::span<const BoundArgument> arguments)
      : type_(std::move(type)),
        on_empty_(clause(arguments, 3, "NULL")),
        on_error_(clause(arguments, 5, "NULL")) {}

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
      const Found found = find(paths_, arguments[0]->string_at(row), arguments[1]->string_at(row));
      std::string reason = found.error;
      const Outcome outcome = append_found(found, builder, reason);
      if (outcome == Outcome::kValue) {
        continue;
      }
      const bool is_empty = outcome == Outcome::kEmpty;
      const std::string& behaviour = is_empty ? on_empty_ : on_error_;
      const size_t fallback = is_empty ? 4 : 6;
      if (behaviour == "DEFAULT" && fallback < arguments.size()) {
        builder.append_from(*arguments[fallback], row);
        continue;
      }
      if (behaviour == "ERROR") {
        errors.add(row,
                   Error(ErrorCode::kInvalidArgument,
                         is_empty ? "Empty result of JSON_VALUE function is not allowed" : reason));
      }
      builder.append_null();
    }
    return builder.finish();
  }

 private:
  static Outcome append_found(const Found& found, ColumnBuilder& builder, std::string& reason) {
    if (!found.value) {
      return Outcome::kError;
    }
    const JsonValue& value = *found.value;
    if (value.kind == JsonValue::Kind::kNull || (found.lax && !value.is_scalar())) {
      return Outcome::kEmpty;
    }
    if (!value.is_scalar()) {
      reason = "Strict jsonpath mode requires scalar value, and the actual value is: '";
      append_json(reason, value);
      reason += "'";
      return Outcome::kError;
    }
    if (!append_scalar(value, builder)) {
      reason = fmt::format(
          "Cannot convert JSON value '{}' to {}", value.text, builder.type().to_string());
      return Outcome::kError;
    }
    return Outcome::kValue;
  }

  DataType type_;
  std::string on_empty_;
  std::string on_error_;
  PathCache paths_;
};

ScalarFunction json_value_function() {
  ScalarFunction function = documented(
      {{"JSON_VALUE"},
       "'JSON_VALUE(<CHARACTER>, <CHARACTER> path [RETURNING <TYPE>] [... ON EMPTY] [... ON "
       "ERROR])'",
       "A scalar of a JSON text, found by a path.",
       {"JSON_VALUE('{\"a\": true}', '$.a') -> true", "JSON_VALUE('{\"a\":1}', '$.zz') -> NULL"}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        if (arguments.size() != 2 && arguments.size() != 7) {
          return NoMatch{};
        }
        auto types = match({{Family::kText, Family::kText}}, arguments.first(2));
        if (!types) {
          return NoMatch{};
        }
        const DataType result =
            arguments.size() == 2 ? DataType::string() : arguments[2].type.as_nullable();
        const TypeKind kind = result.kind();
        if (!result.is_character() && kind != TypeKind::kBoolean && kind != TypeKind::kInt &&
            kind != TypeKind::kBigInt && kind != TypeKind::kDouble) {
          return NoMatch{"JSON_VALUE cannot return " + result.to_string()};
        }
        for (size_t i = 2; i < arguments.size(); ++i) {
          types->push_back(i == 4 || i == 6 ? result : arguments[i].type);
        }
        return Signature{std::move(*types), result};
      });
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument> arguments) {
    return std::make_unique<JsonValueKernel>(signature.result, arguments);
  };
  return function;
}

class JsonQueryKernel final : public ScalarKernel {
 public:
  JsonQueryKernel(DataType type, std::span<const BoundArgument> arguments)
      : type_(std::move(type)),
        wrapper_(clause(arguments, 3, "WITHOUT")),
        on_empty_(clause(arguments, 4, "NULL")),
        on_error_(clause(arguments, 5, "NULL")) {}

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
      const Found found = find(paths_, arguments[0]->string_at(row), arguments[1]->string_at(row));
      std::string reason = found.error;
      const Outcome outcome = append_found(found, builder, reason);
      if (outcome == Outcome::kEmpty) {
        append_behaviour(
            on_empty_, "Empty result of JSON_QUERY function is not allowed", row, builder, errors);
      } else if (outcome == Outcome::kError) {
        append_behaviour(on_error_, reason, row, builder, errors);
      }
    }
    return builder.finish();
  }

 private:
  Outcome append_found(const Found& found, ColumnBuilder& builder, std::string& reason) const {
    if (!found.value) {
      return Outcome::kError;
    }
    if (found.value->kind == JsonValue::Kind::kNull) {
      return Outcome::kEmpty;
    }
    JsonValue value = *found.value;
    const bool wraps = wrapper_ == "UNCONDITIONAL" ||
                       (wrapper_ == "CONDITIONAL" && value.kind != JsonValue::Kind::kArray);
    if (wraps) {
      JsonValue list;
      list.kind = JsonValue::Kind::kArray;
      list.items.push_back(std::move(value));
      value = std::move(list);
    }
    if (value.is_scalar()) {
      reason = fmt::format(
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
      reason = "JSON_QUERY found no array";
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
  function.makes_json = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument> arguments) {
    return std::make_unique<JsonQueryKernel>(signature.result, arguments);
  };
  return function;
}

ScalarFunction json_exists_function() {
  ScalarFunction function =
      documented({{"JSON_EXISTS"},
                  "'JSON_EXISTS(<CHARACTER>, <CHARACTER> path [... ON ERROR])'",
                  "True when a path leads to a value of a JSON text.",
                  {"JSON_EXISTS('{\"a\": [{\"b\": 1}]}', '$.a[0].b') -> TRUE",
                   "JSON_EXISTS('{\"a\": true}', '$.b') -> FALSE"}},
                 nullable({{Family::kText, Family::kText}, {Family::kText}}, DataType::boolean()));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument> bound) {
    const auto paths = std::make_shared<PathCache>();
    return column_kernel([type = signature.result, paths, on_error = clause(bound, 2, "FALSE")](
                             std::span<const ColumnPtr> arguments,
                             int32_t rows,
                             const EvaluationContext&,
                             RowErrors& errors) {
      auto result = Column::make(type, rows);
      for (int32_t row = 0; row < rows; ++row) {
        if (arguments[0]->is_null(row) || arguments[1]->is_null(row)) {
          result->set_null(row);
          continue;
        }
        const Found found =
            find(*paths, arguments[0]->string_at(row), arguments[1]->string_at(row));
        const bool exists =
            found.value ? found.value->kind != JsonValue::Kind::kNull : on_error == "TRUE";
        result->mutable_values<uint8_t>()[static_cast<size_t>(row)] = static_cast<uint8_t>(exists);
        if (!found.value && on_error == "UNKNOWN") {
          result->set_null(row);
        } else if (!found.value && on_error == "ERROR") {
          errors.add(row, Error(ErrorCode::kInvalidArgument, found.error));
        }
      }
      return result;
    });
  };
  return function;
}

/// IS [NOT] JSON VALUE, OBJECT, ARRAY, SCALAR; FALSE for NULL, and so is its opposite's TRUE.
template <typename Fits>
void add_is_json(FunctionRegistry& registry, const std::string& what, Fits fits) {
  for (const bool negated : {false, true}) {
    const std::string name = fmt::format("IS {}JSON {}", negated ? "NOT " : "", what);
    ScalarFunction function =
        documented({{name},
                    fmt::format("'<CHARACTER> {}'", name),
                    fmt::format("True when the text is {}a JSON {}.", negated ? "not " : "", what),
                    {}},
                   [](std::span<const BoundArgument> arguments) -> Bound {
                     auto types = match({{Family::kText}}, arguments);
                     if (!types) {
                       return NoMatch{};
                     }
                     return Signature{std::move(*types), DataType::boolean().not_null()};
                   });
    function.infix = "{0} " + name;
    function.is_infallible = true;
    function.make_kernel = [negated, fits](const Signature& signature,
                                           std::span<const BoundArgument>) {
      return column_kernel([type = signature.result, negated, fits](
                               std::span<const ColumnPtr> arguments,
                               int32_t rows,
                               const EvaluationContext&,
                               RowErrors&) {
        auto result = Column::make(type, rows);
        for (int32_t row = 0; row < rows; ++row) {
          const auto value =
              arguments[0]->is_null(row) ? std::nullopt : parse_json(arguments[0]->string_at(row));
          result->mutable_values<uint8_t>()[static_cast<size_t>(row)] =
              static_cast<uint8_t>((value && fits(*value)) != negated);
        }
        return result;
      });
    };
    registry.add(std::move(function));
  }
}

}  // namespace

void add_json_query(FunctionRegistry& registry) {
  registry.add(json_value_function());
  registry.add(json_query_function());
  registry.add(json_exists_function());
  add_is_json(registry, "VALUE", [](const JsonValue&) { return true; });
  add_is_json(registry, "OBJECT", [](const JsonValue& value) {
    return value.kind == JsonValue::Kind::kObject;
  });
  add_is_json(registry, "ARRAY", [](const JsonValue& value) {
    return value.kind == JsonValue::Kind::kArray;
  });
  add_is_json(registry, "SCALAR", [](const JsonValue& value) {
    return value.is_scalar() || value.kind == JsonValue::Kind::kNull;
  });
}

}  // namespace thalweg::functions
