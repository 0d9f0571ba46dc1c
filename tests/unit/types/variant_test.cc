#include "thalweg/types/variant.h"

#include <doctest/doctest.h>

#include "thalweg/common/error.h"
#include "thalweg/types/variant_builder.h"

namespace thalweg::variant {

namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    text += kDigits[static_cast<unsigned char>(c) >> 4U];
    text += kDigits[static_cast<unsigned char>(c) & 15U];
  }
  return text;
}

std::string json(std::string_view bytes) {
  std::string text;
  View(bytes).append_json(text);
  return text;
}

/// One value without field names.
std::string bare(std::string_view value) {
  return std::string("\x01\x00\x00", 3) + std::string(value);
}

template <typename Append>
std::string built(Append append) {
  Builder builder;
  append(builder);
  std::string out;
  CHECK(builder.finish(out));
  return out;
}

/// {"b": [1, "x"], "a": null}, appended in this order.
std::string small_object() {
  return built([](Builder& builder) {
    std::vector<Builder::Entry> entries;
    const size_t object = builder.begin();
    entries.push_back({builder.key("b"), 0});
    const size_t array = builder.begin();
    entries.push_back({0, 0});
    builder.append_integer(1);
    entries.push_back({0, static_cast<uint32_t>(builder.begin() - array)});
    builder.append_string("x");
    builder.finish_array(array, entries, 1);
    entries.push_back({builder.key("a"), static_cast<uint32_t>(builder.begin() - object)});
    builder.append_null();
    CHECK(builder.finish_object(object, entries, 0, false));
  });
}

}  // namespace

TEST_CASE("the binary form is that of Flink and Parquet") {
  CHECK(hex(built([](Builder& builder) { builder.append_null(); })) == "01000000");
  CHECK(hex(built([](Builder& builder) { builder.append_boolean(true); })) == "01000004");
  CHECK(hex(built([](Builder& builder) { builder.append_integer(-1); })) == "0100000cff");
  CHECK(hex(built([](Builder& builder) { builder.append_integer(300); })) == "010000102c01");
  CHECK(hex(built([](Builder& builder) { builder.append_integer(100000); })) == "01000014a0860100");
  CHECK(hex(built([](Builder& builder) { builder.append_integer(int64_t{1} << 40U); })) ==
        "010000180000000000010000");
  CHECK(hex(built([](Builder& builder) { builder.append_double(1.0); })) ==
        "0100001c000000000000f03f");
  CHECK(hex(built([](Builder& builder) { builder.append_decimal(250, 2); })) ==
        "0100002002fa000000");
  CHECK(hex(built([](Builder& builder) { builder.append_decimal(1, 10); })) ==
        "010000240a0100000000000000");
  CHECK(hex(built([](Builder& builder) { builder.append_decimal(-1, 20); })) ==
        "0100002814ffffffffffffffffffffffffffffffff");
  CHECK(hex(built([](Builder& builder) { builder.append_string("x"); })) == "0100000578");
  CHECK(hex(small_object()) ==
        "01020001026261"
        "02020100"
        "09000a"
        "03020002040c01"
        "0578"
        "00");
}

TEST_CASE("a variant is printed as JSON with its fields in order") {
  CHECK(json(small_object()) == R"({"a":null,"b":[1,"x"]})");
  CHECK(json(built([](Builder& builder) { builder.append_decimal(-2500, 3); })) == "-2.5");
  CHECK(json(built([](Builder& builder) { builder.append_decimal(0, 3); })) == "0");
  CHECK(json(built([](Builder& builder) { builder.append_decimal(1, 30); })) ==
        "0.000000000000000000000000000001");
  CHECK(json(built([](Builder& builder) { builder.append_double(1e10); })) == "1.0E10");
  CHECK(json(built([](Builder& builder) { builder.append_string("q\"\n\x01"); })) ==
        R"("q\"\n\u0001")");
}

