#include <doctest/doctest.h>

#include "formats/codec.h"
#include "thalweg/common/error.h"

using namespace thalweg;
using namespace thalweg::formats::testing;
using Rows = std::vector<std::string>;

namespace {

const Schema kNumbers = {
    {"a", DataType::integer()}, {"b", DataType::integer()}, {"c", DataType::integer()}};
const Schema kTexts = {{"id", DataType::integer()}, {"t", DataType::string()}};
const stream::OptionMap kLax = {{"ignore-parse-errors", "true"}};

std::string value(const DataType& type, const std::string& text, stream::OptionMap options = {}) {
  const Decoded decoded =
      decode("csv", {.schema = {{"x", type}}, .options = std::move(options)}, {text});
  return decoded.failure.empty() ? decoded.rows.empty() ? "(skipped)" : decoded.rows[0]
                                 : "(failed)";
}

size_t record_end(const std::string& bytes, stream::OptionMap options = {}) {
  const thalweg::formats::FormatRegistry registry;
  return registry.format("csv")
      .create_decoder({.schema = kTexts, .options = std::move(options)})
      ->record_end(bytes);
}

}  // namespace

TEST_CASE("csv: ragged lines") {
  const Decoded lax = decode("csv",
                             {.schema = kNumbers, .options = kLax},
                             {"1,2,3", "4", "5,6,7,8", "x,9,10", "11,12,13", "1,2,3, "});
  CHECK(lax.rows == Rows{"1, 2, 3", "4, null, null", "null, 9, 10", "11, 12, 13", "1, 2, 3"});
  CHECK(lax.skipped == 1);
  const Decoded strict = decode("csv", {.schema = kNumbers}, {"1,2,3", "4"});
  CHECK(strict.rows == Rows{"1, 2, 3"});
  CHECK(strict.failure ==
        "Failed to deserialize CSV row '4'. Row length mismatch. 3 fields expected but was 1.");
}

TEST_CASE("csv: quotes, escapes, delimiters") {
  CHECK(decode("csv",
               {.schema = kTexts, .options = {{"field-delimiter", ";"}}},
               {"1;\"a;b\"", "2;\"say \"\"hi\"\"\"", "3;plain", "4;5\" pipe", "5;\"x\"  "})
            .rows == Rows{"1, a;b", "2, say \"hi\"", "3, plain", "4, 5\" pipe", "5, x"});
  CHECK(decode("csv",
               {.schema = kTexts,
                .options = {{"field-delimiter", ";"}, {"disable-quote-character", "true"}}},
               {"1;5\" pipe", "2;\"both\""})
            .rows == Rows{"1, 5\" pipe", "2, \"both\""});
  CHECK(decode(
            "csv",
            {.schema = kTexts, .options = {{"field-delimiter", "\\t"}, {"escape-character", "\\"}}},
            {"1\ta\\\tb\\n"})
            .rows == Rows{"1, a\tb\n"});
  CHECK(decode("csv", {.schema = kTexts, .options = {{"field-delimiter", "§"}}}, {"1§\"a§\"§"})
            .rows == Rows{"1, a§"});
  CHECK(decode("csv", {.schema = kTexts}, {"1,\"a\"b"}).failure.find("Unexpected character") !=
        std::string::npos);
  CHECK(decode("csv", {.schema = kTexts}, {"1,\"a"})
            .failure.ends_with("Missing closing quote for value"));
}

TEST_CASE("csv: comments, null literals, projection") {
  CHECK(decode("csv",
               {.schema = kTexts, .options = {{"allow-comments", "true"}}},
               {"# one", "", " #two", " 1,#x"})
            .rows == Rows{"1, #x"});
  CHECK(decode("csv",
               {.schema = kTexts, .options = {{"null-literal", "n/a"}}},
               {"n/a,n/a", "1,\"n/a\""})
            .rows == Rows{"null, null", "1, null"});
  CHECK(decode("csv", {.schema = kTexts, .projection = {{1}}}, {"x,a"}).rows == Rows{"a"});
}

