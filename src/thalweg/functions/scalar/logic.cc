// NOT, IS [NOT] NULL, IS [NOT] TRUE, IS [NOT] FALSE.
#include "thalweg/expression/row_kernel.h"
#include "thalweg/functions/signature.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;

namespace {

/// A test that is never NULL: `holds(column, row)`.
template <typename Test>
ScalarFunction test(
    std::string name, Family family, std::string description, std::string example, Test holds) {
  ScalarFunction function;
  function.infix = "{0} " + name;
  function.forms = fmt::format("'<{}> {}'", family == Family::kBoolean ? "BOOLEAN" : "ANY", name);
  function.names = {std::move(name)};
  function.description = std::move(description);
  function.examples = {std::move(example)};
  function.is_infallible = true;
  function.bind = [family](std::span<const BoundArgument> arguments) -> Bound {
    const Parameters parameters{{family}};
    auto types = match(parameters, arguments);
    if (!types) {
      return mismatch(parameters, arguments.size());
    }
    return Signature{std::move(*types), DataType::boolean().not_null()};
  };
  function.make_kernel = [holds](const Signature& signature, std::span<const BoundArgument>) {
    return column_kernel([holds, result = signature.result](std::span<const ColumnPtr> arguments,
                                                            int32_t rows,
                                                            const EvaluationContext&,
                                                            RowErrors&) {
      const Column& column = *arguments[0];
      auto values =
          column.is_constant() ? Column::make_constant(result, rows) : Column::make(result, rows);
      for (int32_t row = 0; row < values->stored_size(); ++row) {
        values->mutable_values<uint8_t>()[static_cast<size_t>(row)] =
            static_cast<uint8_t>(holds(column, row));
      }
      return values;
    });
  };
  return function;
}

bool is_true(const Column& column, int32_t row) {
  return !column.is_null(row) && column.at<uint8_t>(row) != 0;
}

bool is_false(const Column& column, int32_t row) {
  return !column.is_null(row) && column.at<uint8_t>(row) == 0;
}

ScalarFunction negation() {
  ScalarFunction function;
  function.names = {"NOT"};
  function.infix = "NOT {0}";
  function.forms = "'NOT<BOOLEAN>'";
  function.description = "The opposite; NULL stays NULL.";
  function.examples = {"NOT TRUE -> FALSE"};
  function.is_infallible = true;
  function.bind = strict({{Family::kBoolean}}, DataType::boolean());
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return column_kernel([result = signature.result](std::span<const ColumnPtr> arguments,
                                                     int32_t rows,
                                                     const EvaluationContext&,
                                                     RowErrors&) {
      return expression::map_total<uint8_t, uint8_t>(
          arguments, rows, result, [](uint8_t value) { return static_cast<uint8_t>(value ^ 1U); });
    });
  };
  return function;
}

}  // namespace

void add_logic(FunctionRegistry& registry) {
  registry.add(negation());
  registry.add(test("IS NULL",
                    Family::kAny,
                    "True when the value is NULL.",
                    "1 IS NULL -> FALSE",
                    [](const Column& column, int32_t row) { return column.is_null(row); }));
  registry.add(test("IS NOT NULL",
                    Family::kAny,
                    "True when the value is not NULL.",
                    "1 IS NOT NULL -> TRUE",
                    [](const Column& column, int32_t row) { return !column.is_null(row); }));
  registry.add(test("IS TRUE",
                    Family::kBoolean,
                    "True when the value is TRUE, not FALSE or NULL.",
                    "CAST(NULL AS BOOLEAN) IS TRUE -> FALSE",
                    is_true));
  registry.add(test("IS NOT TRUE",
                    Family::kBoolean,
                    "True when the value is FALSE or NULL.",
                    "CAST(NULL AS BOOLEAN) IS NOT TRUE -> TRUE",
                    [](const Column& column, int32_t row) { return !is_true(column, row); }));
  registry.add(test("IS FALSE",
                    Family::kBoolean,
                    "True when the value is FALSE, not TRUE or NULL.",
                    "FALSE IS FALSE -> TRUE",
                    is_false));
  registry.add(test("IS NOT FALSE",
                    Family::kBoolean,
                    "True when the value is TRUE or NULL.",
                    "CAST(NULL AS BOOLEAN) IS NOT FALSE -> TRUE",
                    [](const Column& column, int32_t row) { return !is_false(column, row); }));
}

}  // namespace thalweg::functions
