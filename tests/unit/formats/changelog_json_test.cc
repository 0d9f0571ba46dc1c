#include <doctest/doctest.h>

#include "formats/codec.h"
#include "thalweg/common/error.h"

using namespace thalweg;
using namespace thalweg::formats::testing;
using Rows = std::vector<std::string>;

namespace {

const Schema kItem = {{"id", DataType::integer()}, {"v", DataType::integer()}};

struct Changes {
  Rows rows;
  std::string failure;
  int64_t skipped = 0;
  std::vector<int32_t> per_record;
};

Changes read(const std::string& format, const Rows& records, stream::OptionMap options = {}) {
  const formats::FormatRegistry registry;
  const auto decoder =
      registry.format(format).create_decoder({.schema = kItem, .options = std::move(options)});
  std::vector<ColumnBuilder> builders = make_builders(kItem);
  const std::vector<std::string_view> views(records.begin(), records.end());
  std::vector<RowKind> kinds;
  Changes changes;
  const stream::DecodeResult result = decoder->decode(views, builders, &changes.per_record, &kinds);
  changes.rows = show(finish_batch(builders));
  REQUIRE(changes.rows.size() == kinds.size());
  for (size_t i = 0; i < kinds.size(); ++i) {
    changes.rows[i] = std::string(short_name(kinds[i])) + " " + changes.rows[i];
  }
  changes.failure = result.failure ? result.failure->message() : "";
  changes.skipped = result.skipped;
  return changes;
}

const stream::OptionMap kLax = {{"ignore-parse-errors", "true"}};

Rows written(const std::string& format, stream::OptionMap options = {}) {
  std::vector<ColumnBuilder> builders = make_builders(kItem);
  for (const int64_t id : {1, 1, 1, 2}) {
    builders[0].append_value(Value(id));
    builders[1].append_value(id == 2 ? Value() : Value(int64_t{10}));
  }
  Batch batch = finish_batch(builders);
  batch.set_kinds(
      {RowKind::kInsert, RowKind::kUpdateBefore, RowKind::kUpdateAfter, RowKind::kDelete});
  return encode(format, {.schema = kItem, .options = std::move(options)}, batch);
}

}  // namespace

TEST_CASE("debezium-json: rows that come, change and go") {
  const Changes changes = read("debezium-json",
                               {R"({"before":null,"after":{"id":1,"v":10},"op":"c","ts_ms":5})",
                                R"({"before":{"id":1,"v":10},"after":{"id":1,"v":11},"op":"u"})",
                                "",
                                R"({"after":{"id":3,"v":30},"op":"r"})",
                                R"({"before":{"id":1,"v":11},"after":null,"op":"d"})"});
  CHECK(changes.rows == Rows{"+I 1, 10", "-U 1, 10", "+U 1, 11", "+I 3, 30", "-D 1, 11"});
  CHECK(changes.per_record == std::vector<int32_t>{1, 2, 0, 1, 1});
  CHECK(changes.failure.empty());
}

TEST_CASE("debezium-json: the change below payload") {
  const Changes changes =
      read("debezium-json",
           {R"({"schema":{"type":"struct"},"payload":{"after":{"id":1,"v":1},"op":"c"}})"},
           {{"schema-include", "true"}});
  CHECK(changes.rows == Rows{"+I 1, 1"});
}

TEST_CASE("debezium-json: what is wrong is said, and the rows before are kept") {
  const std::string good = R"({"after":{"id":1,"v":1},"op":"c"})";
  const auto failure = [&](const std::string& record) {
    const Changes changes = read("debezium-json", {good, record});
    CHECK(changes.rows == Rows{"+I 1, 1"});
    return changes.failure;
  };
  CHECK(failure(R"({"after":{"id":1,"v":1},"op":"x"})").find(R"(Unknown "op" value "x")") !=
        std::string::npos);
  CHECK(failure(R"({"before":null,"after":{"id":1,"v":1},"op":"u"})").find("REPLICA IDENTITY") !=
        std::string::npos);
  CHECK(failure(R"({"before":{"id":1,"v":1},"after":{"id":1,"v":"x"},"op":"u"})")
            .starts_with("Corrupt Debezium JSON message"));
  CHECK(failure("hello").starts_with("Corrupt Debezium JSON message 'hello'"));
  const Changes lax =
      read("debezium-json", {good, "hello", R"({"after":{"id":2,"v":"x"},"op":"c"})"}, kLax);
  CHECK(lax.rows == Rows{"+I 1, 1", "+I 2, null"});
  CHECK(lax.skipped == 1);
}

