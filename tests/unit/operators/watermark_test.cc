#include <doctest/doctest.h>

#include "operator_harness.h"
#include "thalweg/operators/watermark/watermark_assigner.h"

namespace thalweg::operators {

namespace {

const Schema kInput = {{"ts", DataType::timestamp(3)}};

WatermarkSpec spec() {
  WatermarkSpec result;
  result.rowtime = {0};
  result.watermark = expression::make_column({0}, DataType::timestamp(3));
  return result;
}

}  // namespace

TEST_CASE("a watermark follows the row that moved event time by more than the interval") {
  OperatorHarness assigner(make_watermark_assigner(spec()), kInput);
  assigner.feed({row(1000), row(1200), row(1201), row(500), row(1300)});
  CHECK(assigner.take() == "+I(1000)\nWM 1000\n+I(1200)\n+I(1201)\nWM 1201\n+I(500)\n+I(1300)\n");
  assigner.set_time(199);
  CHECK(assigner.take().empty());
  assigner.set_time(200);
  CHECK(assigner.take() == "WM 1300\n");
  assigner.set_time(400);
  CHECK(assigner.take().empty());
  assigner.watermark(5000);
  CHECK(assigner.take().empty());
  assigner.watermark(kMaxEventTime.ms);
  CHECK(assigner.take() == "WM max\n");
}

TEST_CASE("a NULL row time fails after the rows before it") {
  OperatorHarness assigner(make_watermark_assigner(spec()), kInput);
  CHECK_THROWS_WITH_AS(
      assigner.feed({row(1000), row(nullptr), row(2000)}),
      "RowTime field should not be null, please convert it to a non-null long value; in the row "
      "(NULL)",
      Error);
  CHECK(assigner.take() == "+I(1000)\nWM 1000\n");
}

TEST_CASE("idle inputs are told of, and come back") {
  WatermarkSpec idle = spec();
  idle.idle_timeout_ms = 1000;
  OperatorHarness assigner(make_watermark_assigner(idle), kInput);
  for (int64_t now = 200; now <= 1200; now += 200) {
    assigner.set_time(now);
  }
  CHECK(assigner.take() == "idle\n");
  assigner.feed({row(5000)});
  CHECK(assigner.take() == "active\n+I(5000)\nWM 5000\n");
}

TEST_CASE("splits hold each other back, and watermarks come by the clock only") {
  WatermarkSpec per_split = spec();
  per_split.per_split = true;
  OperatorHarness assigner(make_watermark_assigner(per_split), kInput);
  const auto feed = [&](const char* split, std::vector<Row> rows) {
    Batch batch = assigner.make_batch(rows);
    batch.set_origin({std::make_shared<const std::string>(split), 0});
    assigner.feed_batch(batch);
  };
  assigner.split("p-1");
  feed("p-0", {row(1000), row(9000)});
  assigner.set_time(100);
  assigner.set_time(200);
  CHECK(assigner.take() == "+I(1000)\n+I(9000)\n");
  feed("p-1", {row(3000)});
  CHECK(assigner.take() == "+I(3000)\n");
  assigner.set_time(400);
  CHECK(assigner.take() == "WM 3000\n");
  feed("p-1", {row(10000)});
  assigner.set_time(600);
  CHECK(assigner.take() == "+I(10000)\nWM 9000\n");
  assigner.split("p-0", true);
  assigner.set_time(800);
  CHECK(assigner.take() == "WM 10000\n");
}

TEST_CASE("a split without rows holds the watermark back until it is idle") {
  WatermarkSpec per_split = spec();
  per_split.per_split = true;
  per_split.idle_timeout_ms = 500;
  OperatorHarness assigner(make_watermark_assigner(per_split), kInput);
  assigner.split("p-0");
  assigner.split("p-1");
  for (int64_t now = 200; now <= 600; now += 200) {
    Batch batch = assigner.make_batch({row(now)});
    batch.set_origin({std::make_shared<const std::string>("p-0"), 0});
    assigner.feed_batch(batch);
    assigner.set_time(now);
  }
  CHECK(assigner.take() == "+I(200)\n+I(400)\n+I(600)\nWM 600\n");
}

}  // namespace thalweg::operators
