#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <set>

#include <doctest/doctest.h>

#include "connectors/kafka_fixture.h"
#include "thalweg/common/error.h"
#include "thalweg/connectors/kafka/admin.h"

namespace thalweg::connectors {
std::unique_ptr<stream::ConnectorFactory> make_upsert_kafka_connector();
}

namespace thalweg::connectors::kafka_test {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("what a sink writes a bounded source reads, and ends") {
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  const TestTable table(table_options(broker->address(), fresh_topic()));
  table.write({"a", "skip", "b"});
  table.write({"c"});
  CHECK(table.read() == Lines{"a", "b", "c"});
}

TEST_CASE("startup and bounded modes") {
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  const std::string topic = fresh_topic();
  const auto read = [&](stream::OptionMap more) {
    return TestTable(table_options(broker->address(), topic, more)).read();
  };
  TestTable(table_options(broker->address(), topic)).write({"0", "1", "2", "3", "4"});
  CHECK(read({{"scan.startup.mode", "specific-offsets"},
              {"scan.startup.specific-offsets", "partition:0,offset:3"}}) == Lines{"3", "4"});
  CHECK(read({{"scan.bounded.mode", "specific-offsets"},
              {"scan.bounded.specific-offsets", "partition:0,offset:2"}}) == Lines{"0", "1"});
  CHECK(read({{"scan.startup.mode", "latest-offset"}}) == Lines{});
  CHECK(read({{"scan.startup.mode", "timestamp"}, {"scan.startup.timestamp-millis", "0"}}).size() ==
        5);
  CHECK(read({{"scan.startup.mode", "timestamp"},
              {"scan.startup.timestamp-millis", "9999999999999"}}) == Lines{});
  CHECK(read({{"scan.bounded.mode", "timestamp"}, {"scan.bounded.timestamp-millis", "1"}}) ==
        Lines{});
  const stream::OptionMap group = {{"scan.startup.mode", "group-offsets"},
                                   {"properties.group.id", "g-" + topic}};
  CHECK_THROWS_AS(read(group), const Error&);
  stream::OptionMap earliest = group;
  earliest["properties.auto.offset.reset"] = "earliest";
  CHECK(read(earliest).size() == 5);
}

TEST_CASE("a partition that a checkpoint does not know is read from its start") {
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  const std::string topic = fresh_topic();
  stream::OptionMap options = table_options(broker->address(), topic);
  options.erase("scan.bounded.mode");
  options["scan.startup.mode"] = "latest-offset";
  const TestTable table(options);
  table.write({"0", "1", "2"});
  CHECK(table.source()->discover_splits().at(0).position == "3");
  const auto restored = table.source();
  restored->on_restored();
  CHECK(restored->discover_splits().at(0).position == "0");
}

TEST_CASE("offsets are committed to the group on checkpoints, and are split state") {
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  const std::string topic = fresh_topic();
  const stream::OptionMap group = {{"properties.group.id", "g-" + topic}};
  const TestTable table(table_options(broker->address(), topic, group));
  table.write({"0", "1", "2"});
  TestReaderContext task;
  const auto source = table.source();
  auto reader = source->create_reader();
  reader->open(task);
  reader->add_splits(source->discover_splits());
  while (reader->poll(100).kind != stream::PollResult::Kind::kBatch) {
  }
  const auto splits = reader->snapshot();
  REQUIRE(splits.size() == 1);
  CHECK(splits[0].position == "3..3");
  reader->on_checkpoint_complete({1});
  reader->close();
  table.write({"3"});
  stream::OptionMap resumed = group;
  resumed["scan.startup.mode"] = "group-offsets";
  const TestTable again(table_options(broker->address(), topic, resumed));
  Lines lines;
  for (int i = 0; i < 50 && lines != Lines{"3"}; ++i) {
    lines = again.read();  // the commit is asynchronous
  }
  CHECK(lines == Lines{"3"});
}

TEST_CASE("metadata are read and written") {
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  const std::string topic = fresh_topic();
  auto builders =
      make_builders({{"line", DataType::string()},
                     {"timestamp", DataType::timestamp_ltz(3)},
                     {"headers", DataType::map(DataType::string(), DataType::bytes())}});
  builders[0].append_string("x");
  builders[1].append<int64_t>(1234567);
  builders[2].child(0).append_string("h");
  builders[2].child(1).append_string("v");
  builders[2].append_list();
  TestWriterContext task;
  const auto writer = TestTable(table_options(broker->address(), topic), {"timestamp", "headers"})
                          .sink()
                          ->create_writer();
  writer->open(task);
  writer->write(finish_batch(builders));
  writer->flush();
  writer->close();

  const TestTable table(
      table_options(broker->address(), topic),
      {"topic", "partition", "offset", "timestamp", "timestamp-type", "leader-epoch", "headers"});
  const auto source = table.source();
  const auto batches = table.read_batches(*source);
  REQUIRE(batches.size() == 1);
  const Batch& batch = batches[0];
  CHECK(texts(batch, 1) == Lines{topic});
  CHECK(batch.column(2).at<int32_t>(0) == 0);
  CHECK(batch.column(3).at<int64_t>(0) == 0);
  CHECK(batch.column(4).at<int64_t>(0) == 1234567);
  CHECK(texts(batch, 5) == Lines{"CreateTime"});
  REQUIRE(batch.column(7).list_end(0) == 1);
  CHECK(batch.column(7).child(0)->string_at(0) == "h");
  CHECK(batch.column(7).child(1)->string_at(0) == "v");
  CHECK(*batch.origin().split == topic + "-0");
}

/// What committed readers see once there are `count` rows: a real Kafka shows a transaction a
/// little after its commit.
Lines settled(const TestTable& table, size_t count) {
  Lines lines = table.read();
  for (int i = 0; i < 50 && lines.size() < count; ++i) {
    lines = table.read();
  }
  return lines;
}

TEST_CASE("an epoch is sent once, however often it is committed") {
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  const std::string topic = fresh_topic();
  const TestTable table(table_options(broker->address(),
                                      topic,
                                      {{"sink.delivery-guarantee", "exactly-once"},
                                       {"sink.transactional-id-prefix", "p-" + topic},
                                       {"properties.isolation.level", "read_committed"}}));
  TestWriterContext task;
  const auto first = table.sink()->create_writer();
  first->open(task);
  first->write(lines_batch({"a", "b"}));
  const auto one = first->prepare_commit({1});
  REQUIRE(one.size() == 1);
  CHECK(table.read() == Lines{});
  first->commit({1}, one);
  CHECK(settled(table, 2) == Lines{"a", "b"});
  first->write(lines_batch({"c"}));
  const auto two = first->prepare_commit({2});
  first->write(lines_batch({"never committed"}));
  // The process dies here, not knowing whether epoch 1 or 2 were sent; another takes over.
  const auto second = table.sink()->create_writer();
  second->open(task);
  second->commit({1}, one);
  second->commit({2}, two);
  CHECK(settled(table, 3) == Lines{"a", "b", "c"});
  // The first one was not quite dead: it is fenced.
  first->write(lines_batch({"late"}));
  const auto late = first->prepare_commit({3});
  CHECK_THROWS_AS(first->commit({3}, late), const Error&);
  CHECK(settled(table, 3) == Lines{"a", "b", "c"});
  CHECK(second->prepare_commit({3}).empty());
  first->close();
  second->close();
}

TEST_CASE("a bad record fails with its place and text, after the rows before it") {
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  const std::string topic = fresh_topic();
  const TestTable table(table_options(broker->address(), topic));
  table.write({"good", "bad", "never"});
  TestReaderContext task;
  const auto source = table.source();
  const auto reader = source->create_reader();
  reader->open(task);
  reader->add_splits(source->discover_splits());
  stream::PollResult result;
  while (result.kind != stream::PollResult::Kind::kBatch) {
    result = reader->poll(100);
  }
  CHECK(texts(result.batch) == Lines{"good"});
  REQUIRE(result.failure);
  CHECK(result.failure->code() == ErrorCode::kBadRecord);
  CHECK(result.failure->message() ==
        "Failed to decode (topic '" + topic + "', partition 0, offset 1): 'bad'");
  CHECK(reader->snapshot()[0].position == "1..3");
  reader->close();
}

TEST_CASE("keys and values together make rows") {
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  const std::string topic = fresh_topic();
  TestTable table(table_options(
      broker->address(),
      topic,
      {{"key.format", "line"}, {"key.fields", "k"}, {"value.fields-include", "EXCEPT_KEY"}}));
  table.context().columns = {{"k", DataType::string()}, {"line", DataType::string()}};
  auto builders = make_builders(table.context().columns);
  for (const char* text : {"1", "skip", "2"}) {
    builders[0].append_string(text);
    builders[1].append_string(std::string("v") + text);
  }
  TestWriterContext task;
  const auto writer = table.sink()->create_writer();
  writer->open(task);
  writer->write(finish_batch(builders));
  writer->flush();
  writer->close();
  const auto source = table.source();
  const auto batches = table.read_batches(*source);
  REQUIRE(batches.size() == 1);
  CHECK(texts(batches[0], 0) == Lines{"1", "2"});
  CHECK(texts(batches[0], 1) == Lines{"v1", "v2"});
  table.context().projection = std::vector<int32_t>{1};
  const auto projected = table.source();
  CHECK(texts(table.read_batches(*projected)[0], 0) == Lines{"v1", "v2"});
}

TEST_CASE("a cancelled job does not wait for a broker") {
  const TestTable nowhere(
      table_options("localhost:1", "t", {{"properties.default.api.timeout.ms", "300000"}}));
  const auto source = nowhere.source();
  std::thread canceller([&source] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    source->cancel();
  });
  try {
    source->discover_splits();
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kJobCancelled);
  }
  canceller.join();
}

