#include "thalweg/expression/evaluator.h"

#include <atomic>

#include <doctest/doctest.h>

#include "thalweg/expression/cast.h"
#include "thalweg/expression/row_kernel.h"
#include "thalweg/types/column_builder.h"
#include "thalweg/types/text.h"

namespace thalweg::expression {

namespace {

const DataType kInt = DataType::integer();

ColumnPtr ints(std::vector<std::optional<int32_t>> values) {
  ColumnBuilder builder(kInt);
  for (const auto& value : values) {
    value ? builder.append(*value) : builder.append_null();
  }
  return builder.finish();
}

ColumnPtr strings(const std::vector<std::string>& values) {
  ColumnBuilder builder(DataType::string());
  for (const auto& value : values) {
    builder.append_string(value);
  }
  return builder.finish();
}

std::string show(const Column& column) {
  std::string out;
  for (int32_t row = 0; row < column.size(); ++row) {
    out += row == 0 ? "" : " ";
    text::append_value(out, column, row, text::Style::kCast, TimeZone::utc());
  }
  return out;
}

/// 100 / x, which fails for 0; counts its calls.
ExpressionPtr hundred_by(ExpressionPtr operand, int* calls) {
  auto function = std::make_shared<ScalarFunction>();
  function->names = {"HUNDRED_BY"};
  function->bind = [](std::span<const BoundArgument>) { return Signature{{kInt}, kInt}; };
  function->make_kernel = [calls](const Signature& signature, std::span<const BoundArgument>) {
    return row_kernel<int32_t, int32_t>(
        signature.result, [calls](RowFault& fault, int32_t x) -> std::optional<int32_t> {
          ++*calls;
          if (x == 0) {
            fault.raise(Error(ErrorCode::kDivisionByZero, "Division by zero"));
            return std::nullopt;
          }
          return 100 / x;
        });
  };
  return make_call(function, {std::move(operand)});
}

ExpressionPtr column(int32_t index, const DataType& type = kInt) {
  return make_column({index}, type);
}

ExpressionPtr literal(int64_t value) {
  return make_literal(kInt.not_null(), Value(value));
}

/// x IS NOT zero, by casting to BOOLEAN.
ExpressionPtr is_not_zero(ExpressionPtr operand) {
  return make_cast(std::move(operand), DataType::boolean());
}

struct Outcome {
  std::vector<std::string> columns;
  RowErrors errors;
};

Outcome run(std::vector<ExpressionPtr> expressions, Batch batch) {
  Evaluator evaluator(std::move(expressions));
  Outcome outcome;
  for (const ColumnPtr& result : evaluator.evaluate(batch, {}, outcome.errors)) {
    outcome.columns.push_back(show(*result));
  }
  return outcome;
}

/// Counts retains and releases.
class FakeOperations final : public OpaqueOperations {
 public:
  void retain(void*) const override { ++alive; }

  void release(std::span<void* const> handles) const override {
    for (void* handle : handles) {
      alive -= handle != nullptr ? 1 : 0;
    }
  }

  std::string encode(void* handle) const override { return print(handle); }

  void* decode(std::string_view) const override { return nullptr; }

  std::string serialize(void* handle) const override { return print(handle); }

  std::string print(void* handle) const override {
    return "object " + std::to_string(reinterpret_cast<intptr_t>(handle));
  }

