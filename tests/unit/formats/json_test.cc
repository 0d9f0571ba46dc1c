#include <doctest/doctest.h>

#include "formats/codec.h"
#include "thalweg/common/error.h"

using namespace thalweg;
using namespace thalweg::formats::testing;
using Rows = std::vector<std::string>;

namespace {

const Schema kThree = {
    {"id", DataType::integer()}, {"size_mm", DataType::integer()}, {"tag", DataType::string()}};

Decoded decode_one(const DataType& type,
                   const std::string& record,
                   stream::OptionMap options = {}) {
  return decode("json", {.schema = {{"x", type}}, .options = std::move(options)}, {record});
}

std::string value(const DataType& type, const std::string& json, stream::OptionMap options = {}) {
  const Decoded decoded = decode_one(type, "{\"x\":" + json + "}", std::move(options));
  return decoded.failure.empty() ? decoded.rows.empty() ? "(skipped)" : decoded.rows[0]
                                 : "(failed)";
}

const stream::OptionMap kLax = {{"ignore-parse-errors", "true"}};
const stream::OptionMap kIso = {{"timestamp-format.standard", "ISO-8601"}};

}  // namespace

TEST_CASE("json: bad records and fields, lax") {
  const Decoded decoded = decode("json",
                                 {.schema = kThree, .options = kLax},
                                 {R"({"id":1,"size_mm":10,"tag":"a"})",
                                  R"({"id":2,"size_mm":)",
                                  R"({"id":3,"size_mm":"abc","tag":"c"})",
                                  R"({"id":4,"size_mm":004,"tag":"d"})",
                                  "hello",
                                  "",
                                  R"({"id":5,"size_mm":"50","tag":7,"more":{"x":1}})",
                                  R"({"id":6,"size_mm":60,"tag":null})"});
  CHECK(decoded.rows == Rows{"1, 10, a", "3, null, c", "5, 50, 7", "6, 60, null"});
  CHECK(decoded.skipped == 3);
}

TEST_CASE("json: the rows before a bad record are kept") {
  const Decoded decoded = decode(
      "json", {.schema = kThree}, {R"({"id":1,"size_mm":10,"tag":"a"})", R"({"id":2,"size_mm":)"});
  CHECK(decoded.rows == Rows{"1, 10, a"});
  CHECK(decoded.failure.starts_with("Failed to deserialize JSON '{\"id\":2,\"size_mm\":'."));
}

TEST_CASE("json: members in any order, missing, repeated, unknown") {
  CHECK(decode("json",
               {.schema = kThree},
               {R"({"tag":"a","id":1})",
                R"({"size_mm":2,"tag":"b","id":2})",
                R"({"id":1,"id":2,"more":[1,{"a":"]"}],"tag":"c"})",
                R"({"i\u0064":4})",
                R"( { "id" : 5 } )"})
            .rows == Rows{"1, null, a", "2, 2, b", "2, null, c", "4, null, null", "5, null, null"});
  CHECK(decode("json",
               {.schema = kThree, .options = {{"fail-on-missing-field", "true"}}},
               {R"({"id":1,"tag":"a"})"})
            .failure.ends_with("Some field is missing in the JSON data."));
  CHECK(decode("json", {.schema = kThree, .projection = {{2}}}, {R"({"id":"x","tag":"a"})"}).rows ==
        Rows{"a"});
}

TEST_CASE("json: what nobody wants must be JSON too") {
  for (const char* bad : {"004", "tru", "[1,]", "{\"a\" 1}", "+1", "[01]"}) {
    CHECK(decode("json",
                 {.schema = {{"id", DataType::integer()}}},
                 {std::string("{\"y\":") + bad + ",\"id\":1}"})
              .rows.empty());
  }
}

