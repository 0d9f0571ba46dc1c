// OVER against the plain evaluator, over random rows and frames.
#include <algorithm>
#include <numeric>
#include <random>

#include <doctest/doctest.h>

#include "operator_harness.h"
#include "over_plain.h"

namespace thalweg::operators {

namespace {

using expression::OverBound;
using expression::OverBoundKind;

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}

  int64_t between(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(engine_);
  }

  bool one_in(int64_t times) { return between(1, times) == 1; }

  std::mt19937& engine() { return engine_; }

 private:
  std::mt19937 engine_;
};

/// The calls that the plain evaluator computes, over columns v (1) and v > 3 (2).
std::vector<expression::AggregateCall> plain_calls() {
  const std::vector<DataType> value = {DataType::big_int()};
  std::vector<expression::AggregateCall> calls = {call("COUNT", {}, {}),
                                                  call("SUM", value, {1}),
                                                  call("MIN", value, {1}),
                                                  call("COUNT", value, {1}),
                                                  call("SUM", value, {1}),
                                                  call("LAST_VALUE", value, {1})};
  calls[3].distinct = true;
  calls[4].filter = {2};
  return calls;
}

std::string shown(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "NULL";
}

Value to_value(const std::optional<int64_t>& value) {
  return value ? Value(*value) : Value();
}

Row input_row(const PlainRow& row) {
  return {RowKind::kInsert,
          {Value(row.partition),
           to_value(row.value),
           row.value ? Value(*row.value > 3) : Value(),
           to_value(row.order)}};
}

std::string output_line(const PlainRow& row, const std::string& results) {
  const std::string is_large = !row.value ? "NULL" : *row.value > 3 ? "TRUE" : "FALSE";
  return fmt::format("+I({}, {}, {}, {}, {})\n",
                     row.partition,
                     shown(row.value),
                     is_large,
                     shown(row.order),
                     results);
}

std::optional<int64_t> random_value(Random& random) {
  return random.one_in(8) ? std::nullopt : std::optional(random.between(-5, 9));
}

OverAggregateSpec spec_of(OverMode mode,
                          const expression::OverFrame& frame,
                          const DataType& order) {
  OverAggregateSpec spec;
  spec.input = {{"k", DataType::big_int()},
                {"v", DataType::big_int()},
                {"f", DataType::boolean()},
                {"o", order}};
  spec.partition_keys = {{0}};
  spec.order = {{{3}}};
  spec.frame = frame;
  spec.calls = plain_calls();
  spec.mode = mode;
  return spec;
}

std::string described(const expression::OverFrame& frame) {
  const auto bound = [](const OverBound& one) {
    return one.offset.is_null()
               ? fmt::format("kind {}", static_cast<int>(one.kind))
               : fmt::format("{} {}",
                             std::get<int64_t>(one.offset.data),
                             one.kind == OverBoundKind::kPreceding ? "PRECEDING" : "FOLLOWING");
  };
  return fmt::format(
      "{} {} to {}", frame.is_rows ? "ROWS" : "RANGE", bound(frame.lower), bound(frame.upper));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin) + 1;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return lines;
}

/// The output's rows, as a text.
std::string rows_in(const std::string& output) {
  std::string rows;
  for (const std::string& line : lines_of(output)) {
    rows += line.starts_with('+') ? line : "";
  }
  return rows;
}

OverBound random_bound(Random& random, bool is_lower) {
  switch (random.between(0, 3)) {
    case 0:
      return {is_lower ? OverBoundKind::kUnboundedPreceding : OverBoundKind::kUnboundedFollowing,
              {}};
    case 1:
      return {OverBoundKind::kCurrentRow, {}};
    case 2:
      return {OverBoundKind::kPreceding, Value(random.between(0, random.one_in(2) ? 4 : 80))};
    default:
      return {OverBoundKind::kFollowing, Value(random.between(0, random.one_in(2) ? 4 : 80))};
  }
}

