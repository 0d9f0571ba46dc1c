#include "thalweg/operators/window/window_aggregate.h"

#include <random>

#include <doctest/doctest.h>

#include "operator_harness.h"

namespace thalweg::operators {

namespace {

const Schema kInput = {
    {"k", DataType::string()}, {"v", DataType::big_int()}, {"ts", DataType::timestamp(3)}};

WindowAggregateSpec spec(WindowKind kind, int64_t size_ms, int64_t step_ms = 0) {
  WindowAggregateSpec result;
  result.input = kInput;
  result.keys = {{0}};
  result.aggregates = {call("SUM", {DataType::big_int()}, {1})};
  result.window.kind = kind;
  result.window.time = {2};
  result.window.size_ms = size_ms;
  result.window.step_ms = step_ms;
  result.columns = {{WindowProperty::kStart, DataType::timestamp(3)},
                    {WindowProperty::kEnd, DataType::timestamp(3)}};
  return result;
}

/// The rows of the acceptance cases late_*, in tenths of a second; the watermark is five seconds
/// behind, sent after each row that moved it.
void feed_late(OperatorHarness& window, bool one_batch) {
  struct Event {
    const char* key;
    int value;
    int second;
  };

  const Event events[] = {{"k1", 10, 1},
                          {"k1", 20, 4},
                          {"k1", 30, 12},
                          {"k1", 40, 9},
                          {"k2", 50, 15},
                          {"k1", 60, 3},
                          {"k1", 70, 25},
                          {"k2", 80, 14},
                          {"k2", 90, 24},
                          {"k1", 100, 41}};
  std::vector<Row> rows;
  std::vector<Mark> marks;
  int64_t watermark = kMinEventTime.ms;
  for (const Event& event : events) {
    rows.push_back(row(event.key, event.value, event.second * 10));
    if (event.second * 10 - 50 > watermark) {
      watermark = event.second * 10 - 50;
      marks.push_back({static_cast<int32_t>(rows.size()), {watermark}});
    }
    if (!one_batch) {
      for (Mark& mark : marks) {
        mark.row = 1;
      }
      window.feed(rows, marks);
      rows.clear();
      marks.clear();
    }
  }
  if (one_batch) {
    window.feed(rows, marks);
  }
  window.watermark(kMaxEventTime.ms);
  window.end();
}

std::string rows_only(const std::string& text) {
  std::string rows;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin) + 1;
    if (text[begin] != 'W') {
      rows += text.substr(begin, end - begin);
    }
    begin = end;
  }
  return rows;
}

/// The result for the late rows, which must not depend on how they are batched.
std::string late_result(const WindowAggregateSpec& window_spec, int64_t* late = nullptr) {
  OperatorHarness together(make_window_aggregate(window_spec), kInput);
  OperatorHarness alone(make_window_aggregate(window_spec), kInput);
  feed_late(together, true);
  feed_late(alone, false);
  const std::string result = rows_only(together.take());
  CHECK(result == rows_only(alone.take()));
  CHECK(together.state_size(0) == 0);
  CHECK(together.counter(stream::metric::kLateRows) == alone.counter(stream::metric::kLateRows));
  if (late != nullptr) {
    *late = together.counter(stream::metric::kLateRows);
  }
  return result;
}

}  // namespace

TEST_CASE("tumble drops rows behind the watermark, whatever the batches") {
  int64_t late = 0;
  CHECK(late_result(spec(WindowKind::kTumble, 100), &late) ==
        "+I(k1, 70, 0, 100)\n+I(k1, 30, 100, 200)\n+I(k2, 50, 100, 200)\n+I(k1, 70, 200, 300)\n"
        "+I(k2, 90, 200, 300)\n+I(k1, 100, 400, 500)\n");
  CHECK(late == 2);
}

