#include <fstream>

#include <doctest/doctest.h>

#include "runtime/test_parts.h"

namespace thalweg {

using namespace test;
using runtime::JobOptions;
using runtime::Partitioning;

namespace {

/// Resident bytes of this process now.
int64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  statm >> total >> resident;
  return resident * 4096;
}

}  // namespace

TEST_CASE("ten million windows fire through a channel of two batches in flat memory") {
  auto source = std::make_shared<CountingSource>(CountingSource::Settings{.count = 1});
  auto sink = std::make_shared<CollectSink>();
  std::atomic<int64_t> highest{0};
  const int64_t before = resident_bytes();
  sink->keep = false;
  sink->on_write = [&](const Batch&) { highest = std::max(highest.load(), resident_bytes()); };
  FunctionOperator windows;
  windows.watermark = [](auto&, EventTime, stream::Output& output) {
    constexpr int64_t kWindows = 10'000'000;
    for (int64_t begin = 0; begin < kWindows; begin += 2000) {
      auto key = Column::make(DataType::big_int(), 2000);
      auto end = Column::make(DataType::big_int(), 2000);
      for (int64_t i = 0; i < 2000; ++i) {
        key->mutable_values<int64_t>()[static_cast<size_t>(i)] = begin + i;
      }
      output.emit(Batch(2000, {key, end}));
    }
  };
  GraphBuilder builder;
  const uint32_t from = builder.source(source);
  const uint32_t window = builder.vertex(operator_of(windows));
  const uint32_t to = builder.sink(sink);
  builder.connect(from, window, Partitioning::kForward);
  builder.connect(window, to, Partitioning::kForward);
  JobOptions options;
  options.channel_capacity = 2;
  run_to_end(std::move(builder.graph), options);
  CHECK(sink->count() == 10'000'001);
  CHECK(highest - before < int64_t{16} << 20U);
}

TEST_CASE("an unbounded aggregation over its budget gives the named error") {
  auto source = std::make_shared<CountingSource>(
      CountingSource::Settings{.count = 100'000'000, .keys = 100'000'000, .batch = 2048});
  JobOptions options;
  options.memory_limit_bytes = int64_t{200} << 20U;
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  const auto job = runtime->submit(
      [&] {
        GraphBuilder builder;
        const uint32_t from = builder.source(source);
        builder.chain(from, sum_by_key());
        builder.chain_sink(from, std::make_shared<CollectSink>());
        return std::move(builder.graph);
      }(),
      options);
  job->wait_for(-1);
  REQUIRE(job->failure().has_value());
  CHECK(job->failure()->code() == ErrorCode::kStateMemoryExceeded);
  CHECK(job->failure()->message().find("operator 'operator 2' holds") != std::string::npos);
  CHECK(budget.used_bytes() == 0);
}

TEST_CASE("a simulated run is told by its seed; its results by none") {
  const CountingSource::Settings settings{.splits = 4, .count = 500, .keys = 20, .batch = 50};
  const auto run = [&](uint64_t seed) {
    auto sink = std::make_shared<CollectSink>();
    GraphBuilder builder;
    const uint32_t from = builder.source(std::make_shared<CountingSource>(settings), 4);
    const uint32_t to = builder.sink(sink, 2);
    builder.connect(from, to, Partitioning::kHash, {{0}});
    JobOptions options;
    options.simulation_seed = seed;
    options.batch_rows = 10;
    run_to_end(std::move(builder.graph), options);
    return sink;
  };
  const auto first = run(1);
  CHECK(run(1)->rows() == first->rows());
  bool differs = false;
  for (uint64_t seed = 2; seed < 6; ++seed) {
    const auto other = run(seed);
    differs = differs || other->rows() != first->rows();
    CHECK(other->sorted_rows() == first->sorted_rows());
  }
  CHECK(differs);
}

}  // namespace thalweg