TEST_CASE("an unreachable broker and a missing topic are named") {
  const TestTable nowhere(
      table_options("localhost:1", "t", {{"properties.default.api.timeout.ms", "300"}}));
  try {
    nowhere.source()->discover_splits();
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kBrokerUnreachable);
    CHECK(error.message().find("localhost:1") != std::string::npos);
    CHECK(error.message().find("Connection refused") != std::string::npos);
  }
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  const std::string topic = fresh_topic();
  TestTable(table_options(broker->address(), topic)).write({"a"});
  try {
    TestTable(table_options(broker->address(), topic + "x")).source()->discover_splits();
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kTopicNotFound);
    CHECK(error.hint_text() == "did you mean '" + topic + "'?");
  }
}

TEST_CASE("reader and writer survive a broker's restart") {
  if (EmbeddedBroker::shared() == nullptr) {
    return;
  }
  EmbeddedBroker broker;
  const TestTable table(table_options(broker.address(), "t", {{"scan.bounded.mode", "unbounded"}}));
  TestWriterContext write_task;
  const auto writer = table.sink()->create_writer();
  writer->open(write_task);
  writer->write(lines_batch({"a"}));
  writer->flush();
  TestReaderContext task;
  const auto source = table.source();
  const auto reader = source->create_reader();
  reader->open(task);
  reader->add_splits(source->discover_splits());
  Lines lines;
  const auto read_until = [&](size_t count) {
    for (int poll = 0; poll < 400 && lines.size() < count; ++poll) {
      for (std::string& line : texts(reader->poll(50).batch)) {
        lines.push_back(std::move(line));
      }
    }
  };
  read_until(1);
  broker.stop();
  reader->poll(100);
  writer->write(lines_batch({"b"}));
  broker.start();
  writer->flush();
  read_until(2);
  CHECK(lines == Lines{"a", "b"});
  CHECK(source->discover_splits().size() == 1);
  reader->close();
  writer->close();
}

