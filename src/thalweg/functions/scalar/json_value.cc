// JSON_VALUE, whose clauses the binder gives as further arguments:
//   JSON_VALUE(json, path, returning, on empty, default, on error, default)
// `returning` is a NULL literal of the type wanted; clauses are CHAR literals: 'NULL', 'ERROR' or
// 'DEFAULT'. A default that is not wanted is a NULL literal.
#include <limits>

#include "thalweg/functions/building_kernel.h"
#include "thalweg/functions/json/json_lookup.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/types/text.h"

namespace thalweg::functions {

using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

/// A scalar put into a builder of the type asked for; false when it does not fit.
bool append_scalar(const JsonValue& value, ColumnBuilder& builder) {
  const std::string_view text = scalar_text(value);
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
        on_empty_(json_clause(arguments, 3, "NULL")),
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
        errors.add(
            row,
            Error(ErrorCode::kInvalidArgument,
                  is_empty ? "Empty result of JSON_VALUE function is not allowed" : found_.error));
      }
      builder.append_null();
    }
    return builder.finish();
  }

 private:
  static Outcome append_found(Found& found, ColumnBuilder& builder) {
    if (!found.has_value) {
      return Outcome::kError;
    }
    const JsonValue& value = found.value;
    if (found.lax && (value.kind == JsonValue::Kind::kNull || !value.is_scalar())) {
      return Outcome::kEmpty;
    }
    if (value.kind == JsonValue::Kind::kNull) {
      found.error = "Strict jsonpath mode requires a value, and the actual value is: null";
      return Outcome::kError;
    }
    if (!value.is_scalar()) {
      found.error = "Strict jsonpath mode requires scalar value, and the actual value is: '";
      append_json(found.error, value);
      found.error += "'";
      return Outcome::kError;
    }
    if (!append_scalar(value, builder)) {
      found.error = fmt::format(
          "Cannot convert JSON value '{}' to {}", value.text, builder.type().to_string());
      return Outcome::kError;
    }
    return Outcome::kValue;
  }

  DataType type_;
  std::string on_empty_;
  std::string on_error_;
  PathCache paths_;
  Found found_;
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
        if (auto refused = refuse_null_literal(arguments.first(2))) {
          return *refused;
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

}  // namespace

void add_json_value(FunctionRegistry& registry) {
  registry.add(json_value_function());
}

}  // namespace thalweg::functions