TEST_CASE("json: numbers as Jackson takes them") {
  CHECK(value(DataType::integer(), "2.9") == "2");
  CHECK(value(DataType::integer(), "\" 7 \"") == "7");
  CHECK(value(DataType::integer(), "2147483648") == "(failed)");
  CHECK(value(DataType::integer(), "2147483648", kLax) == "null");
  CHECK(value(DataType::integer(), "true") == "(failed)");
  CHECK(value(DataType::integer(), "{}", kLax) == "null");
  CHECK(value(DataType::integer(), "-0") == "0");
  CHECK(value(DataType::tiny_int(), "127") == "127");
  CHECK(value(DataType::tiny_int(), "128") == "(failed)");
  CHECK(value(DataType::small_int(), "2.9") == "(failed)");
  CHECK(value(DataType::big_int(), "9223372036854775807") == "9223372036854775807");
  CHECK(value(DataType::big_int(), "9223372036854775808") == "(failed)");
  CHECK(value(DataType::big_int(), "1.5e3") == "1500");
  CHECK(value(DataType::float64(), "1e10") == "1.0E10");
  CHECK(value(DataType::float64(), "3") == "3.0");
  CHECK(value(DataType::float64(), "\"NaN\"") == "NaN");
  CHECK(value(DataType::float64(), "NaN") == "(failed)");
  CHECK(value(DataType::float32(), "0.1") == "0.1");
  CHECK(value(DataType::decimal(5, 2), "1.255") == "1.26");
  CHECK(value(DataType::decimal(5, 2), "\"1.25\"") == "1.25");
  CHECK(value(DataType::decimal(3, 2), "12345") == "null");
  CHECK(value(DataType::decimal(5, 2), "\"abc\"") == "(failed)");
}

TEST_CASE("json: text, booleans and bytes") {
  CHECK(value(DataType::string(), R"("h\u00e9\n")") == "h\u00e9\n");
  CHECK(value(DataType::string(), "5.50") == "5.50");
  CHECK(value(DataType::string(), "true") == "true");
  CHECK(value(DataType::string(), R"({ "z" : 1.50, "s": "a b" })") == R"({"z":1.5,"s":"a b"})");
  CHECK(value(DataType::string(), "\"a\tb\"") == "a\tb");
  CHECK(value(DataType::string(), R"("\q")") == "(failed)");
  CHECK(value(DataType::boolean(), "true") == "true");
  CHECK(value(DataType::boolean(), "\" TRUE \"") == "true");
  CHECK(value(DataType::boolean(), "1") == "false");
  CHECK(value(DataType::bytes(), "\"aGk=\"") == "[104, 105]");
  CHECK(value(DataType::bytes(), "\"aGk\"") == "(failed)");
}

TEST_CASE("json: dates and times are strict") {
  CHECK(value(DataType::date(), "\"2024-02-29\"") == "2024-02-29");
  CHECK(value(DataType::date(), "\"2023-02-29\"") == "(failed)");
  CHECK(value(DataType::date(), "\"2024-2-9\"") == "(failed)");
  CHECK(value(DataType::time(), "\"12:34:56\"") == "12:34:56");
  CHECK(value(DataType::timestamp(3), "\"2024-01-02 03:04:05.123\"") == "2024-01-02T03:04:05.123");
  CHECK(value(DataType::timestamp(3), "\"2024-01-02T03:04:05\"") == "(failed)");
  CHECK(value(DataType::timestamp(3), "\"2024-01-02 03:04\"") == "(failed)");
  CHECK(value(DataType::timestamp(3), "\"2024-01-02T03:04\"", kIso) == "2024-01-02T03:04");
  CHECK(value(DataType::timestamp(6), "\"2024-01-02 03:04:05.123456\"") ==
        "2024-01-02T03:04:05.123456");
  CHECK(value(DataType::timestamp_ltz(3), "\"2024-01-02 03:04:05.5Z\"") ==
        "2024-01-02T03:04:05.500Z");
  CHECK(value(DataType::timestamp_ltz(3), "\"2024-01-02 03:04:05\"") == "(failed)");
}

namespace {

/// Values in the place of usual ones: a member's name, what it usually is, what else it may be.
struct Replacement {
  const char* member;
  const char* usual;
  std::vector<const char*> others;
};

const std::vector<Replacement> kReplacements = {
    {"x", "1.5", {"\"q\"", "-0.5", "01", "1.", "1e5", "tru", "null", "{\"a\":[1,{}]}", "[1,]"}},
    {"b", "1", {"-12", "007", "1.5", "123456789012345678901", "\"9\"", "null", "-", "true"}},
    {"d", "0.25", {"2", "-1e3", ".5", "\"0.5\"", "null", "1234567890.12345678", "NaN"}},
    {"s",
     "\"one\"",
     {"\"\"",
      "\"a\"",
      "\"abcd\"",
      "\"abcdefghijkl\"",
      "\"abcdefghijklm\"",
      "7",
      "null",
      "\"a\\nb\"",
      "\"123456789012345678901234567890\\u0041\"",
      "{\"k\": 1}",
      "\"\xC3\xBC\""}},
    {"t",
     "\"2024-01-02 03:04:05.678\"",
     {"\"2024-01-02 03:04:59.999\"",
      "\"2024-01-02 03:04:60.000\"",
      "\"2024-01-02 03:04:05\"",
      "\"2024-01-02 24:00:00.000\"",
      "\"2024-02-31 03:04:05.678\"",
      "\"2024-01-02T03:04:05.678\"",
      "\"2024-01-02 03:04:05.67\"",
      "\"2024-01-02 03:04:0x.678\"",
      "1",
      "null"}},
    {"r",
     "{\"i\":7,\"s\":\"in\"}",
     {"null", "{}", "{\"s\":\"x\",\"i\":1}", "{\"i\":1}", "[]", "3", "{\"i\":\"x\",\"s\":\"y\"}"}},
};

}  // namespace

