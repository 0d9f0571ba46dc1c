#include <doctest/doctest.h>

#include "thalweg/common/error.h"
#include "thalweg/formats/avro/avro_codec.h"
#include "thalweg/formats/avro/avro_confluent_format.h"
#include "thalweg/formats/avro/decimal_bytes.h"

namespace thalweg::formats {
namespace {

using namespace std::string_literals;

/// A registry in memory.
class TestRegistry final : public stream::SchemaRegistry {
 public:
  int32_t register_schema(const std::string& subject, const std::string& schema_json) override {
    subjects.push_back(subject);
    schemas.push_back(schema_json);
    return static_cast<int32_t>(schemas.size());
  }

  std::string schema_by_id(int32_t id) override {
    ++asked;
    if (id < 1 || static_cast<size_t>(id) > schemas.size()) {
      throw Error(ErrorCode::kSchemaNotFound, "no schema " + std::to_string(id));
    }
    return schemas[static_cast<size_t>(id) - 1];
  }

  std::vector<std::string> subjects;
  std::vector<std::string> schemas;
  int asked = 0;
};

struct Confluent {
  std::shared_ptr<TestRegistry> registry = std::make_shared<TestRegistry>();
  std::unique_ptr<stream::FormatFactory> format =
      make_avro_confluent_format([this](const stream::FormatContext&) { return registry; });

  static stream::FormatContext context(Schema schema, stream::OptionMap options = {}) {
    options.emplace("url", "http://nowhere");
    return {.schema = std::move(schema), .options = std::move(options), .topic = "t"};
  }

  std::string encode(const Schema& schema, const Batch& batch, stream::OptionMap options = {}) {
    std::string bytes;
    std::vector<size_t> ends;
    format->create_encoder(context(schema, std::move(options)))->encode(batch, bytes, ends);
    CHECK(ends.size() == static_cast<size_t>(batch.row_count()));
    return bytes;
  }