/// As SQL allows them: the upper bound's kind is not before the lower one's.
expression::OverFrame random_frame(Random& random) {
  expression::OverFrame frame;
  do {
    frame = {random.one_in(2), random_bound(random, true), random_bound(random, false)};
  } while (frame.lower.kind > frame.upper.kind);
  return frame;
}

void check_batch(uint32_t seed) {
  Random random(seed);
  const expression::OverFrame frame = random_frame(random);
  const SortKey key{{3}, random.one_in(2), random.one_in(2)};
  std::vector<PlainRow> rows;
  for (int64_t partition = 0; partition < random.between(1, 4); ++partition) {
    const int64_t size = random.between(1, random.one_in(3) ? 300 : 10);
    const int64_t width = random.between(1, 200);
    for (int64_t i = 0; i < size; ++i) {
      const auto order = random.one_in(9) ? std::nullopt : std::optional(random.between(0, width));
      rows.push_back({partition, order, random_value(random)});
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [&key](const PlainRow& left, const PlainRow& right) {
    if (left.partition != right.partition) {
      return left.partition < right.partition;
    }
    if (left.order.has_value() != right.order.has_value()) {
      return right.order.has_value() == key.nulls_first;
    }
    return key.ascending ? left.order < right.order : right.order < left.order;
  });
  OverAggregateSpec spec = spec_of(OverMode::kBatch, frame, DataType::big_int());
  spec.order = {key};
  OperatorHarness over(make_over_aggregate(spec), spec.input);
  for (size_t begin = 0; begin < rows.size();) {
    const auto size = std::min(rows.size() - begin, static_cast<size_t>(random.between(1, 200)));
    std::vector<Row> batch;
    for (size_t i = begin; i < begin + size; ++i) {
      batch.push_back(input_row(rows[i]));
    }
    over.feed(batch);
    begin += size;
  }
  over.end();
  const std::vector<std::string> results = plain_over(rows, frame, key);
  std::string expected;
  for (size_t i = 0; i < rows.size(); ++i) {
    expected += output_line(rows[i], results[i]);
  }
  const std::string found = over.take();
  CHECK_MESSAGE(found == expected, "seed " << seed << ": " << described(frame));
}

/// What the operator sends of rows in the order they came: by time, in RANGE with the rows of one
/// partition and time together, then as they came.
std::string expected_stream(const std::vector<PlainRow>& rows, const expression::OverFrame& frame) {
  std::vector<size_t> by_partition(rows.size());
  std::iota(by_partition.begin(), by_partition.end(), size_t{0});
  std::stable_sort(by_partition.begin(), by_partition.end(), [&rows](size_t left, size_t right) {
    return std::tie(rows[left].partition, rows[left].order) <
           std::tie(rows[right].partition, rows[right].order);
  });
  std::vector<PlainRow> partitions;
  for (const size_t row : by_partition) {
    partitions.push_back(rows[row]);
  }
  const std::vector<std::string> results = plain_over(partitions, frame, {{3}, true, true});

  struct Sent {
    int64_t time = 0;
    size_t first_peer = 0;
    size_t row = 0;
    std::string line;
  };

  std::vector<Sent> sent;
  for (size_t i = 0; i < rows.size(); ++i) {
    const size_t row = by_partition[i];
    const bool has_peer = i > 0 && partitions[i - 1].partition == partitions[i].partition &&
                          partitions[i - 1].order == partitions[i].order;
    const size_t first_peer = has_peer && !frame.is_rows ? sent.back().first_peer : row;
    sent.push_back({*rows[row].order, first_peer, row, output_line(rows[row], results[i])});
  }
  std::sort(sent.begin(), sent.end(), [](const Sent& left, const Sent& right) {
    return std::tie(left.time, left.first_peer, left.row) <
           std::tie(right.time, right.first_peer, right.row);
  });
  std::string expected;
  for (const Sent& one : sent) {
    expected += one.line;
  }
  return expected;
}

void check_streaming(uint32_t seed) {
  Random random(seed);
  expression::OverFrame frame;
  frame.is_rows = random.one_in(2);
  if (!random.one_in(4)) {
    frame.lower = {OverBoundKind::kPreceding, Value(random.between(0, 12))};
  }
  std::vector<PlainRow> rows;
  for (int64_t i = 0; i < random.between(1, 250); ++i) {
    rows.push_back({random.between(0, 3), i / 2 + random.between(-6, 6), random_value(random)});
  }
  const OverAggregateSpec spec =
      spec_of(OverMode::kEventTime,
              frame,
              DataType::timestamp(3).with_time_attribute(TimeAttribute::kEventTime));
  OperatorHarness over(make_over_aggregate(spec), spec.input);
  // No row comes that a watermark has passed.
  for (size_t begin = 0; begin < rows.size();) {
    const auto size = std::min(rows.size() - begin, static_cast<size_t>(random.between(1, 60)));
    std::vector<Row> batch;
    std::vector<Mark> marks;
    for (size_t i = begin; i < begin + size; ++i) {
      if (random.one_in(5)) {
        const int64_t least = std::min_element(rows.begin() + static_cast<std::ptrdiff_t>(i),
                                               rows.end(),
                                               [](const PlainRow& left, const PlainRow& right) {
                                                 return *left.order < *right.order;
                                               })
                                  ->order.value();
        marks.push_back({static_cast<int32_t>(batch.size()), {least - 1}});
      }
      batch.push_back(input_row(rows[i]));
    }
    over.feed(batch, marks);
    if (random.one_in(3)) {
      over.restart();
    }
    begin += size;
  }
  over.watermark(kMaxEventTime.ms);
  CHECK_MESSAGE(rows_in(over.take()) == expected_stream(rows, frame),
                "seed " << seed << ": " << described(frame));
  CHECK(over.counter("numLateRecordsDropped") == 0);
}

/// Rows behind the watermark too: what is late, and when partitions are forgotten, is the same for
/// rows and watermarks one by one as in batches.
void check_batching(uint32_t seed) {
  Random random(seed);
  expression::OverFrame frame;
  frame.is_rows = random.one_in(2);
  if (!random.one_in(4)) {
    frame.lower = {OverBoundKind::kPreceding, Value(random.between(0, 12))};
  }
  const OverAggregateSpec spec =
      spec_of(OverMode::kEventTime,
              frame,
              DataType::timestamp(3).with_time_attribute(TimeAttribute::kEventTime));
  OperatorHarness together(make_over_aggregate(spec), spec.input);
  OperatorHarness alone(make_over_aggregate(spec), spec.input);
  int64_t now = 0;
  int64_t watermark = -100;
  for (int64_t batch = 0; batch < 5; ++batch) {
    std::vector<Row> rows;
    std::vector<Mark> marks;
    for (int64_t i = 0; i < random.between(1, 40); ++i) {
      now += random.between(0, random.one_in(6) ? 30 : 3);
      rows.push_back(
          input_row({random.between(0, 3), now + random.between(-25, 5), random_value(random)}));
      alone.feed({rows.back()});
      if (random.one_in(3)) {
        watermark = std::max(watermark, now - random.between(0, 12));
        marks.push_back({static_cast<int32_t>(rows.size()), {watermark}});
        alone.watermark(watermark);
      }
    }
    together.feed(rows, marks);
    if (random.one_in(3)) {
      together.restart();
    }
  }
  together.watermark(kMaxEventTime.ms);
  alone.watermark(kMaxEventTime.ms);
  CHECK_MESSAGE(rows_in(together.take()) == rows_in(alone.take()),
                "seed " << seed << ": " << described(frame));
  CHECK_MESSAGE(together.state_size(0) == alone.state_size(0), "seed " << seed);
}

}  // namespace

TEST_CASE("streaming: late rows, and partitions forgotten, do not depend on batches") {
  for (uint32_t seed = 1; seed <= 400; ++seed) {
    check_batching(seed);
  }
}

TEST_CASE("batch: random frames give what the plain evaluator gives") {
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    check_batch(seed);
  }
}

TEST_CASE("streaming: random frames, watermarks and restarts give what the plain evaluator gives") {
  for (uint32_t seed = 1; seed <= 300; ++seed) {
    check_streaming(seed);
  }
}

}  // namespace thalweg::operators
