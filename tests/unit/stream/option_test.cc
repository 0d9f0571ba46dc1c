#include "thalweg/stream/option.h"

#include <doctest/doctest.h>

#include "thalweg/common/error.h"
#include "thalweg/stream/connector.h"

using namespace thalweg;
using namespace thalweg::stream;

namespace {

Options make(OptionMap values) {
  return Options("demo",
                 {{.key = "path", .required = true},
                  {.key = "rows", .type = OptionType::kLong, .default_value = "10"},
                  {.key = "mode", .type = OptionType::kEnum, .values = {"fast", "slow"}},
                  {.key = "wait",
                   .type = OptionType::kDuration,
                   .default_value = "1 s",
                   .fallback_keys = {"old.wait"}},
                  {.key = "fields.#.min", .type = OptionType::kDouble},
                  {.key = "size", .type = OptionType::kMemory},
                  {.key = "names", .type = OptionType::kList}},
                 std::move(values));
}

ErrorCode code_of(const Options& options) {
  try {
    options.validate({"demo."});
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::kInternal;
}

}  // namespace

TEST_CASE("options are typed, have defaults and older spellings") {
  const Options options = make({{"path", "/x"},
                                {"mode", "FAST"},
                                {"old.wait", "2 min"},
                                {"fields.a.b.min", "1.5"},
                                {"size", "64 mb"},
                                {"names", "a;b"},
                                {"connector", "demo"},
                                {"demo.x", "1"}});
  options.validate({"demo."});
  CHECK(options.get_int("rows") == 10);
  CHECK(options.get_string("mode") == "fast");
  CHECK(options.get_duration_ms("wait") == 120000);
  CHECK(options.get_double("fields.a.b.min") == 1.5);
  CHECK(options.get_memory_bytes("size") == 64 * 1024 * 1024);
  CHECK(options.get_list("names") == std::vector<std::string>{"a", "b"});
  CHECK(options.with_prefix("demo.") == OptionMap{{"x", "1"}});
  CHECK(!options.find_string("unset"));
}

TEST_CASE("options that are wrong are refused by name") {
  CHECK(code_of(make({})) == ErrorCode::kMissingOption);
  CHECK(code_of(make({{"path", "/x"}, {"rows", "abc"}})) == ErrorCode::kInvalidOption);
  CHECK(code_of(make({{"path", "/x"}, {"mode", "medium"}})) == ErrorCode::kInvalidOption);
  try {
    make({{"path", "/x"}, {"rwos", "1"}}).validate();
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kUnknownOption);
    CHECK(error.message().starts_with("Unsupported options found for 'demo'."));
    CHECK(error.hint_text() == "Did you mean 'rows'?");
  }
}

TEST_CASE("durations and sizes are Flink's") {
  CHECK(parse_duration_ms("30 s") == 30000);
  CHECK(parse_duration_ms("5min") == 300000);
  CHECK(parse_duration_ms(" 1 H ") == 3600000);
  CHECK(parse_duration_ms("100") == 100);
  CHECK(parse_duration_ms("1 d") == 86400000);
  CHECK(parse_duration_ms("1500 us") == 1);
  CHECK(!parse_duration_ms("five"));
  CHECK(!parse_duration_ms("5 fortnights"));
  CHECK(!parse_duration_ms("-1 s"));
  CHECK(parse_memory_bytes("1 gb") == 1073741824);
  CHECK(parse_memory_bytes("10kb") == 10240);
  CHECK(!parse_memory_bytes("10 lb"));
}

TEST_CASE("a near word is suggested, a far one is not") {
  CHECK(did_you_mean("fliesystem", {"filesystem", "kafka"}) == "filesystem");
  CHECK(did_you_mean("Json", {"json", "csv"}) == "json");
  CHECK(!did_you_mean("nope", {"filesystem", "kafka"}));
}

TEST_CASE("a source gives the projected columns, then metadata") {
  TableContext context;
  context.columns = {{"a", DataType::integer()}, {"b", DataType::string()}};
  context.projection = {{1}};
  context.metadata_keys = {"file.name"};
  const Schema schema =
      produced_schema(context, {{"file.name", DataType::string().not_null(), false}});
  REQUIRE(schema.size() == 2);
  CHECK(schema[0].name == "b");
  CHECK(schema[1].name == "file.name");
  CHECK_THROWS_AS(produced_schema(context, {}), Error);
  CHECK(format_options({{"json.x", "1"}, {"value.json.x", "2"}}, "value", "json") ==
        OptionMap{{"x", "2"}});
}