  /// The one row of `bytes`; throws what the decoder reports.
  Batch decode(const Schema& schema, std::string_view bytes, stream::OptionMap options = {}) {
    auto builders = make_builders(schema);
    const std::string_view records[] = {bytes};
    stream::DecodeResult result = format->create_decoder(context(schema, std::move(options)))
                                      ->decode(records, builders, nullptr, nullptr);
    if (result.failure) {
      throw std::move(*result.failure);
    }
    return finish_batch(builders);
  }
};

Batch one_row(const Schema& schema, const std::vector<Value>& values) {
  auto builders = make_builders(schema);
  for (size_t i = 0; i < values.size(); ++i) {
    builders[i].append_value(values[i]);
  }
  return finish_batch(builders);
}

ErrorCode code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::kInternal;
}

TEST_CASE("the derived schema is the text that Flink registers") {
  const Schema columns = {{"temperature", DataType::float64()},
                          {"ts", DataType::timestamp(3)},
                          {"id", DataType::integer().not_null()},
                          {"price", DataType::decimal(10, 2)},
                          {"r", DataType::row({{"x", DataType::array(DataType::string())}})},
                          {"m", DataType::map(DataType::string().not_null(), DataType::big_int())}};
  CHECK(
      avro::derive_schema(columns, {}) ==
      R"({"type":"record","name":"record","namespace":"org.apache.flink.avro.generated","fields":[)"
      R"({"name":"temperature","type":["null","double"],"default":null},)"
      R"({"name":"ts","type":["null",{"type":"long","logicalType":"timestamp-millis"}],"default":null},)"
      R"({"name":"id","type":"int"},)"
      R"({"name":"price","type":["null",{"type":"bytes","logicalType":"decimal","precision":10,"scale":2}],"default":null},)"
      R"({"name":"r","type":["null",{"type":"record","name":"record_r","fields":[)"
      R"({"name":"x","type":["null",{"type":"array","items":["null","string"]}],"default":null}]}],"default":null},)"
      R"({"name":"m","type":["null",{"type":"map","values":["null","long"]}],"default":null}]})");
  CHECK_THROWS_AS(avro::derive_schema({{"t", DataType::timestamp(6)}}, {}), const Error&);
  CHECK_THROWS_AS(avro::derive_schema({{"t", DataType::timestamp_ltz(3)}}, {}), const Error&);
  CHECK(avro::derive_schema({{"t", DataType::timestamp_ltz(6).not_null()}}, {.legacy = false})
            .find("\"timestamp-micros\"") != std::string::npos);
  CHECK_THROWS_AS(avro::derive_schema({{"a-b", DataType::integer()}}, {}), const Error&);
  const DataType structured = DataType::structured("c", {{"a", DataType::integer()}});
  CHECK_THROWS_AS(avro::derive_schema({{"v", DataType::variant()}}, {}), const Error&);
  CHECK_THROWS_AS(avro::derive_schema({{"s", DataType::array(structured)}}, {}), const Error&);
}

TEST_CASE("Confluent's framing and Avro's bytes") {
  Confluent confluent;
  const Schema columns = {{"temperature", DataType::float64()}, {"ts", DataType::timestamp(3)}};
  const std::string bytes =
      confluent.encode(columns, one_row(columns, {Value(55.0), Value(int64_t{1})}));
  CHECK(bytes == "\x00\x00\x00\x00\x01\x02\x00\x00\x00\x00\x00\x80\x4b\x40\x02\x02"s);
  CHECK(confluent.registry->subjects == std::vector<std::string>{"t-value"});
}

TEST_CASE("every type comes back as it was written") {
  const Schema columns = {
      {"b", DataType::boolean()},
      {"i8", DataType::tiny_int()},
      {"i16", DataType::small_int()},
      {"i32", DataType::integer().not_null()},
      {"i64", DataType::big_int()},
      {"f", DataType::float32()},
      {"d", DataType::float64()},
      {"s", DataType::string()},
      {"bin", DataType::bytes()},
      {"dec", DataType::decimal(20, 4)},
      {"date", DataType::date()},
      {"time", DataType::time(3)},
      {"ts", DataType::timestamp(3)},
      {"a", DataType::array(DataType::integer())},
      {"m", DataType::map(DataType::string(), DataType::string())},
      {"r", DataType::row({{"x", DataType::integer()}, {"y", DataType::string()}})},
  };
  const std::vector<Value> values = {
      Value(true),
      Value(int64_t{-7}),
      Value(int64_t{-300}),
      Value(int64_t{70000}),
      Value(int64_t{-1} << 40),
      Value(1.5),
      Value(-2.25),
      Value("h\xc3\xa9llo, this is long enough for the heap"s),
      Value("\x00\xff"s),
      Value(static_cast<Int128>(-1234567)),
      Value(int64_t{19000}),
      Value(int64_t{3'600'000}),
      Value(int64_t{-1}),
      Value(ValueList{Value(int64_t{1}), Value(), Value(int64_t{3})}),
      Value(ValueList{Value("k"s), Value("v"s), Value("n"s), Value()}),
      Value(ValueList{Value(int64_t{5}), Value()}),
  };
  Confluent confluent;
  const Batch batch =
      confluent.decode(columns, confluent.encode(columns, one_row(columns, values)));
  REQUIRE(batch.row_count() == 1);
  for (size_t i = 0; i < values.size(); ++i) {
    CAPTURE(columns[i].name);
    CHECK(value_at(batch.column(i), 0) == values[i]);
  }
  std::vector<Value> nulls(values.size());
  nulls[3] = Value(int64_t{0});
  const Batch empty = confluent.decode(columns, confluent.encode(columns, one_row(columns, nulls)));
  for (size_t i = 0; i < nulls.size(); ++i) {
    CHECK(value_at(empty.column(i), 0) == nulls[i]);
  }
}

TEST_CASE("decimals of every size") {
  const Int128 big = static_cast<Int128>(123456789012345678) * 1'000'000'000'000;
  for (const Int128 value : {Int128{0},
                             Int128{1},
                             Int128{-1},
                             Int128{127},
                             Int128{128},
                             Int128{-128},
                             Int128{-129},
                             big,
                             -big}) {
    CHECK(avro::decimal_from_bytes(avro::bytes_from_decimal(value)) == value);
  }
  CHECK(avro::bytes_from_decimal(128) == "\x00\x80"s);
  CHECK(avro::bytes_from_decimal(0) == "\x00"s);
}

TEST_CASE("a writer's other schema is resolved") {
  Confluent confluent;
  confluent.registry->schemas = {
      R"({"type":"record","name":"W","namespace":"x","fields":[
        {"name":"skipped","type":{"type":"map","values":["null","long",{"type":"array","items":"string"}]}},
        {"name":"n","type":"int"},
        {"name":"when","type":{"type":"long","logicalType":"timestamp-micros"}},
        {"name":"colour","type":{"type":"enum","name":"Colour","symbols":["RED","GREEN"]}},
        {"name":"self","type":["null","W"]},
        {"name":"amount","type":{"type":"fixed","name":"F","size":4,"logicalType":"decimal","precision":9,"scale":3}}
      ]})"};
  const std::string header = "\x00\x00\x00\x00\x01"s;
  const std::string body =
      "\x02\x02k\x04\x02\x02x\x00\x00"s  // skipped: {"k": ["x"]}
      "\x0e"                             // 7
      "\x80\x89\x7a"                     // 1000000 us
      "\x02"                             // GREEN
      "\x00"                             // null
      "\x00\x00\x04\xd3"s;               // 1.235
  const Schema columns = {{"n", DataType::big_int()},
                          {"when", DataType::timestamp(3)},
                          {"colour", DataType::string()},
                          {"later", DataType::integer()},
                          {"amount", DataType::decimal(10, 2)}};
  const Batch batch = confluent.decode(columns, header + body);
  CHECK(batch.column(0).at<int64_t>(0) == 7);
  CHECK(batch.column(1).at<int64_t>(0) == 1000);
  CHECK(batch.column(2).string_at(0) == "GREEN");
  CHECK(batch.column(3).is_null(0));
  CHECK(batch.column(4).at<Int128>(0) == 124);

  const std::string reader = R"({"type":"record","name":"R","fields":[
    {"name":"number","type":["null","long"],"aliases":["n"]},{"name":"later","type":"int","default":5}]})";
  const Schema renamed = {{"number", DataType::big_int()},
                          {"later", DataType::integer().not_null()}};
  const Batch aliased = confluent.decode(renamed, header + body, {{"schema", reader}});
  CHECK(aliased.column(0).at<int64_t>(0) == 7);
  CHECK(aliased.column(1).at<int32_t>(0) == 5);

  CHECK(code_of([&] { confluent.decode({{"n", DataType::string()}}, header + body); }) ==
        ErrorCode::kBadRecord);
  CHECK(code_of([&] {
          confluent.decode({{"x", DataType::integer().not_null()}}, header + body);
        }) == ErrorCode::kBadRecord);
}

