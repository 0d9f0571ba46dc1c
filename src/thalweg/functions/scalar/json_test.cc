// JSON_EXISTS(json, path[, on error: 'TRUE', 'FALSE', 'UNKNOWN' or 'ERROR']) and IS JSON.
#include "thalweg/functions/building_kernel.h"
#include "thalweg/functions/json/json_lookup.h"
#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;

namespace {

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
    return column_kernel(
        [type = signature.result, paths, on_error = json_clause(bound, 2, "FALSE")](
            std::span<const ColumnPtr> arguments,
            int32_t rows,
            const EvaluationContext&,
            RowErrors& errors) {
          auto result = Column::make(type, rows);
          Found found;
          for (int32_t row = 0; row < rows; ++row) {
            if (arguments[0]->is_null(row) || arguments[1]->is_null(row)) {
              result->set_null(row);
              continue;
            }
            find_json(*paths, arguments[0]->string_at(row), arguments[1]->string_at(row), found);
            const bool exists =
                found.has_value ? found.value.kind != JsonValue::Kind::kNull : on_error == "TRUE";
            result->mutable_values<uint8_t>()[static_cast<size_t>(row)] =
                static_cast<uint8_t>(exists);
            if (!found.has_value && on_error == "UNKNOWN") {
              result->set_null(row);
            } else if (!found.has_value && on_error == "ERROR") {
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

void add_json_test(FunctionRegistry& registry) {
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
