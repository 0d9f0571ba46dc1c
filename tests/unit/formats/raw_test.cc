#include <doctest/doctest.h>

#include "formats/codec.h"
#include "thalweg/common/error.h"

using namespace thalweg;
using namespace thalweg::formats::testing;
using Rows = std::vector<std::string>;

namespace {

std::string round_trip(const DataType& type, const Value& value, stream::OptionMap options = {}) {
  const stream::FormatContext context = {.schema = {{"x", type}}, .options = std::move(options)};
  return decode("raw", context, encode("raw", context, one_row(context.schema, {value})))
      .rows.at(0);
}

}  // namespace

TEST_CASE("raw: every type there and back, in both orders") {
  for (const char* order : {"big-endian", "little-endian"}) {
    const stream::OptionMap options = {{"endianness", order}};
    CHECK(round_trip(DataType::integer(), Value(int64_t{-5}), options) == "-5");
    CHECK(round_trip(DataType::big_int(), Value(int64_t{1} << 40), options) == "1099511627776");
    CHECK(round_trip(DataType::small_int(), Value(int64_t{300}), options) == "300");
    CHECK(round_trip(DataType::tiny_int(), Value(int64_t{-1}), options) == "-1");
    CHECK(round_trip(DataType::float64(), Value(1.5), options) == "1.5");
    CHECK(round_trip(DataType::float32(), Value(0.5), options) == "0.5");
    CHECK(round_trip(DataType::boolean(), Value(true), options) == "true");
  }
  CHECK(round_trip(DataType::string(), Value(std::string("hé"))) == "hé");
  CHECK(round_trip(DataType::bytes(), Value(std::string("hi"))) == "[104, 105]");
  CHECK(encode("raw",
               {.schema = {{"x", DataType::integer()}}},
               one_row({{"x", DataType::integer()}}, {Value(int64_t{1})})) ==
        Rows{std::string("\0\0\0\1", 4)});
}

TEST_CASE("raw: character sets") {
  const stream::OptionMap latin = {{"charset", "ISO-8859-1"}};
  CHECK(decode("raw", {.schema = {{"x", DataType::string()}}, .options = latin}, {"h\xe9"}).rows ==
        Rows{"hé"});
  CHECK(round_trip(DataType::string(), Value(std::string("aé→")), latin) == "aé?");
  CHECK(decode("raw",
               {.schema = {{"x", DataType::string()}}},
               {"a\xff"
                "b"})
            .rows == Rows{"a\xEF\xBF\xBD"
                          "b"});
  CHECK_THROWS_AS(
      decode("raw", {.schema = {{"x", DataType::string()}}, .options = {{"charset", "x"}}}, {}),
      Error);
}

TEST_CASE("raw: one column of a plain type, of the right size") {
  CHECK_THROWS_AS(
      decode("raw", {.schema = {{"a", DataType::integer()}, {"b", DataType::integer()}}}, {}),
      Error);
  CHECK_THROWS_AS(decode("raw", {.schema = {{"a", DataType::date()}}}, {}), Error);
  CHECK(!decode("raw", {.schema = {{"a", DataType::integer()}}}, {"abc"}).failure.empty());
}