TEST_CASE("csv: values") {
  CHECK(value(DataType::integer(), " 4 ") == "4");
  CHECK(value(DataType::integer(), "") == "(failed)");
  CHECK(value(DataType::integer(), "", kLax) == "null");
  CHECK(value(DataType::integer(), "1.5") == "(failed)");
  CHECK(value(DataType::float64(), "1e3") == "1000.0");
  CHECK(value(DataType::boolean(), " True") == "true");
  CHECK(value(DataType::boolean(), "yes") == "false");
  CHECK(value(DataType::string(), " sp ") == " sp ");
  CHECK(value(DataType::decimal(10, 2), "12.345") == "12.35");
  CHECK(value(DataType::decimal(10, 2), " 1") == "(failed)");
  CHECK(value(DataType::date(), "2024-2-9") == "2024-02-09");
  CHECK(value(DataType::date(), "2023-02-30") == "2023-03-02");
  CHECK(value(DataType::time(), "12:34") == "12:34");
  CHECK(value(DataType::timestamp(3), " 2024-01-01 00:00:00.5 ") == "2024-01-01T00:00:00.500");
  CHECK(value(DataType::timestamp(3), "2024-01-01T00:00:00") == "(failed)");
  CHECK(value(DataType::timestamp_ltz(3), "2024-01-01 00:00:00Z") == "2024-01-01T00:00:00Z");
  CHECK(value(DataType::bytes(), "aGk=") == "[104, 105]");
  CHECK(value(DataType::array(DataType::integer()), "1;2") == "[1, 2]");
  CHECK(value(DataType::array(DataType::integer()), " ") == "[]");
  CHECK(value(DataType::array(DataType::integer()), "1;;x") == "(failed)");
  CHECK(value(DataType::array(DataType::integer()), "1;;x", kLax) == "[1, null, null]");
  const DataType row = DataType::row({{"p", DataType::integer()}, {"q", DataType::string()}});
  CHECK(value(row, "1;x") == "+I[1, x]");
  CHECK(value(row, "1") == "(failed)");
  CHECK(value(row, "1", kLax) == "+I[1, null]");
  CHECK(value(row, "") == "null");
}

TEST_CASE("csv: where records end") {
  CHECK(record_end("1,a\n2,b\n") == 4);
  CHECK(record_end("1,a\r\n2,b") == 5);
  CHECK(record_end("1,a\r2,b") == 4);
  CHECK(record_end("1,\"a\nb\"\n2") == 8);
  CHECK(record_end("1,\"a\"\"\nb\"\n2") == 10);
  CHECK(record_end("1,a\"b\n2") == 6);
  CHECK(record_end("1,\"a\nb") == std::string::npos);
  CHECK(record_end("1,a") == std::string::npos);
  CHECK(record_end("1,a\r") == std::string::npos);
  CHECK(record_end("# it's \"\n1,a\n", {{"allow-comments", "true"}}) == 9);
  CHECK(record_end("1,a\\\nb\n", {{"escape-character", "\\"}}) == 7);
}

TEST_CASE("csv: rows are written as Jackson writes them") {
  const Schema schema = {{"s", DataType::string()},
                         {"ts", DataType::timestamp(6)},
                         {"dt", DataType::date()},
                         {"d", DataType::decimal(10, 2)},
                         {"f", DataType::float64()},
                         {"n", DataType::integer()},
                         {"tm", DataType::time()}};
  const auto written = [&schema](const std::string& text, stream::OptionMap options = {}) {
    const Batch batch = one_row(schema,
                                {Value(text),
                                 Value(Int128{1704164645123456000}),
                                 Value(int64_t{19782}),
                                 Value(Int128{10000}),
                                 Value(1e20),
                                 Value(),
                                 Value(int64_t{45296500})});
    return encode("csv", {.schema = schema, .options = std::move(options)}, batch)[0];
  };
  const std::string rest = ",\"2024-01-02 03:04:05.123456\",2024-02-29,1E+2,1.0E20,,12:34:56.5";
  CHECK(written("plain") == "plain" + rest);
  CHECK(written("") == rest);
  CHECK(written("a b") == "\"a b\"" + rest);
  CHECK(written("say \"x\"") == "\"say \"\"x\"\"\"" + rest);
  CHECK(written("semi;colon") == "semi;colon" + rest);
  CHECK(written("abcdefghijklmnopqrstuvwxy") == "\"abcdefghijklmnopqrstuvwxy\"" + rest);
  CHECK(written("a,b",
                {{"disable-quote-character", "true"},
                 {"null-literal", "nil"},
                 {"write-bigdecimal-in-scientific-notation", "false"}}) ==
        "a,b,2024-01-02 03:04:05.123456,2024-02-29,100,1.0E20,nil,12:34:56.5");
}

TEST_CASE("csv: arrays and rows are joined, maps refused") {
  const Schema schema = {
      {"r", DataType::row({{"a", DataType::integer()}, {"b", DataType::string()}})},
      {"l", DataType::array(DataType::integer())}};
  const Batch batch = one_row(schema,
                              {Value(ValueList{Value(int64_t{1}), Value(std::string("x"))}),
                               Value(ValueList{Value(int64_t{1}), Value(int64_t{2}), Value()})});
  CHECK(encode("csv", {.schema = schema}, batch) == Rows{"1;x,1;2;"});
  const Schema maps = {{"m", DataType::map(DataType::string(), DataType::integer())}};
  CHECK_THROWS_WITH(decode("csv", {.schema = maps}, {}),
                    "Unsupported type 'MAP<STRING, INT>' for field 'm'.");
}
