#include "thalweg/operators/calc/calc.h"

#include <doctest/doctest.h>

#include "operator_harness.h"
#include "thalweg/types/data_type.h"

namespace thalweg::operators {

namespace {

const Schema kInput = {{"passes", DataType::boolean()}, {"text", DataType::string()}};

CalcSpec spec() {
  CalcSpec result;
  result.condition = expression::make_column({0}, DataType::boolean());
  result.projections = {
      expression::make_cast(expression::make_column({1}, DataType::string()), DataType::integer())};
  return result;
}

}  // namespace

TEST_CASE("calc filters first, keeps kinds and moves marks to the rows that pass") {
  OperatorHarness calc(make_calc(spec()), kInput);
  calc.feed({row(true, "1"),
             row(false, "not a number"),
             row(nullptr, "2"),
             row(kUpdateBefore, true, "3"),
             row(kUpdateAfter, true, "4")},
            {{1, {10}}, {2, {20}}, {5, {30}}});
  CHECK(calc.take() == "+I(1)\nWM 20\n-U(3)\n+U(4)\nWM 30\n");
  CHECK(calc.counter(stream::metric::kFilteredRows) == 2);
}

TEST_CASE("calc sends the rows before a failing one, then fails with that row") {
  OperatorHarness calc(make_calc(spec()), kInput);
  Batch batch = calc.make_batch({row(true, "1"), row(false, "x"), row(true, "y"), row(true, "2")});
  batch.set_origin({std::make_shared<const std::string>("orders-0"), 40});
  batch.set_marks({{1, {10}}, {3, {20}}});
  std::string message;
  try {
    calc.feed_batch(batch);
  } catch (const Error& error) {
    message = error.message();
    CHECK(error.code() == ErrorCode::kCastFailed);
  }
  CHECK(message.find("(TRUE, y) of orders-0 at 42") != std::string::npos);
  CHECK(calc.take() == "+I(1)\nWM 10\n");
}

TEST_CASE("CURRENT_WATERMARK follows the marks inside a batch") {
  CalcSpec current;
  current.projections = {
      expression::make_column({0}, DataType::big_int()),
      expression::make_form(
          expression::ExpressionKind::kCurrentWatermark, DataType::timestamp(3), {})};
  OperatorHarness calc(make_calc(current), {{"id", DataType::big_int()}});
  calc.feed({row(1), row(2), row(3)}, {{1, {8}}, {3, {9}}});
  calc.feed({row(4)});
  calc.watermark(20);
  calc.feed({row(5)});
  CHECK(calc.take() == "+I(1, NULL)\nWM 8\n+I(2, 8)\n+I(3, 8)\nWM 9\n+I(4, 9)\nWM 20\n+I(5, 20)\n");
}

}  // namespace thalweg::operators