TEST_CASE("json: a record is read alike whatever came before it") {
  const Schema schema = {
      {"b", DataType::big_int()},
      {"d", DataType::float64()},
      {"s", DataType::string()},
      {"t", DataType::timestamp(3)},
      {"r", DataType::row({{"i", DataType::integer()}, {"s", DataType::string()}})}};
  const std::string usual =
      R"({"x":1.5,"b":1,"d":0.25,"s":"one","t":"2024-01-02 03:04:05.678","r":{"i":7,"s":"in"},"y":[1]})";
  const auto with = [&](const std::string& name, const std::string& old, const std::string& other) {
    std::string record = usual;
    const std::string member = "\"" + name + "\":";
    return record.replace(record.find(member + old), member.size() + old.size(), member + other);
  };
  std::vector<std::string> records = {"", "{}", "{", usual + " ", usual + "x", " " + usual};
  for (const Replacement& replacement : kReplacements) {
    for (const char* other : replacement.others) {
      records.push_back(with(replacement.member, replacement.usual, other));
    }
  }
  records.push_back(R"({"b":2,"b":3,"d":1,"s":"t","t":null,"r":null})");
  const std::string shown = decode("json", {.schema = schema}, {usual}).rows.at(0);
  for (const std::string& record : records) {
    CAPTURE(record);
    const stream::FormatContext context = {.schema = schema, .options = kLax};
    Rows expected = decode("json", context, {record}).rows;
    expected.insert(expected.begin(), 2, shown);
    expected.insert(expected.end(), 2, shown);
    CHECK(decode("json", context, {usual, usual, record, usual, usual}).rows == expected);
    const Decoded strict = decode("json", {.schema = schema}, {usual, usual, record});
    CHECK(strict.failure == decode("json", {.schema = schema}, {record}).failure);
  }
  // An hour that ends a day, twice: what is remembered of the first must not mislead.
  const std::string midnight =
      with("t", "\"2024-01-02 03:04:05.678\"", "\"2024-01-02 24:00:00.000\"");
  const std::string beyond =
      with("t", "\"2024-01-02 03:04:05.678\"", "\"2024-01-02 24:00:01.000\"");
  CHECK(!decode("json", {.schema = schema}, {usual, midnight, midnight, beyond}).failure.empty());
}

TEST_CASE("json: records of many shapes") {
  std::vector<std::string> records;
  Rows expected;
  for (int i = 0; i < 1000; ++i) {
    const bool swapped = i % 3 == 0 || i > 500;
    const std::string id = std::to_string(i);
    records.push_back(swapped ? "{\"tag\":\"t\",\"id\":" + id + ",\"size_mm\":1}"
                              : "{\"id\":" + id + ",\"size_mm\":1,\"tag\":\"t\"}");
    expected.push_back(id + ", 1, t");
  }
  CHECK(decode("json", {.schema = kThree}, records).rows == expected);
}

TEST_CASE("json: nested values") {
  const DataType row =
      DataType::row({{"p", DataType::integer()}, {"q", DataType::array(DataType::string())}});
  CHECK(value(row, R"({"q":["a",null,1],"p":2,"r":3})") == "+I[2, [a, null, 1]]");
  CHECK(value(row, "null") == "null");
  CHECK(value(row, "5", kLax) == "null");
  CHECK(value(row, R"({"p":"x","q":[]})", kLax) == "+I[null, []]");
  CHECK(value(DataType::map(DataType::string(), DataType::integer()), R"({"a":1,"b":"2"})") ==
        "{a=1, b=2}");
  CHECK(value(DataType::array(row), R"([{"p":1},null,{"q":["x"]}])") ==
        "[+I[1, null], null, +I[null, [x]]]");
  CHECK_THROWS_AS(decode_one(DataType::map(DataType::integer(), DataType::integer()), "{}"), Error);
}