TEST_CASE("tumble: windows that a batch opens and closes are those of many batches") {
  constexpr const char* kKeys[] = {"", "a", "ab", "twelve bytes", "twelve bytes and more", "zz"};
  WindowAggregateSpec by_key = spec(WindowKind::kTumble, 100);
  WindowAggregateSpec by_number = by_key;
  by_number.keys = {{1}};
  WindowAggregateSpec by_both = by_key;
  by_both.keys = {{1}, {0}};
  WindowAggregateSpec alone = by_key;
  alone.keys = {};
  for (WindowAggregateSpec window_spec : {by_key, by_number, by_both, alone}) {
    for (const bool retracts : {false, true}) {
      window_spec.needs_retract = retracts;
      OperatorHarness large(make_window_aggregate(window_spec), kInput);
      OperatorHarness small(make_window_aggregate(window_spec), kInput);
      std::minstd_rand random(7);
      int64_t now = 0;
      int64_t watermark = kMinEventTime.ms;
      std::vector<Row> rows;
      std::vector<Mark> marks;
      for (int i = 1; i <= 2000; ++i) {
        now += static_cast<int64_t>(random() % (i % 500 < 250 ? 40 : 2));
        const int64_t time = std::max<int64_t>(0, now - static_cast<int64_t>(random() % 150));
        const size_t key = random() % (std::size(kKeys) + 1);
        const bool takes_back = retracts && random() % 3 == 0;
        rows.push_back({takes_back ? kDelete : RowKind::kInsert,
                        {key < std::size(kKeys) ? to_value(kKeys[key]) : Value(),
                         Value(static_cast<int64_t>(random() % 4)),
                         Value(time)}});
        const bool moves = now - 60 > watermark;
        watermark = std::max(watermark, now - 60);
        small.feed({rows.back()},
                   moves ? std::vector<Mark>{{1, {watermark}}} : std::vector<Mark>{});
        if (moves) {
          marks.push_back({static_cast<int32_t>(rows.size()), {watermark}});
        }
        if (random() % 60 == 0) {
          large.feed(std::exchange(rows, {}), std::exchange(marks, {}));
        }
      }
      large.feed(rows, marks);
      large.watermark(kMaxEventTime.ms);
      small.watermark(kMaxEventTime.ms);
      const std::string result = rows_only(large.take());
      CHECK(std::count(result.begin(), result.end(), '\n') > 50);
      CHECK(result == rows_only(small.take()));
      CHECK(large.state_size(0) == 0);
      CHECK(large.counter(stream::metric::kLateRows) == small.counter(stream::metric::kLateRows));
    }
  }
}

TEST_CASE("tumble: of windows that close with their batch nothing comes into the state") {
  OperatorHarness window(make_window_aggregate(spec(WindowKind::kTumble, 10)), kInput);
  window.feed({row("b", 1, 5), row("a", 2, 15), row("b", 4, 13), row("a", 8, 25)}, {{4, {19}}});
  CHECK(window.take() == "+I(b, 1, 0, 10)\n+I(a, 2, 10, 20)\n+I(b, 4, 10, 20)\nWM 19\n");
  CHECK(window.state_size(0) == 1);
  // One that is in the state already is not taken apart.
  window.feed({row("c", 16, 26), row("a", 32, 27)}, {{2, {29}}});
  CHECK(window.take() == "+I(a, 40, 20, 30)\n+I(c, 16, 20, 30)\nWM 29\n");
  CHECK(window.state_size(0) == 0);
}

TEST_CASE("hop drops a late row only from windows that are closed") {
  int64_t late = 0;
  CHECK(late_result(spec(WindowKind::kHop, 100, 50), &late) ==
        "+I(k1, 30, -50, 50)\n+I(k1, 70, 0, 100)\n+I(k1, 70, 50, 150)\n+I(k1, 30, 100, 200)\n"
        "+I(k2, 50, 100, 200)\n+I(k2, 140, 150, 250)\n+I(k1, 70, 200, 300)\n"
        "+I(k2, 90, 200, 300)\n+I(k1, 70, 250, 350)\n+I(k1, 100, 350, 450)\n"
        "+I(k1, 100, 400, 500)\n");
  CHECK(late == 2);
}