  mutable int alive = 0;
};

}  // namespace

TEST_CASE("a common subexpression is computed once") {
  int calls = 0;
  const auto shared = hundred_by(column(0), &calls);
  const auto twice =
      run({shared, make_cast(shared, DataType::big_int())}, Batch(2, {ints({1, 4})}));
  CHECK(twice.columns == std::vector<std::string>{"100 25", "100 25"});
  CHECK(calls == 2);
}

TEST_CASE("CASE computes a branch only for its rows, so masked rows never fail") {
  int calls = 0;
  const auto form = make_form(ExpressionKind::kCase,
                              kInt,
                              {is_not_zero(column(0)), hundred_by(column(0), &calls), literal(-1)});
  const auto outcome = run({form}, Batch(4, {ints({5, 0, {}, 20})}));
  CHECK(outcome.columns[0] == "20 -1 -1 5");
  CHECK(outcome.errors.empty());
  CHECK(calls == 2);
}

TEST_CASE("a failing branch reports the row of the batch") {
  int calls = 0;
  const auto form = make_form(ExpressionKind::kCase,
                              kInt,
                              {is_not_zero(column(1)), hundred_by(column(0), &calls), literal(-1)});
  const auto outcome = run({form}, Batch(3, {ints({5, 0, 0}), ints({0, 0, 1})}));
  REQUIRE(outcome.errors.first());
  CHECK(outcome.errors.first()->row == 2);
  CHECK(outcome.errors.first()->error.code() == ErrorCode::kDivisionByZero);
}

TEST_CASE("AND and OR are three-valued and shield the right side") {
  int calls = 0;
  const auto truth = is_not_zero(column(0));
  const auto risky = is_not_zero(hundred_by(column(1), &calls));
  const auto both = make_form(ExpressionKind::kAnd, DataType::boolean(), {truth, risky});
  const auto outcome = run({both}, Batch(4, {ints({0, 1, {}, {}}), ints({0, 1000, 1000, 1})}));
  CHECK(outcome.columns[0] == "FALSE FALSE FALSE NULL");
  CHECK(outcome.errors.empty());
  const auto either =
      make_form(ExpressionKind::kOr, DataType::boolean(), {truth, is_not_zero(column(1))});
  CHECK(run({either}, Batch(4, {ints({0, 1, {}, {}}), ints({0, 0, 0, 1})})).columns[0] ==
        "FALSE TRUE NULL TRUE");
}

TEST_CASE("COALESCE goes on only where all before are NULL") {
  int calls = 0;
  const auto form = make_form(
      ExpressionKind::kCoalesce, kInt, {column(0), hundred_by(column(1), &calls), literal(7)});
  const auto outcome = run({form}, Batch(3, {ints({1, {}, {}}), ints({0, 10, {}})}));
  CHECK(outcome.columns[0] == "1 10 7");
  CHECK(calls == 1);
}

TEST_CASE("constants are folded once and fail every row") {
  int calls = 0;
  Evaluator evaluator({hundred_by(literal(4), &calls)});
  RowErrors errors;
  for (int i = 0; i < 3; ++i) {
    const auto columns = evaluator.evaluate(
        Batch(1000, {ints(std::vector<std::optional<int32_t>>(1000))}), {}, errors);
    CHECK(columns[0]->is_constant());
  }
  CHECK(calls == 1);
  CHECK(run({hundred_by(literal(0), &calls)}, Batch(2, {ints({1, 2})})).errors.failures().size() ==
        2);
  CHECK_THROWS_AS(evaluate_constant(hundred_by(literal(0), &calls), {}), Error);
}

TEST_CASE("TRY_CAST gives NULL, CAST an error, and neither hides the operand's failure") {
  const DataType text = DataType::string();
  const Batch batch(3, {strings({"1", "x", "300"})});
  const auto tried = run({make_cast(column(0, text), DataType::tiny_int(), true)}, batch);
  CHECK(tried.columns[0] == "1 NULL NULL");
  CHECK(tried.errors.empty());
  const auto cast = run({make_cast(column(0, text), DataType::tiny_int())}, batch);
  CHECK(cast.errors.failures().size() == 2);
  CHECK(cast.errors.first()->error.message() == "For input string: 'x'. Invalid character found.");
  int calls = 0;
  const auto inner = hundred_by(column(0), &calls);
  CHECK_FALSE(
      run({make_cast(inner, DataType::string(), true)}, Batch(1, {ints({0})})).errors.empty());
}

TEST_CASE("CURRENT_WATERMARK follows the marks inside a batch") {
  Batch batch(4, {ints({1, 2, 3, 4})});
  batch.set_marks({{1, {1000}}, {3, {5000}}});
  const auto form = make_form(ExpressionKind::kCurrentWatermark, DataType::timestamp(3), {});
  CHECK(run({form}, batch).columns[0] ==
        "NULL 1970-01-01 00:00:01.000 1970-01-01 00:00:01.000 1970-01-01 00:00:05.000");
}

TEST_CASE("opaque objects pass through conditionals untouched") {
  const auto operations = std::make_shared<FakeOperations>();
  {
    ColumnBuilder builder(DataType::opaque());
    builder.set_opaque_operations(operations);
    for (intptr_t i = 1; i <= 3; ++i) {
      operations->retain(nullptr);
      builder.append(reinterpret_cast<void*>(i));
    }
    const Batch batch(3, {builder.finish(), ints({1, 0, {}})});
    const auto object = column(0, DataType::opaque());
    const auto nothing = make_literal(DataType::opaque(), Value());
    const auto form = make_form(
        ExpressionKind::kCase, DataType::opaque(), {is_not_zero(column(1)), object, nothing});
    const auto outcome = run(
        {form, make_form(ExpressionKind::kCoalesce, DataType::opaque(), {form, object})}, batch);
    CHECK(outcome.columns[0] == "object 1 NULL NULL");
    CHECK(outcome.columns[1] == "object 1 object 2 object 3");
  }
  CHECK(operations->alive == 0);
}

}  // namespace thalweg::expression