TEST_CASE("json: a half-read nested row leaves nothing behind") {
  const DataType row =
      DataType::row({{"p", DataType::integer()}, {"q", DataType::array(DataType::integer())}});
  CHECK(decode("json",
               {.schema = {{"x", row}}, .options = kLax},
               {R"({"x":{"p":1,"q":[1,2)", R"({"x":{"p":2,"q":[3,"x"]}})"})
            .rows == Rows{"+I[2, [3, null]]"});
}

TEST_CASE("json: what Jackson forgives") {
  CHECK(
      decode("json", {.schema = kThree}, {"\xEF\xBB\xBF{\"id\":1}", "{\"id\":2} and more"}).rows ==
      Rows{"1, null, null", "2, null, null"});
  CHECK(decode("json", {.schema = kThree}, {"[1]"}).rows.empty());
  CHECK(decode("json", {.schema = kThree}, {"{\"tag\":\"\xff\"}"}).rows.empty());
}

TEST_CASE("json: rows are written as Jackson writes them") {
  const Schema schema = {{"d", DataType::decimal(10, 2)},
                         {"f", DataType::float64()},
                         {"s", DataType::string()},
                         {"n", DataType::string()},
                         {"t", DataType::timestamp(3)},
                         {"b", DataType::bytes()},
                         {"tm", DataType::time()},
                         {"a", DataType::array(DataType::integer())}};
  const Batch batch = one_row(schema,
                              {Value(Int128{1250}),
                               Value(1e10),
                               Value(std::string("he \"x\"\n\x01\u00e9/")),
                               Value(),
                               Value(int64_t{1704164645678}),
                               Value(std::string("hi")),
                               Value(int64_t{45296789}),
                               Value(ValueList{Value(int64_t{1}), Value()})});
  CHECK(encode("json", {.schema = schema}, batch) ==
        Rows{"{\"d\":12.5,\"f\":1.0E10,\"s\":\"he \\\"x\\\"\\n\\u0001\u00e9/\",\"n\":null,"
             "\"t\":\"2024-01-02 03:04:05.678\",\"b\":\"aGk=\",\"tm\":\"12:34:56\","
             "\"a\":[1,null]}"});
  CHECK(encode("json",
               {.schema = schema,
                .options = {{"encode.ignore-null-fields", "true"},
                            {"encode.decimal-as-plain-number", "true"},
                            {"timestamp-format.standard", "ISO-8601"}}},
               batch)[0]
            .starts_with("{\"d\":12.50,\"f\":1.0E10,\"s\":"));
}

TEST_CASE("json: decimals and non-finite doubles") {
  const Schema schema = {{"d", DataType::decimal(10, 2)}, {"f", DataType::float64()}};
  const auto written = [&schema](Int128 unscaled, double number) {
    return encode("json", {.schema = schema}, one_row(schema, {Value(unscaled), Value(number)}))[0];
  };
  CHECK(written(10000, 100) == "{\"d\":1E+2,\"f\":100.0}");
  CHECK(written(0, -0.0) == "{\"d\":0,\"f\":-0.0}");
  CHECK(written(-1250, NAN) == "{\"d\":-12.5,\"f\":\"NaN\"}");
  CHECK(written(1, -INFINITY) == "{\"d\":0.01,\"f\":\"-Infinity\"}");
}

TEST_CASE("json: null keys of maps") {
  const Schema schema = {{"m", DataType::map(DataType::string(), DataType::integer())}};
  const Batch batch = one_row(
      schema, {Value(ValueList{Value(), Value(int64_t{1}), Value(std::string("a")), Value()})});
  CHECK_THROWS_AS(encode("json", {.schema = schema}, batch), Error);
  CHECK(encode("json", {.schema = schema, .options = {{"map-null-key.mode", "DROP"}}}, batch) ==
        Rows{"{\"m\":{\"a\":null}}"});
  CHECK(encode("json",
               {.schema = schema,
                .options = {{"map-null-key.mode", "LITERAL"}, {"map-null-key.literal", "nil"}}},
               batch) == Rows{"{\"m\":{\"nil\":1,\"a\":null}}"});
}

TEST_CASE("json: options") {
  CHECK_THROWS_AS(
      decode("json",
             {.schema = kThree,
              .options = {{"fail-on-missing-field", "true"}, {"ignore-parse-errors", "true"}}},
             {}),
      Error);
  CHECK_THROWS_AS(decode("jsno", {.schema = kThree}, {}), Error);
}