TEST_CASE("hop counts a late row in windows that are open") {
  OperatorHarness window(make_window_aggregate(spec(WindowKind::kHop, 10, 5)), kInput);
  window.feed({row("a", 1, 2), row("a", 2, 8), row("a", 4, 3), row("b", 8, 4), row("a", 16, 13)},
              {{2, {6}}, {5, {12}}});
  CHECK(window.take() == "+I(a, 1, -5, 5)\nWM 6\n+I(a, 7, 0, 10)\n+I(b, 8, 0, 10)\nWM 12\n");
  CHECK(window.counter(stream::metric::kLateRows) == 0);
}

TEST_CASE("cumulate moves closed slices together, and later steps count a late row") {
  // The acceptance case 30-cumulate-late, in half seconds.
  OperatorHarness window(make_window_aggregate(spec(WindowKind::kCumulate, 12, 4)), kInput);
  window.feed({row("a", 1, 1),
               row("a", 1, 5),
               row("a", 1, 2),
               row("a", 1, 9),
               row("a", 1, 14),
               row("a", 1, 10)},
              {{1, {1}}, {2, {5}}, {4, {9}}, {5, {14}}});
  window.watermark(kMaxEventTime.ms);
  CHECK(rows_only(window.take()) ==
        "+I(a, 1, 0, 4)\n+I(a, 3, 0, 8)\n+I(a, 4, 0, 12)\n"
        "+I(a, 1, 12, 16)\n+I(a, 1, 12, 20)\n+I(a, 1, 12, 24)\n");
  CHECK(window.counter(stream::metric::kLateRows) == 1);
  CHECK(window.state_size(0) == 0);
  CHECK(window.state_size(1) == 0);
}

TEST_CASE("cumulate does not depend on how rows are batched") {
  late_result(spec(WindowKind::kCumulate, 200, 50));
}

TEST_CASE("hop whose slide does not divide its size, and one with gaps") {
  OperatorHarness uneven(make_window_aggregate(spec(WindowKind::kHop, 5, 3)), kInput);
  uneven.feed({row("a", 1, 0), row("a", 2, 4), row("a", 4, 6)});
  uneven.watermark(kMaxEventTime.ms);
  CHECK(rows_only(uneven.take()) ==
        "+I(a, 1, -3, 2)\n+I(a, 3, 0, 5)\n+I(a, 6, 3, 8)\n+I(a, 4, 6, 11)\n");
  CHECK(uneven.state_size(0) == 0);
  OperatorHarness gaps(make_window_aggregate(spec(WindowKind::kHop, 2, 5)), kInput);
  gaps.feed({row("a", 1, 1), row("a", 2, 3), row("a", 4, 6)});
  gaps.watermark(kMaxEventTime.ms);
  CHECK(rows_only(gaps.take()) == "+I(a, 1, 0, 2)\n+I(a, 4, 5, 7)\n");
}

TEST_CASE("sessions join, re-admit rows that touch an open one, and drop lone late ones") {
  int64_t late = 0;
  CHECK(late_result(spec(WindowKind::kSession, 60), &late) ==
        "+I(k1, 160, 10, 180)\n+I(k2, 130, 140, 210)\n+I(k2, 90, 240, 300)\n"
        "+I(k1, 70, 250, 310)\n+I(k1, 100, 410, 470)\n");
  CHECK(late == 0);
}

TEST_CASE("sessions that only touch are one; a late row alone is dropped") {
  OperatorHarness window(make_window_aggregate(spec(WindowKind::kSession, 10)), kInput);
  window.feed({row("a", 1, 0), row("a", 2, 10), row("b", 4, 21), row("a", 8, 21)});
  window.watermark(50);
  CHECK(window.take() == "+I(a, 3, 0, 20)\n+I(a, 8, 21, 31)\n+I(b, 4, 21, 31)\nWM 50\n");
  window.feed({row("a", 1, 40), row("a", 1, 42)}, {{2, {60}}});
  CHECK(window.take() == "+I(a, 1, 42, 52)\nWM 60\n");
  CHECK(window.counter(stream::metric::kLateRows) == 1);
  CHECK(window.state_size(0) == 0);
  CHECK(window.state_size(1) == 0);
}

