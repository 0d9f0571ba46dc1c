#include <doctest/doctest.h>

#include "operator_harness.h"
#include "thalweg/operators/expand/expand.h"
#include "thalweg/operators/sink/constraint_enforcer.h"
#include "thalweg/operators/sink/drop_update_before.h"

namespace thalweg::operators {

namespace {

const Schema kInput = {{"k", DataType::string()}, {"v", DataType::integer()}};

}  // namespace

TEST_CASE("a NULL for a NOT NULL column fails after the rows before it, or is dropped") {
  ConstraintSpec spec{kInput, {}};
  spec.columns[1].type = DataType::integer().not_null();
  OperatorHarness enforcer(make_constraint_enforcer(spec), kInput);
  std::string message;
  try {
    enforcer.feed({row(nullptr, 1), row("b", nullptr), row("c", 3)});
  } catch (const Error& error) {
    message = error.message();
    CHECK(error.code() == ErrorCode::kNotNullViolation);
  }
  CHECK(message.starts_with(
      "Column 'v' is NOT NULL, however, a null value is being written into it."));
  CHECK(enforcer.take() == "+I(NULL, 1)\n");
  spec.constraints.not_null = stream::SinkConstraints::NotNull::kDrop;
  OperatorHarness dropper(make_constraint_enforcer(spec), kInput);
  dropper.feed({row("a", 1), row("b", nullptr), row("c", 3)}, {{1, {5}}});
  CHECK(dropper.take() == "+I(a, 1)\nWM 5\n+I(c, 3)\n");
}

TEST_CASE("update-before rows are dropped") {
  OperatorHarness drop(make_drop_update_before(), kInput);
  drop.feed(
      {row("a", 1), row(kUpdateBefore, "a", 1), row(kUpdateAfter, "a", 2), row(kDelete, "a", 2)});
  CHECK(drop.take() == "+I(a, 1)\n+U(a, 2)\n-D(a, 2)\n");
}

TEST_CASE("expand gives each row once for each grouping set, in order") {
  const auto column = [](int32_t index) {
    return expression::make_column({index}, kInput[static_cast<size_t>(index)].type);
  };
  const auto number = [](int64_t value) {
    return expression::make_literal(DataType::big_int().not_null(), Value(value));
  };
  ExpandSpec spec;
  spec.projections = {{column(0), column(1), number(0)},
                      {expression::make_literal(DataType::string(), {}), column(1), number(1)}};
  OperatorHarness expand(make_expand(spec), kInput);
  expand.feed({row("a", 1), row(kDelete, "b", 2)}, {{1, {5}}, {2, {6}}});
  CHECK(expand.take() == "+I(a, 1, 0)\n+I(NULL, 1, 1)\nWM 5\n-D(b, 2, 0)\n-D(NULL, 2, 1)\nWM 6\n");
}

}  // namespace thalweg::operators
