#include <filesystem>
#include <thread>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "runtime/test_parts.h"
#include "thalweg/runtime/checkpoint_store.h"

namespace thalweg {

using namespace test;
using runtime::JobOptions;
using runtime::JobStatus;
using runtime::Partitioning;

namespace {

/// A job of (source 1) -> by key -> (operator 2: sums) -> (sink 3), fed by hand.
struct HandJob {
  explicit HandJob(int32_t parallelism = 1) {
    job = runtime->submit(sum_graph(source, sink, parallelism), {});
  }

  ~HandJob() {
    job->cancel();
    job->wait_for(-1);
  }

  std::shared_ptr<HandSource> source = std::make_shared<HandSource>();
  std::shared_ptr<CollectSink> sink = std::make_shared<CollectSink>();
  MemoryBudget budget{"process"};
  std::unique_ptr<runtime::Runtime> runtime = runtime::make_runtime(budget);
  std::shared_ptr<runtime::Job> job;
};

std::vector<std::string> texts(const runtime::TapReading& reading) {
  std::vector<std::string> texts;
  for (const runtime::TappedRow& row : reading.rows) {
    texts.push_back(fmt::format("{} {}", row.id(), row.text));
  }
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a job tells its operators and what feeds them") {
  const HandJob hand(2);
  const std::vector<runtime::OperatorInfo>& operators = hand.job->operators();
  REQUIRE(operators.size() == 3);
  CHECK(operators[0].kind == runtime::OperatorInfo::Kind::kSource);
  CHECK(operators[0].inputs.empty());
  CHECK(operators[1].name == "operator 2");
  CHECK(operators[1].parallelism == 2);
  CHECK(operators[1].inputs == std::vector<OperatorId>{{1}});
  CHECK(operators[2].kind == runtime::OperatorInfo::Kind::kSink);
  CHECK(operators[2].inputs == std::vector<OperatorId>{{2}});
}

TEST_CASE("a tap shows rows from when it is attached, each once, with where they came from") {
  const HandJob hand;
  hand.source->feed(pairs({{1, 1}}));
  hand.job->settle();
  hand.job->attach_tap({1}, 3);
  Batch batch = pairs({{7, 70}, {8, 80}});
  batch.set_marks({{1, {5}}});
  batch.set_origin({std::make_shared<const std::string>("topic-0"), 41});
  hand.source->feed(batch);
  hand.job->settle();
  runtime::TapReading reading = hand.job->read_tap({1}, {}, 10);
  CHECK(texts(reading) == Texts{"topic-0@41 7, 70", "topic-0@42 8, 80"});
  CHECK(reading.rows[0].watermark == kMinEventTime);
  CHECK(reading.rows[1].watermark == EventTime{5});
  CHECK(reading.rows[1].operator_id == OperatorId{1});
  CHECK(reading.rows[1].wall_time_ms > 0);

  // More than the ring holds: the newest, and how many were missed.
  hand.source->feed(pairs({{1, 1}, {1, 2}, {1, 3}, {1, 4}}));
  hand.job->settle();
  reading = hand.job->read_tap({1}, reading.next, 2);
  CHECK(reading.missed == 1);
  CHECK(texts(reading) == Texts{"1.0@3 1, 2", "1.0@4 1, 3"});
  reading = hand.job->read_tap({1}, reading.next, 10);
  CHECK(reading.missed == 0);
  CHECK(texts(reading).size() == 1);
  CHECK(hand.job->read_tap({1}, reading.next, 10).rows.empty());

  hand.job->detach_tap({1});
  hand.source->feed(pairs({{1, 1}}));
  hand.job->settle();
  CHECK(hand.job->read_tap({1}, reading.next, 10).rows.empty());
  CHECK_THROWS_AS(hand.job->attach_tap({9}, 1), Error);
}

TEST_CASE("a tap stays over a restart") {
  auto source = std::make_shared<CountingSource>(
      CountingSource::Settings{.count = 100, .batch = 10, .fail_after = 50});
  source->open = false;
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  JobOptions options;
  options.restart = {
      .kind = runtime::RestartStrategy::Kind::kFixedDelay, .attempts = 1, .delay_ms = 1};
  const auto job = runtime->submit(sum_graph(source, std::make_shared<CollectSink>(), 1), options);
  job->attach_tap({1}, 1000);
  source->open = true;
  job->wait_for(-1);
  CHECK(job->status() == JobStatus::kFinished);
  CHECK(job->read_tap({1}, {}, 1000).rows.size() == 150);
}

TEST_CASE("state of a running operator is listed over its subtasks") {
  const HandJob hand(2);
  std::vector<std::pair<int64_t, int64_t>> rows;
  for (int64_t key = 0; key < 9000; ++key) {
    rows.emplace_back(key, key * 10);
  }
  hand.source->feed(pairs(rows));
  hand.job->settle();
  runtime::StateListing listing = hand.job->list_state({.operator_id = {2}, .limit = 20});
  CHECK(listing.asked == 2);
  CHECK(listing.answered == 2);
  REQUIRE(listing.tables.size() == 1);
  CHECK(listing.tables[0].name == "sums");
  CHECK(listing.tables[0].record_count == 9000);
  CHECK(listing.tables[0].records.size() == 20);

  listing = hand.job->list_state({.operator_id = {2}, .table = "sums", .key = "8765"});
  REQUIRE(listing.tables.at(0).records.size() == 1);
  CHECK(listing.tables[0].records[0].fields == Texts{"87650"});
  CHECK(hand.job->list_state({.operator_id = {2}, .table = "none"}).tables.empty());
  CHECK(hand.job->list_state({.operator_id = {1}}).tables.empty());
  CHECK_THROWS_AS(hand.job->list_state({.operator_id = {7}}), Error);
  hand.job->cancel();
  hand.job->wait_for(-1);
  CHECK(hand.job->list_state({.operator_id = {2}}).asked == 0);
}

TEST_CASE("a task that waits answers when it goes on; the others answer meanwhile") {
  auto source = std::make_shared<CountingSource>(CountingSource::Settings{.count = 1'000'000});
  std::atomic<bool> blocked{false};
  std::atomic<bool> released{false};
  auto sink = std::make_shared<CollectSink>();
  sink->on_write = [&](const Batch&) {
    blocked = true;
    while (!released) {
      std::this_thread::yield();
    }
  };
  GraphBuilder builder;
  const uint32_t from = builder.source(source);
  builder.chain(from, operator_of({}));
  builder.chain_sink(from, sink);
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  const auto job = runtime->submit(std::move(builder.graph), {});
  while (!blocked) {
    std::this_thread::yield();
  }
  const runtime::StateListing listing = job->list_state({.operator_id = {2}, .timeout_ms = 1});
  CHECK(listing.asked == 1);
  CHECK(listing.answered == 0);
  job->cancel();
  released = true;
  job->wait_for(-1);
}

TEST_CASE("stopping with a drain does what the end of the input would, then takes the savepoint") {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("thalweg-drain-{}", ::getpid());
  for (const bool checkpointed : {false, true}) {
    for (const bool drains : {false, true}) {
      CAPTURE(checkpointed);
      CAPTURE(drains);
      std::atomic<int64_t> last_watermark{0};
      FunctionOperator watching;
      watching.watermark = [&](auto&, EventTime watermark, auto&) {
        last_watermark = watermark.ms;
      };
      auto source = std::make_shared<HandSource>();
      auto sink = std::make_shared<CommitSink>();
      GraphBuilder builder;
      const uint32_t from = builder.source(source);
      const uint32_t sums = builder.vertex(sum_by_key(), 2);
      builder.connect(from, sums, Partitioning::kHash, {{0}});
      const uint32_t to = builder.vertex(operator_of(watching));
      builder.connect(sums, to, Partitioning::kSingleton);
      builder.chain_sink(to, sink);
      const runtime::JobGraph graph = builder.graph;
      JobOptions options;
      if (checkpointed) {
        options.checkpoint_interval_ms = 3'600'000;
      }
      MemoryBudget budget("process");
      const auto runtime = runtime::make_runtime(budget);
      const auto job = runtime->submit(graph, options);
      source->feed(pairs({{1, 1}, {2, 5}, {1, 2}}));
      job->settle();
      const std::string path = job->stop_with_savepoint(folder.string(), drains);
      CHECK(job->status() == JobStatus::kFinished);
      CHECK(sink->committed() == (drains ? Texts{"+I 1 3", "+I 2 5"} : Texts{}));
      CHECK(last_watermark == (drains ? kMaxEventTime.ms : 0));
      for (const runtime::TaskRecord& task : runtime::read_manifest(path).tasks) {
        CHECK(task.finished == drains);
      }

      // From a drained savepoint there is nothing left to do; from the other the job goes on.
      options.restore_path = path;
      const auto resumed = runtime->submit(graph, options);
      if (drains) {
        resumed->wait_for(-1);
        CHECK(resumed->status() == JobStatus::kFinished);
      } else {
        source->feed(pairs({{1, 10}}));
        source->end();
        resumed->wait_for(-1);
        CHECK(sink->committed() == Texts{"+I 1 13", "+I 2 5"});
      }
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace thalweg