TEST_CASE("cancelling ends what a writer does while its broker is gone") {
  if (EmbeddedBroker::shared() == nullptr) {
    return;
  }
  EmbeddedBroker broker;
  const auto writer_of = [&](TestWriterContext& task, stream::OptionMap more) {
    auto writer =
        TestTable(table_options(broker.address(), "t", std::move(more))).sink()->create_writer();
    writer->open(task);
    return writer;
  };
  TestWriterContext writing_task;
  const auto writing = writer_of(writing_task, {{"properties.buffer.memory", "1048576"}});
  TestWriterContext flushing_task;
  const auto flushing = writer_of(flushing_task, {});
  TestWriterContext committing_task;
  const auto committing = writer_of(
      committing_task,
      {{"sink.delivery-guarantee", "exactly-once"}, {"sink.transactional-id-prefix", "cancelled"}});
  committing->write(lines_batch({"a"}));
  const auto committables = committing->prepare_commit({1});
  broker.stop();

  const auto ends_with = [](const std::function<void()>& work) {
    return std::async(std::launch::async, [work] {
      try {
        work();
      } catch (const Error& error) {
        return error.code();
      }
      return ErrorCode::kInternal;
    });
  };
  auto written = ends_with([&] {
    for (;;) {
      writing->write(lines_batch({std::string(10'000, 'x')}));
    }
  });
  flushing->write(lines_batch({"a"}));
  auto flushed = ends_with([&] { flushing->flush(); });
  auto committed = ends_with([&] { committing->commit({1}, committables); });
  for (TestWriterContext* task : {&writing_task, &flushing_task, &committing_task}) {
    task->cancelled = true;
  }
  CHECK(written.get() == ErrorCode::kJobCancelled);
  CHECK(flushed.get() == ErrorCode::kJobCancelled);
  CHECK(committed.get() == ErrorCode::kJobCancelled);
  writing->close();
  flushing->close();
  committing->close();
}

TEST_CASE("the topic column chooses among the table's topics") {
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  const std::string left = fresh_topic();
  const std::string right = fresh_topic();
  const TestTable table(table_options(broker->address(), left + ";" + right), {"topic"});
  const auto write = [&](const std::string& topic) {
    auto builders = make_builders({{"line", DataType::string()}, {"topic", DataType::string()}});
    builders[0].append_string("to " + topic);
    builders[1].append_string(topic);
    TestWriterContext task;
    const auto writer = table.sink()->create_writer();
    writer->open(task);
    writer->write(finish_batch(builders));
    writer->flush();
    writer->close();
  };
  write(left);
  write(right);
  CHECK_THROWS_AS(write("elsewhere"), const Error&);
  const Lines lines = table.read();
  CHECK(std::set<std::string>(lines.begin(), lines.end()) ==
        std::set<std::string>{"to " + left, "to " + right});
  stream::OptionMap pattern = table_options(broker->address(), "");
  pattern.erase("topic");
  pattern["topic-pattern"] = left + "|nothing";
  CHECK(TestTable(pattern).read() == Lines{"to " + left});
}

TEST_CASE("topics are made, described, listed, filled, read and deleted by hand") {
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  const std::string topic = fresh_topic();
  const kafka::ClientProperties producer = kafka::translate_properties(
      {{"bootstrap.servers", broker->address()}}, kafka::PropertyScope::kProducer, nullptr);
  const kafka::ClientProperties consumer = kafka::translate_properties(
      {{"bootstrap.servers", broker->address()}}, kafka::PropertyScope::kConsumer, nullptr);
  kafka::Admin admin(consumer);
  admin.create_topic({.name = topic, .partition_count = 3});
  CHECK_THROWS_AS(admin.create_topic({.name = topic}), const Error&);
  kafka::RecordSender sender(producer, topic);
  sender.send("k", "v", 5);
  sender.send(std::nullopt, "w");
  sender.send("gone", std::nullopt);
  sender.flush();
  int64_t records = 0;
  for (const kafka::PartitionDescription& partition : admin.describe_topic(topic)) {
    CHECK(partition.leader >= 0);
    records += partition.end_offset - partition.first_offset;
  }
  CHECK(records == 3);
  std::set<std::string> seen;
  kafka::consume(
      consumer,
      {.topic = topic, .from_beginning = true, .until_end = true},
      [&](const kafka::RawRecord& record) {
        seen.insert(record.key.value_or("null") + "=" + record.value.value_or("null"));
        return true;
      },
      [] { return false; });
  CHECK(seen == std::set<std::string>{"k=v", "null=w", "gone=null"});
  int limit = 0;
  kafka::consume(
      consumer,
      {.topic = topic, .from_beginning = true},
      [&](const kafka::RawRecord&) { return ++limit < 2; },
      [] { return false; });
  CHECK(limit == 2);
  admin.delete_topic(topic);
  CHECK_THROWS_AS(admin.describe_topic(topic), const Error&);
}

TEST_CASE("upsert-kafka: deleted rows are records without a value") {
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  stream::OptionMap options = table_options(
      broker->address(), fresh_topic(), {{"key.format", "line"}, {"value.format", "line"}});
  options["connector"] = "upsert-kafka";
  options["value.fields-include"] = "EXCEPT_KEY";
  options.erase("format");
  options.erase("scan.startup.mode");
  TestTable table(options);
  table.context().columns = {{"k", DataType::string().not_null()}, {"line", DataType::string()}};
  CHECK_THROWS_AS(make_upsert_kafka_connector()->create_source(table.context()), const Error&);
  table.context().primary_key = {"k"};
  const auto sink = make_upsert_kafka_connector()->create_sink(table.context());
  CHECK(sink->accepted(stream::ChangelogMode::all()) == stream::ChangelogMode::upsert());
  auto builders = make_builders(table.context().columns);
  for (const char* text : {"a", "b", "a", "a", "b"}) {
    builders[0].append_string(text);
    builders[1].append_string(std::string(text) + std::to_string(builders[1].size()));
  }
  Batch batch = finish_batch(builders);
  batch.set_kinds({RowKind::kInsert,
                   RowKind::kInsert,
                   RowKind::kUpdateBefore,
                   RowKind::kUpdateAfter,
                   RowKind::kDelete});
  TestWriterContext task;
  const auto writer = sink->create_writer();
  writer->open(task);
  writer->write(batch);
  writer->flush();
  writer->close();
  const auto source = make_upsert_kafka_connector()->create_source(table.context());
  const auto batches = table.read_batches(*source);
  REQUIRE(batches.size() == 1);
  CHECK(texts(batches[0], 0) == Lines{"a", "b", "a", "b"});
  CHECK(texts(batches[0], 1) == Lines{"a0", "b1", "a3", "NULL"});
  CHECK(*batches[0].kinds() ==
        std::vector<RowKind>{
            RowKind::kUpdateAfter, RowKind::kUpdateAfter, RowKind::kUpdateAfter, RowKind::kDelete});
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

// Recorded with the KafkaProducer of kafka-clients 4.1.0: key, its partition of 7, its partition
// of 12.
TEST_CASE("1,000 keys land in the partitions where Kafka's Java client puts them") {
  EmbeddedBroker* broker = EmbeddedBroker::shared();
  if (broker == nullptr) {
    return;
  }
  std::map<std::string, std::pair<int32_t, int32_t>> recorded;
  std::ifstream file(std::filesystem::path(__FILE__).parent_path() / "kafka_java_partitions.tsv");
  std::string hex;
  for (std::pair<int32_t, int32_t> partitions;
       file >> hex >> partitions.first >> partitions.second;) {
    recorded.emplace(from_hex(hex), partitions);
  }
  REQUIRE(recorded.size() == 1000);
  for (const int32_t count : {7, 12}) {
    const std::string topic = fresh_topic();
    kafka::Admin(kafka::translate_properties({{"bootstrap.servers", broker->address()}},
                                             kafka::PropertyScope::kConsumer,
                                             nullptr))
        .create_topic({.name = topic, .partition_count = count});
    TestTable table(
        table_options(broker->address(), topic, {{"key.format", "line"}, {"key.fields", "k"}}), {});
    table.context().columns = {{"k", DataType::string()}, {"line", DataType::string()}};
    table.context().options["value.fields-include"] = "EXCEPT_KEY";
    auto builders = make_builders(table.context().columns);
    for (const auto& [key, partitions] : recorded) {
      builders[0].append_string(key);
      builders[1].append_string("v");
    }
    TestWriterContext task;
    const auto writer = table.sink()->create_writer();
    writer->open(task);
    writer->write(finish_batch(builders));
    writer->flush();
    writer->close();
    table.context().metadata_keys = {"partition"};
    const auto source = table.source();
    int rows = 0;
    for (const Batch& batch : table.read_batches(*source)) {
      for (int32_t row = 0; row < batch.row_count(); ++row, ++rows) {
        const auto& partitions = recorded.at(std::string(batch.column(0).string_at(row)));
        CHECK(batch.column(2).at<int32_t>(row) ==
              (count == 7 ? partitions.first : partitions.second));
      }
    }
    CHECK(rows == 1000);
  }
}

}  // namespace
}  // namespace thalweg::connectors::kafka_test
