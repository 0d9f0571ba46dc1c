#include "thalweg/operators/window/window_table_function.h"

#include <doctest/doctest.h>

#include "operator_harness.h"

namespace thalweg::operators {

namespace {

const Schema kInput = {{"k", DataType::string()}, {"ts", DataType::timestamp(3)}};

WindowTableFunctionSpec spec(WindowKind kind, int64_t size_ms, int64_t step_ms = 0) {
  WindowTableFunctionSpec result;
  result.input = kInput;
  result.window.kind = kind;
  result.window.time = {1};
  result.window.size_ms = size_ms;
  result.window.step_ms = step_ms;
  result.columns = {{WindowProperty::kStart, DataType::timestamp(3)},
                    {WindowProperty::kEnd, DataType::timestamp(3)},
                    {WindowProperty::kTime, DataType::timestamp(3)}};
  return result;
}

}  // namespace

TEST_CASE("tumble adds window columns to every row, late ones too") {
  OperatorHarness window(make_window_table_function(spec(WindowKind::kTumble, 10)), kInput);
  window.feed({row("a", 15), row("b", nullptr), row(kDelete, "c", 3)}, {{1, {14}}});
  CHECK(window.take() == "+I(a, 15, 10, 20, 19)\nWM 14\n-D(c, 3, 0, 10, 9)\n");
}

TEST_CASE("hop gives a row for each window, the last first; cumulate the first step first") {
  OperatorHarness hop(make_window_table_function(spec(WindowKind::kHop, 10, 5)), kInput);
  hop.feed({row("a", 12), row("b", 5)}, {{1, {6}}});
  CHECK(hop.take() ==
        "+I(a, 12, 10, 20, 19)\n+I(a, 12, 5, 15, 14)\nWM 6\n+I(b, 5, 5, 15, 14)\n"
        "+I(b, 5, 0, 10, 9)\n");
  OperatorHarness uneven(make_window_table_function(spec(WindowKind::kHop, 5, 3)), kInput);
  uneven.feed({row("a", 4), row("a", 5)});
  CHECK(uneven.take() == "+I(a, 4, 3, 8, 7)\n+I(a, 4, 0, 5, 4)\n+I(a, 5, 3, 8, 7)\n");
  OperatorHarness cumulate(make_window_table_function(spec(WindowKind::kCumulate, 6, 2)), kInput);
  cumulate.feed({row("a", 3)});
  CHECK(cumulate.take() == "+I(a, 3, 0, 4, 3)\n+I(a, 3, 0, 6, 5)\n");
}

TEST_CASE("session holds rows until the session closes") {
  WindowTableFunctionSpec session = spec(WindowKind::kSession, 10);
  session.partition_keys = {{0}};
  OperatorHarness window(make_window_table_function(session), kInput);
  window.feed({row("b", 0), row("a", 1), row("b", 18), row(kUpdateAfter, "b", 9)});
  CHECK(window.take().empty());
  window.watermark(kMaxEventTime.ms);
  CHECK(window.take() ==
        "+I(a, 1, 1, 11, 10)\n+I(b, 0, 0, 28, 27)\n+I(b, 18, 0, 28, 27)\n+U(b, 9, 0, 28, 27)\n"
        "WM max\n");
  CHECK(window.state_size(0) == 0);
  CHECK(window.state_size(1) == 0);
}

}  // namespace thalweg::operators