TEST_CASE("kinds that JSON has no form for are printed in Flink's") {
  CHECK(json(bare({"\x2C\x01\x00\x00\x00", 5})) == R"("1970-01-02")");
  CHECK(json(bare({"\x30\x01\x00\x00\x00\x00\x00\x00\x00", 9})) ==
        R"("1970-01-01T00:00:00.000001Z")");
  CHECK(json(bare({"\x34\x00\x00\x00\x00\x00\x00\x00\x00", 9})) == R"("1970-01-01T00:00:00")");
  CHECK(json(bare({"\x38\x00\x00\xC0\x3F", 5})) == "1.5");
  CHECK(json(bare({"\x3C\x03\x00\x00\x00"
                   "abc",
                   8})) == R"("YWJj")");
  CHECK(json(bare({"\x40\x03\x00\x00\x00"
                   "abc",
                   8})) == R"("abc")");
}

TEST_CASE("parts are variants of their own") {
  const std::string bytes = small_object();
  const View object(bytes);
  CHECK(object.kind() == Kind::kObject);
  CHECK(object.size() == 2);
  const auto array = object.field("b");
  REQUIRE(array.has_value());
  CHECK(array->kind() == Kind::kArray);
  std::string alone;
  array->append_to(alone);
  CHECK(json(alone) == R"([1,"x"])");
  CHECK(View(alone).element(1)->kind() == Kind::kString);
  CHECK_FALSE(View(alone).element(2).has_value());
  CHECK_FALSE(View(alone).element(-1).has_value());
  CHECK_FALSE(object.field("c").has_value());
  CHECK(object.field("a")->kind() == Kind::kNull);
}

TEST_CASE("many fields are found by halving") {
  const std::string bytes = built([](Builder& builder) {
    std::vector<Builder::Entry> entries;
    for (int i = 0; i < 300; ++i) {
      entries.push_back(
          {builder.key("k" + std::to_string(i)), static_cast<uint32_t>(builder.begin())});
      builder.append_integer(i);
    }
    CHECK(builder.finish_object(0, entries, 0, false));
  });
  const View object(bytes);
  for (int i = 0; i < 300; ++i) {
    const auto field = object.field("k" + std::to_string(i));
    REQUIRE(field.has_value());
    std::string text;
    field->append_json(text);
    CHECK(text == std::to_string(i));
  }
  CHECK_FALSE(object.field("k300").has_value());
  CHECK_FALSE(object.field("").has_value());
}

TEST_CASE("names are in the order of UTF-16 units, as Java's strings") {
  CHECK(comes_before("a", "b"));
  CHECK(comes_before("a", "aa"));
  CHECK_FALSE(comes_before("a", "a"));
  CHECK(comes_before("\xF0\x9F\x98\x80", "\xEF\xBF\xAE"));  // U+1F600 before U+FFEE
  CHECK(comes_before("\xED\x9F\xBF", "\xF0\x9F\x98\x80"));  // U+D7FF before U+1F600
}

TEST_CASE("of fields with one name the last stays, or there is no object") {
  const auto build = [](bool keeps_last, std::string& out) {
    Builder builder;
    std::vector<Builder::Entry> entries;
    for (const std::string_view name : {"a", "b", "a"}) {
      entries.push_back({builder.key(name), static_cast<uint32_t>(builder.begin())});
      builder.append_integer(static_cast<int64_t>(entries.size()));
    }
    return builder.finish_object(0, entries, 0, keeps_last) && builder.finish(out);
  };
  std::string out;
  CHECK_FALSE(build(false, out));
  CHECK(build(true, out));
  CHECK(json(out) == R"({"a":3,"b":2})");
}

TEST_CASE("bytes that are no variant are refused") {
  for (const std::string& bytes : {std::string(),
                                   std::string("\x02\x00\x00\x00", 4),
                                   std::string("\x01\x00\x00", 3),
                                   std::string("\x01\x05\x00\x00", 4),
                                   bare({"\x0C", 1}),
                                   bare({"\x44", 1}),
                                   bare({"\x0D"
                                         "ab",
                                         3}),
                                   bare({"\x03\xFF\x00", 3}),
                                   bare({"\x02\x01\x00\x00\x01\x00", 6}),
                                   bare({"\x20\x30\x00\x00\x00\x00", 6})}) {
    CHECK_THROWS_AS(json(bytes), Error);
  }
}

TEST_CASE("a variant that leads to itself again and again is refused") {
  // Arrays of 200 elements, all of them the next array.
  std::string value;
  for (int level = 0; level < 12; ++level) {
    value += "\x03\xC8";
    value.append(201, '\0');
  }
  CHECK_THROWS_AS(json(bare(value + std::string(1, '\0'))), Error);
}

}  // namespace thalweg::variant