TEST_CASE("debezium-json: a record whose one row is broken gives none") {
  const Changes changes = read("debezium-json",
                               {R"({"before":{"id":1,"v":10},"after":{"id":1,"v":"\q"},"op":"u"})",
                                R"({"before":{"id":1,"v":10},"after":{"id":1,"v":11},"op":"u"})"},
                               kLax);
  CHECK(changes.rows == Rows{"-U 1, 10", "+U 1, 11"});
  CHECK(changes.per_record == std::vector<int32_t>{0, 2});
  CHECK(changes.skipped == 1);
}

TEST_CASE(
    "debezium-json and ogg-json: an update is written as a row that goes and one that comes") {
  CHECK(written("debezium-json") == Rows{R"({"before":null,"after":{"id":1,"v":10},"op":"c"})",
                                         R"({"before":{"id":1,"v":10},"after":null,"op":"d"})",
                                         R"({"before":null,"after":{"id":1,"v":10},"op":"c"})",
                                         R"({"before":{"id":2,"v":null},"after":null,"op":"d"})"});
  CHECK(written("debezium-json", {{"encode.ignore-null-fields", "true"}})[3] ==
        R"({"before":{"id":2},"op":"d"})");
  CHECK(written("ogg-json")[1] == R"({"before":{"id":1,"v":10},"after":null,"op_type":"D"})");
  CHECK_THROWS_AS(written("debezium-json", {{"schema-include", "true"}}), Error);
}

TEST_CASE("ogg-json: its own letters") {
  const Changes changes =
      read("ogg-json",
           {R"({"after":{"id":1,"v":10},"op_type":"I"})",
            R"({"before":{"id":1,"v":10},"after":{"id":1,"v":11},"op_type":"U"})",
            R"({"before":{"id":1,"v":11},"op_type":"D"})",
            R"({"before":{"id":1,"v":11},"op_type":"T"})"});
  CHECK(changes.rows == Rows{"+I 1, 10", "-U 1, 10", "+U 1, 11", "-D 1, 11"});
  CHECK(changes.failure.find(R"(Unknown "op_type" value "T")") != std::string::npos);
}

TEST_CASE("canal-json: several rows a record, and old values only where they changed") {
  const Changes changes = read(
      "canal-json",
      {R"({"data":[{"id":"1","v":"10"},{"id":"2","v":"20"}],"old":null,"type":"INSERT"})",
       R"({"data":[{"id":"1","v":"11"},{"id":"2","v":"21"}],"old":[{"v":"10"},{"v":null}],"type":"UPDATE"})",
       R"({"data":null,"type":"CREATE"})",
       R"({"data":[{"id":"2","v":"21"}],"type":"DELETE"})"});
  CHECK(changes.rows ==
        Rows{"+I 1, 10", "+I 2, 20", "-U 1, 10", "+U 1, 11", "-U 2, null", "+U 2, 21", "-D 2, 21"});
  CHECK(changes.per_record == std::vector<int32_t>{2, 4, 0, 1});
  CHECK(written("canal-json")[0] == R"({"data":[{"id":1,"v":10}],"type":"INSERT"})");
  CHECK(written("canal-json")[1] == R"({"data":[{"id":1,"v":10}],"type":"DELETE"})");
}

TEST_CASE("canal-json: records of other tables are passed over") {
  const Rows records = {R"({"data":[{"id":1,"v":1}],"type":"INSERT","database":"d","table":"a"})",
                        R"({"data":[{"id":2,"v":2}],"type":"INSERT","database":"d","table":"b"})"};
  CHECK(read("canal-json", records, {{"table.include", "b|c"}}).rows == Rows{"+I 2, 2"});
  CHECK(read("canal-json", records, {{"database.include", "x.*"}}).rows.empty());
}

TEST_CASE("maxwell-json: old values only where they changed") {
  const Changes changes = read("maxwell-json",
                               {R"({"data":{"id":1,"v":10},"type":"insert"})",
                                R"({"data":{"id":1,"v":11},"old":{"v":10},"type":"update"})",
                                R"({"data":{"id":1,"v":11},"type":"delete"})",
                                R"({"data":{"id":1,"v":11},"type":"bootstrap-start"})"});
  CHECK(changes.rows == Rows{"+I 1, 10", "-U 1, 10", "+U 1, 11", "-D 1, 11"});
  CHECK(changes.failure.find(R"(Unknown "type" value "bootstrap-start")") != std::string::npos);
  CHECK(written("maxwell-json")[1] == R"({"data":{"id":1,"v":10},"type":"delete"})");
}
