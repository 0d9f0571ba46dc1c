#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "connectors/fake_context.h"
#include "connectors/kafka_fixture.h"
#include "thalweg/common/error.h"
#include "thalweg/connectors/kafka/client_properties.h"
#include "thalweg/connectors/kafka/epoch.h"
#include "thalweg/connectors/kafka/jaas.h"
#include "thalweg/connectors/kafka/murmur2.h"
#include "thalweg/connectors/kafka/partitioner.h"
#include "thalweg/connectors/kafka/split.h"
#include "thalweg/connectors/kafka/table_options.h"

namespace thalweg::connectors::kafka {
namespace {

using kafka_test::table_options;

// Recorded from org.apache.kafka.common.utils.Utils.murmur2 of kafka-clients 4.1.0.
TEST_CASE("keys hash as in Kafka's Java client") {
  const std::pair<std::string, int32_t> recorded[] = {
      {"", 275646681},
      {"a", -1563381124},
      {"ab", 316155434},
      {"abc", 479470107},
      {"abcd", -1323649548},
      {"21", -973932308},
      {"foobar", -790332482},
      {"a-little-bit-long-string", -985981536},
      {"a-little-bit-longer-string", -1486304829},
      {"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971},
      {"äöü", -2070914556},
      {"device-42", -1415647139},
      {std::string(4, '\0'), 850957120},
      {"\xff\xfe\x80", -160726397},
  };
  for (const auto& [key, hash] : recorded) {
    CHECK(static_cast<int32_t>(murmur2(key)) == hash);
  }
  CHECK(partition_for_key("a", 7) == (-1563381124 & 0x7fffffff) % 7);
}

TEST_CASE("partitioners") {
  Partitioner fixed(PartitionerKind::kFixed, false, 5);
  CHECK(fixed.choose("k", 10, 4) == 1);
  Partitioner keyed(PartitionerKind::kDefault, false, 0);
  CHECK(keyed.choose("a", 10, 7) == partition_for_key("a", 7));
  CHECK(keyed.choose(std::nullopt, 20000, 3) == 0);
  CHECK(keyed.choose(std::nullopt, 10, 3) == 1);
  Partitioner ignoring(PartitionerKind::kDefault, true, 0);
  CHECK(ignoring.choose("a", 20000, 2) == 0);
  CHECK(ignoring.choose("a", 20000, 2) == 1);
}

TEST_CASE("Java properties become librdkafka's, with Java's defaults") {
  std::vector<std::string> warnings;
  const Warn warn = [&](const std::string& text) { warnings.push_back(text); };
  const stream::OptionMap java = {
      {"bootstrap.servers", "localhost:1"},
      {"security.protocol", "SASL_SSL"},
      {"sasl.mechanism", "PLAIN"},
      {"sasl.jaas.config",
       "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" "
       "password=\"p;\\\"q\";"},
      {"fetch.max.wait.ms", "100"},
      {"max.poll.records", "5"},
      {"gruop.id", "g"},
      {"acks", "1"},
      {"ssl.endpoint.identification.algorithm", ""},
  };
  const ClientProperties consumer = translate_properties(java, PropertyScope::kConsumer, warn);
  CHECK(consumer.settings.at("isolation.level") == "read_uncommitted");
  CHECK(consumer.settings.at("sasl.username") == "u");
  CHECK(consumer.settings.at("sasl.password") == "p;\"q");
  CHECK(consumer.settings.at("security.protocol") == "sasl_ssl");
  CHECK(consumer.settings.at("fetch.wait.max.ms") == "100");
  CHECK(consumer.settings.at("ssl.endpoint.identification.algorithm") == "none");
  CHECK(!consumer.settings.contains("acks"));
  REQUIRE(warnings.size() == 2);
  CHECK(warnings[0].find("properties.group.id") != std::string::npos);
  CHECK(warnings[1].find("max.poll.records") != std::string::npos);

  const ClientProperties producer = translate_properties(java, PropertyScope::kProducer, nullptr);
  CHECK(producer.settings.at("enable.idempotence") == "false");
  const ClientProperties plain =
      translate_properties({{"bootstrap.servers", "x:1"}}, PropertyScope::kProducer, nullptr);
  CHECK(plain.settings.at("enable.idempotence") == "true");
}

TEST_CASE("properties that can't be honoured are refused by name") {
  const auto code_of = [](const stream::OptionMap& more) {
    stream::OptionMap java = more;
    java.emplace("bootstrap.servers", "x:1");
    try {
      translate_properties(java, PropertyScope::kProducer, nullptr);
    } catch (const Error& error) {
      CHECK(error.message().find("properties." + more.begin()->first) != std::string::npos);
      return error.code();
    }
    return ErrorCode::kInternal;
  };
  CHECK(code_of({{"interceptor.classes", "a.B"}}) == ErrorCode::kInvalidOption);
  CHECK(code_of({{"transactional.id", "x"}}) == ErrorCode::kInvalidOption);
  CHECK(code_of({{"partitioner.class", "a.B"}}) == ErrorCode::kInvalidOption);
  CHECK(code_of({{"sasl.jaas.config", "nonsense"}}) == ErrorCode::kInvalidOption);
  CHECK(code_of({{"buffer.memory", "lots"}}) == ErrorCode::kInvalidOption);
  CHECK_THROWS_AS(translate_properties({}, PropertyScope::kProducer, nullptr), const Error&);
}

TEST_CASE("the property table is in order, so that look-ups find every key") {
  for (const JavaProperty& property : java_properties()) {
    CHECK(find_java_property(property.key) == &property);
    CHECK((property.rule == PropertyRule::kRenamed) == !property.target.empty());
    const bool explains =
        property.rule == PropertyRule::kIgnored || property.rule == PropertyRule::kRefused;
    CHECK(explains == !property.note.empty());
  }
}

TEST_CASE("table options") {
  const Schema columns = {
      {"k", DataType::integer()}, {"a", DataType::string()}, {"b", DataType::string()}};
  const auto parse = [&](stream::OptionMap more) {
    stream::OptionMap options = table_options("x:1", "t");
    for (auto& [key, value] : more) {
      options[key] = value;
    }
    return parse_table_options(options, columns);
  };
  const TableOptions keyed =
      parse({{"key.format", "raw"}, {"key.fields", "k"}, {"value.fields-include", "EXCEPT_KEY"}});
  CHECK(keyed.key_fields == std::vector<int32_t>{0});
  CHECK(keyed.value_fields == std::vector<int32_t>{1, 2});
  const TableOptions specific =
      parse({{"scan.startup.mode", "specific-offsets"},
             {"scan.startup.specific-offsets", "partition:0,offset:42;partition:1,offset:300"}});
  CHECK(specific.start.offsets == std::map<int32_t, int64_t>{{0, 42}, {1, 300}});
  CHECK(parse({}).discovery_interval_ms == 300'000);

  const auto fails = [&](stream::OptionMap more, ErrorCode code, const std::string& part) {
    try {
      parse(std::move(more));
      FAIL("was taken");
    } catch (const Error& error) {
      CHECK(error.code() == code);
      CHECK((error.message() + error.hint_text()).find(part) != std::string::npos);
    }
  };
  fails({{"scan.start.mode", "x"}}, ErrorCode::kUnknownOption, "scan.startup.mode");
  fails({{"scan.startup.mode", "erliest-offset"}}, ErrorCode::kInvalidOption, "earliest-offset");
  fails({{"scan.startup.mode", "timestamp"}},
        ErrorCode::kMissingOption,
        "scan.startup.timestamp-millis");
  fails({{"key.fields", "k"}}, ErrorCode::kInvalidOption, "key.format");
  fails({{"key.format", "raw"}}, ErrorCode::kInvalidOption, "key.fields");
  fails({{"key.format", "raw"}, {"key.fields", "kk"}}, ErrorCode::kInvalidOption, "k");
  fails({{"value.format", "line"}}, ErrorCode::kInvalidOption, "exclude each other");
  fails({{"topic-pattern", "x"}}, ErrorCode::kInvalidOption, "exclude each other");
  fails({{"sink.delivery-guarantee", "exactly-once"}},
        ErrorCode::kMissingOption,
        "sink.transactional-id-prefix");
  fails({{"sink.partitioner", "fixd"}}, ErrorCode::kInvalidOption, "fixed");
}

TEST_CASE("splits and epochs come back as they were written") {
  const KafkaSplit split{{"a-topic-1", 12}, 5, 9};
  const KafkaSplit again = KafkaSplit::from_split(split.to_split());
  CHECK(again.partition == split.partition);
  CHECK(again.offset == 5);
  CHECK(again.stop == 9);
  CHECK(KafkaSplit::from_split({"t-0", "-2"}).offset == kEarliestOffset);
  CHECK_THROWS_AS(KafkaSplit::from_split({"t", "x"}), const Error&);

  EpochBuilder builder({}, nullptr);
  builder.send({.topic = 1,
                .partition = 3,
                .key = "k",
                .value = "value",
                .timestamp_ms = 7,
                .headers = {{"h", "v"}, {"n", std::nullopt}}});
  builder.send({.topic = 0,
                .partition = 0,
                .key = std::nullopt,
                .value = std::nullopt,
                .timestamp_ms = {},
                .headers = {}});
  const std::string bytes = builder.finish({"writer", "id-0", 4, "job"}, {"t0", "t1"});
  EpochReader reader(bytes, nullptr);
  CHECK(reader.identity().sequence == 4);
  CHECK(reader.topics() == std::vector<std::string>{"t0", "t1"});
  OutgoingRecord record;
  REQUIRE(reader.next(record));
  CHECK(record.key == "k");
  CHECK(record.timestamp_ms == 7);
  CHECK(record.headers.size() == 2);
  CHECK(!record.headers[1].second);
  REQUIRE(reader.next(record));
  CHECK(!record.value);
  CHECK(!reader.next(record));
  CHECK_THROWS_AS(EpochReader("nonsense", nullptr), const Error&);
  EpochBuilder small({.epoch_bytes = 4}, nullptr);
  CHECK_THROWS_AS(small.send({.topic = 0,
                              .partition = 0,
                              .key = "long",
                              .value = "value",
                              .timestamp_ms = {},
                              .headers = {}}),
                  const Error&);
}

TEST_CASE("an epoch of many records lies in a file, which is checked") {
  const testing::ScratchFolder folder;
  const std::string path = folder / "epoch";
  const auto send_all = [](EpochBuilder& builder) {
    const std::string value(100, 'v');
    for (int32_t i = 0; i < 5000; ++i) {
      builder.send({.topic = 0, .partition = i, .key = std::nullopt, .value = value});
    }
  };
  EpochBuilder builder({.memory_bytes = 1000}, [&] { return EpochFile{"name", path}; });
  CHECK(builder.empty());
  send_all(builder);
  CHECK(!builder.empty());
  const std::string bytes = builder.finish({"writer", "id-0", 4, "job"}, {"t0"});
  CHECK(builder.empty());
  CHECK(bytes.size() < 100);
  const auto path_of = [&](const std::string& name) {
    CHECK(name == "name");
    return path;
  };
  {
    EpochReader reader(bytes, path_of);
    CHECK(reader.identity().sequence == 4);
    for (int pass = 0; pass < 2; ++pass) {
      OutgoingRecord record;
      int32_t count = 0;
      while (reader.next(record)) {
        CHECK(record.partition == count++);
      }
      CHECK(count == 5000);
      reader.rewind();
    }
  }
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(100'000);
    file.put('!');
  }
  CHECK_THROWS_AS(EpochReader(bytes, path_of), const Error&);
  std::filesystem::remove(path);
  CHECK_THROWS_AS(EpochReader(bytes, path_of), const Error&);

  EpochBuilder kept({.memory_bytes = 1000}, [] { return EpochFile{}; });
  send_all(kept);
  CHECK(kept.finish({"writer", "id-0", 5, "job"}, {"t0"}).size() > 500'000);
}

}  // namespace
}  // namespace thalweg::connectors::kafka