TEST_CASE("a window that retractions emptied sends nothing") {
  for (const WindowKind kind : {WindowKind::kTumble, WindowKind::kHop, WindowKind::kSession}) {
    WindowAggregateSpec retract = spec(kind, 10, 10);
    retract.needs_retract = true;
    OperatorHarness window(make_window_aggregate(retract), kInput);
    window.feed({row("a", 1, 5),
                 row("b", 2, 5),
                 row(kUpdateBefore, "a", 1, 5),
                 row(kUpdateAfter, "a", 4, 25)});
    window.watermark(kMaxEventTime.ms);
    const std::string rows = rows_only(window.take());
    CHECK(rows.find("a, 4") != std::string::npos);
    CHECK(rows.find("b, 2") != std::string::npos);
    CHECK(std::count(rows.begin(), rows.end(), '\n') == 2);
    CHECK(window.state_size(0) == 0);
  }
}

TEST_CASE("batch mode sends all windows at the end, and no row is late") {
  WindowAggregateSpec batch = spec(WindowKind::kTumble, 10);
  batch.is_batch = true;
  OperatorHarness window(make_window_aggregate(batch), kInput);
  window.feed({row("a", 1, 15), row("a", 2, 5), row("a", 4, nullptr)}, {{1, {100}}});
  CHECK(rows_only(window.take()).empty());
  window.end();
  CHECK(rows_only(window.take()) == "+I(a, 2, 0, 10)\n+I(a, 1, 10, 20)\n");
}

TEST_CASE("processing-time windows close when their last ms is over; the rest is dropped") {
  for (const WindowKind kind : {WindowKind::kTumble, WindowKind::kHop, WindowKind::kSession}) {
    WindowAggregateSpec processing = spec(kind, 10, 10);
    processing.window.is_processing_time = true;
    OperatorHarness window(make_window_aggregate(processing), kInput);
    window.set_time(10);
    window.feed({row("a", 1, 0), row("b", 2, 0)}, {{2, {5}}});
    CHECK(window.take() == "WM 5\n");
    window.set_time(19);
    window.feed({row("a", 4, 0)});
    CHECK(window.take().empty());
    window.set_time(20);
    if (kind == WindowKind::kSession) {
      CHECK(window.take() == "+I(b, 2, 10, 20)\n");
      window.end();
      CHECK(window.counter(stream::metric::kDroppedAtEnd) == 2);
      continue;
    }
    CHECK(window.take() == "+I(a, 5, 10, 20)\n+I(b, 2, 10, 20)\n");
    window.feed({row("a", 8, 0), row("c", 8, 0)});
    window.watermark(kMaxEventTime.ms);
    window.end();
    CHECK(window.take() == "WM max\n");
    CHECK(window.counter(stream::metric::kDroppedAtEnd) == 2);
  }
}

TEST_CASE("windows over rows that bring their window along") {
  WindowAggregateSpec attached = spec(WindowKind::kAttached, 0);
  attached.input = {{"k", DataType::string()},
                    {"v", DataType::big_int()},
                    {"window_start", DataType::timestamp(3)},
                    {"window_end", DataType::timestamp(3)}};
  attached.window.time = {3};
  attached.window.attached_start = {2};
  OperatorHarness window(make_window_aggregate(attached), attached.input);
  window.feed({row("a", 1, 0, 10), row("a", 2, 5, 10), row("a", 4, 0, 10), row("b", 8, 10, 20)});
  window.watermark(9);
  CHECK(window.take() == "+I(a, 5, 0, 10)\n+I(a, 2, 5, 10)\nWM 9\n");
  window.watermark(19);
  CHECK(window.take() == "+I(b, 8, 10, 20)\nWM 19\n");
}