TEST_CASE("bad records are told, and leave no half row") {
  Confluent confluent;
  const Schema columns = {{"a", DataType::integer()}, {"s", DataType::string()}};
  const std::string good =
      confluent.encode(columns, one_row(columns, {Value(int64_t{1}), Value("text"s)}));
  CHECK(code_of([&] { confluent.decode(columns, "{}"); }) == ErrorCode::kBadRecord);
  CHECK(code_of([&] { confluent.decode(columns, "\x01\x00\x00\x00\x01"s); }) ==
        ErrorCode::kBadRecord);
  CHECK(code_of([&] { confluent.decode(columns, "\x00\x00\x00\x00\x09"s); }) ==
        ErrorCode::kSchemaNotFound);
  for (size_t size = 5; size < good.size(); ++size) {
    auto builders = make_builders(columns);
    const std::string_view records[] = {good, std::string_view(good).substr(0, size), good};
    std::vector<int32_t> rows;
    const auto result = confluent.format->create_decoder(Confluent::context(columns))
                            ->decode(records, builders, &rows, nullptr);
    CHECK(result.records == 1);
    REQUIRE(result.failure);
    CHECK(finish_batch(builders).row_count() == 1);
  }
  const int asked = confluent.registry->asked;
  auto builders = make_builders(columns);
  const std::string_view records[] = {good, {}, good};
  confluent.format->create_decoder(Confluent::context(columns))
      ->decode(records, builders, nullptr, nullptr);
  CHECK(finish_batch(builders).row_count() == 2);
  CHECK(confluent.registry->asked == asked + 1);
}

TEST_CASE("a given schema is written, and must fit") {
  Confluent confluent;
  const Schema columns = {{"a", DataType::integer()}};
  const auto encode = [&](const std::string& schema, const Value& value) {
    return confluent.encode(
        columns, one_row(columns, {value}), {{"schema", schema}, {"subject", "s"}});
  };
  const std::string text = encode(
      R"({"type":"record","name":"x","fields":[{"name":"extra","type":["string","null"]},{"name":"a","type":["long","null"]}]})",
      Value(int64_t{3}));
  CHECK(text.substr(5) == "\x02\x00\x06"s);
  CHECK(confluent.registry->subjects.back() == "s");
  const std::string strict = R"({"type":"record","name":"x","fields":[{"name":"a","type":"int"}]})";
  CHECK(code_of([&] { encode(strict, Value()); }) == ErrorCode::kEncodeFailed);
  CHECK(code_of([&] {
          encode(R"({"type":"record","name":"x","fields":[{"name":"a","type":"string"}]})",
                 Value());
        }) == ErrorCode::kInvalidOption);
  CHECK(code_of([&] { encode("{", Value()); }) == ErrorCode::kInvalidOption);
  CHECK(code_of([&] {
          encode(R"({"type":"record","name":"x","fields":[{"name":"b","type":["null","int"]}]})",
                 Value());
        }) == ErrorCode::kInvalidOption);
}

TEST_CASE("plain Avro reads by position, whatever is wanted of it") {
  const auto format = make_avro_format();
  const Schema columns = {
      {"a", DataType::integer()}, {"b", DataType::string()}, {"c", DataType::timestamp_ltz(3)}};
  stream::FormatContext context{.schema = columns,
                                .options = {{"timestamp_mapping.legacy", "false"}}};
  std::string bytes;
  std::vector<size_t> ends;
  format->create_encoder(context)->encode(
      one_row(columns, {Value(int64_t{1}), Value("x"s), Value(int64_t{9})}), bytes, ends);
  context.projection = std::vector<int32_t>{1};
  auto builders = make_builders({{"b", DataType::string()}});
  const std::string_view records[] = {bytes};
  const auto result = format->create_decoder(context)->decode(records, builders, nullptr, nullptr);
  CHECK(!result.failure);
  CHECK(finish_batch(builders).column(0).string_at(0) == "x");
}

}  // namespace
}  // namespace thalweg::formats