TEST_CASE("windows on TIMESTAMP_LTZ follow the session zone's wall clock, over a clock change") {
  constexpr int64_t kHour = 3'600'000;
  WindowAggregateSpec zoned = spec(WindowKind::kTumble, 24 * kHour);
  zoned.input[2].type = DataType::timestamp_ltz(3);
  zoned.window.time_zone = "America/Los_Angeles";
  zoned.columns.push_back({WindowProperty::kTime, DataType::timestamp_ltz(3)});
  OperatorHarness window(make_window_aggregate(zoned), zoned.input);
  // 14 March 2021 has 23 hours there, from 08:00 UTC on.
  constexpr int64_t kMidnight = 1'615'708'800'000;
  window.feed(
      {Row{RowKind::kInsert, {Value(std::string("a")), Value(int64_t{1}), Value(kMidnight)}},
       Row{RowKind::kInsert,
           {Value(std::string("a")), Value(int64_t{2}), Value(kMidnight + 23 * kHour - 1)}},
       Row{RowKind::kInsert,
           {Value(std::string("a")), Value(int64_t{4}), Value(kMidnight + 23 * kHour)}}});
  window.watermark(kMidnight + 23 * kHour - 2);
  CHECK(rows_only(window.take()).empty());
  window.watermark(kMidnight + 23 * kHour - 1);
  constexpr int64_t kLocalMidnight = kMidnight - 8 * kHour;
  CHECK(rows_only(window.take()) == fmt::format("+I(a, 3, {}, {}, {})\n",
                                                kLocalMidnight,
                                                kLocalMidnight + 24 * kHour,
                                                kMidnight + 23 * kHour - 1));
}

TEST_CASE("hours that a zone skips or repeats: windows close in order and lose no row") {
  constexpr int64_t kHour = 3'600'000;
  const int64_t changes[] = {1'615'716'000'000, 1'636'275'600'000};  // 14 March, 7 November 2021
  for (const int64_t change : changes) {
    for (const WindowKind kind : {WindowKind::kTumble, WindowKind::kHop}) {
      WindowAggregateSpec zoned = spec(kind, kHour, kHour / 2);
      zoned.input[2].type = DataType::timestamp_ltz(3);
      zoned.window.time_zone = "America/Los_Angeles";
      OperatorHarness window(make_window_aggregate(zoned), zoned.input);
      int64_t sum = 0;
      for (int64_t at = change - 3 * kHour; at < change + 3 * kHour; at += kHour / 6) {
        window.feed(
            {Row{RowKind::kInsert, {Value(std::string("a")), Value(int64_t{1}), Value(at)}}},
            {{1, {at}}});
        ++sum;
      }
      window.watermark(kMaxEventTime.ms);
      CHECK(window.counter(stream::metric::kLateRows) == 0);
      int64_t total = 0;
      const std::string rows = rows_only(window.take());
      for (size_t at = rows.find("(a, "); at != std::string::npos; at = rows.find("(a, ", at + 1)) {
        total += std::stoll(rows.substr(at + 4));
      }
      CHECK(total == (kind == WindowKind::kHop ? 2 * sum : sum));
    }
  }
}

TEST_CASE("session zones shift processing-time windows too") {
  WindowAggregateSpec processing = spec(WindowKind::kTumble, 3'600'000);
  processing.window.is_processing_time = true;
  processing.window.time_zone = "Asia/Kolkata";
  OperatorHarness window(make_window_aggregate(processing), kInput);
  window.set_time(0);  // 05:30 there
  window.feed({row("a", 1, 0)});
  window.set_time(1'799'999);
  CHECK(window.take().empty());
  window.set_time(1'800'000);
  CHECK(window.take() == "+I(a, 1, 18000000, 21600000)\n");
}

}  // namespace thalweg::operators
