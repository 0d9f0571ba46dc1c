#include "thalweg/functions/bitmap/bitmap.h"

#include <random>
#include <set>

#include <doctest/doctest.h>

#include "functions/evaluate.h"
#include "thalweg/types/bitmap_format.h"

namespace thalweg::functions {

namespace {

using Values = std::set<uint32_t>;

/// Values that fill arrays, bitsets and runs, at random.
Values random_values(std::mt19937& random) {
  const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random()) % limit; };
  Values values;
  for (uint32_t container = 0; container < 3; ++container) {
    const uint32_t base = (container + below(3)) << 16U;
    switch (below(4)) {
      case 0:
        break;
      case 1:
        for (int i = 0; i < 50; ++i) {
          values.insert(base + below(200));
        }
        break;
      case 2:
        for (int i = 0; i < 9000; ++i) {
          values.insert(base + below(20000));
        }
        break;
      default: {
        const uint32_t first = base + below(60000);
        const uint32_t length = below(5000);
        for (uint32_t i = 0; i < length; ++i) {
          values.insert(first + i);
        }
      }
    }
  }
  return values;
}

Bitmap bitmap_of(const Values& values) {
  Bitmap bitmap;
  for (const uint32_t value : values) {
    bitmap.add(value);
  }
  return bitmap;
}

Values combined(BitmapOperation operation, const Values& left, const Values& right) {
  Values result;
  for (const Values* values : {&left, &right}) {
    for (const uint32_t value : *values) {
      const bool in_left = left.contains(value);
      const bool in_right = right.contains(value);
      const bool is_in = operation == BitmapOperation::kAnd   ? in_left && in_right
                         : operation == BitmapOperation::kOr  ? in_left || in_right
                         : operation == BitmapOperation::kXor ? in_left != in_right
                                                              : in_left && !in_right;
      if (is_in) {
        result.insert(value);
      }
    }
  }
  return result;
}

}  // namespace

TEST_CASE("operations on bitmaps are those on sets, and equal sets have equal bytes") {
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    const Values left = random_values(random);
    const Values right = random_values(random);
    for (const BitmapOperation operation : {BitmapOperation::kAnd,
                                            BitmapOperation::kOr,
                                            BitmapOperation::kXor,
                                            BitmapOperation::kAndNot}) {
      // From serialized forms, whose containers have other forms than those built by value.
      Bitmap bitmap(bitmap_of(left).serialize());
      bitmap.combine(operation, Bitmap(bitmap_of(right).serialize()));
      const Values expected = combined(operation, left, right);
      const std::string bytes = bitmap.serialize();
      CHECK(bytes == bitmap_of(expected).serialize());
      CHECK(bitmap::from_untrusted(bytes) == bytes);
      CHECK(bitmap::cardinality(bytes) == static_cast<int64_t>(expected.size()));
      Values visited;
      bitmap::visit_runs(bytes, [&](uint32_t first, uint32_t last) {
        for (uint32_t value = first; value <= last; ++value) {
          visited.insert(value);
        }
        return true;
      });
      CHECK(visited == expected);
    }
  }
}

TEST_CASE("functions of bitmaps") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"BITMAP_BUILD(ARRAY[1, CAST(NULL AS INT), 1])", "{1}"},
      {"BITMAP_BUILD(ARRAY_REMOVE(ARRAY[-1], -1))", "{}"},
      {"BITMAP_BUILD(ARRAY[CAST(1 AS TINYINT)])", "{1}"},
      {"BITMAP_BUILD(CAST(NULL AS ARRAY<INT>))", "NULL"},
      {"BITMAP_CARDINALITY(BITMAP_BUILD(ARRAY_REMOVE(ARRAY[1], 1)))", "0"},
      {"BITMAP_CARDINALITY(CAST(NULL AS BITMAP))", "NULL"},
      {"BITMAP_TO_ARRAY(BITMAP_BUILD(ARRAY[-1, 1, -2147483648]))", "[1, -2147483648, -1]"},
      {"BITMAP_TO_ARRAY(BITMAP_BUILD(ARRAY_REMOVE(ARRAY[1], 1)))", "[]"},
      {"BITMAP_TO_BYTES(BITMAP_BUILD(ARRAY[4, 3, 2, 1]))", "x'3b3000000100000300010001000300'"},
      {"BITMAP_TO_BYTES(BITMAP_BUILD(ARRAY_REMOVE(ARRAY[1], 1)))", "x'3a30000000000000'"},
      {"BITMAP_FROM_BYTES(x'')",
       "ERROR Failed to deserialize bitmap from bytes: these 0 bytes are no Roaring bitmap in the "
       "portable format; in BITMAP_FROM_BYTES"},
      {"BITMAP_FROM_BYTES(CAST(NULL AS BYTES))", "NULL"},
      {"BITMAP_TO_ARRAY(BITMAP_FROM_BYTES(x'3b3000000100000300010000000300'))", "[0, 1, 2, 3]"},
      {"BITMAP_AND(BITMAP_BUILD(ARRAY[1]), CAST(NULL AS BITMAP))", "NULL"},
      {"BITMAP_OR(CAST(NULL AS BITMAP), BITMAP_BUILD(ARRAY[1]))", "NULL"},
      {"BITMAP_XOR(BITMAP_BUILD(ARRAY[-1]), BITMAP_BUILD(ARRAY[-1]))", "{}"},
      {"CAST(BITMAP_BUILD(ARRAY[1, 2]) AS STRING)", "{1,2}"},
      {"CAST(BITMAP_BUILD(ARRAY[1, 2]) AS CHAR(7))", "{1,2}  "},
      {"CAST(BITMAP_BUILD(ARRAY[1, 2]) AS VARCHAR(3))", "{1,"},
      {"CAST(BITMAP_BUILD(ARRAY_REMOVE(ARRAY[1], 1)) AS BYTES)", "x'3a30000000000000'"},
      {"BITMAP_BUILD(ARRAY[1]) = BITMAP_BUILD(ARRAY[1, 1])", "TRUE"},
      {"BITMAP_BUILD(ARRAY[1]) <> BITMAP_BUILD(ARRAY[1])", "FALSE"},
      {"BITMAP_BUILD(NULL)", "NULL"},
      {"BITMAP_FROM_BYTES(NULL)", "NULL"},
      {"BITMAP_CARDINALITY(NULL)", "ERROR Illegal use of 'NULL'"},
      {"BITMAP_AND(NULL, BITMAP_BUILD(ARRAY[1]))", "ERROR Illegal use of 'NULL'"},
      {"CAST(BITMAP_BUILD(ARRAY[1]) AS BITMAP)", "{1}"},
      {"COALESCE(CAST(NULL AS BITMAP), BITMAP_BUILD(ARRAY[1]))", "{1}"},
  };
  for (const auto& [sql, expected] : cases) {
    CHECK_MESSAGE(evaluate_sql(sql) == expected, sql << "; got " << evaluate_sql(sql));
  }
  CHECK(type_of_sql("BITMAP_BUILD(ARRAY[1])") == "BITMAP NOT NULL");
  CHECK(type_of_sql("BITMAP_BUILD(CAST(NULL AS ARRAY<INT>))") == "BITMAP");
  CHECK(type_of_sql("BITMAP_TO_ARRAY(BITMAP_BUILD(ARRAY[1]))") == "ARRAY<INT> NOT NULL");
  CHECK(type_of_sql("BITMAP_CARDINALITY(BITMAP_BUILD(ARRAY[1]))") == "BIGINT NOT NULL");
}

TEST_CASE("a bitmap of more values than an array holds") {
  // 32768 containers, each a run of all its values.
  constexpr uint32_t kContainers = 32768;
  std::string bytes;
  const auto append = [&](auto value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  append(12347U | (kContainers - 1) << 16U);
  bytes.append(kContainers / 8, '\xff');
  for (uint32_t i = 0; i < kContainers; ++i) {
    append(static_cast<uint16_t>(i));
    append(uint16_t{0xFFFF});
  }
  bytes.append(kContainers * sizeof(uint32_t), '\0');
  for (uint32_t i = 0; i < kContainers; ++i) {
    append(uint16_t{1});
    append(uint16_t{0});
    append(uint16_t{0xFFFF});
  }
  ColumnBuilder builder(DataType::bitmap());
  builder.append_string(*bitmap::from_untrusted(bytes));
  const Batch batch(1, {builder.finish()});
  const Schema schema = {{"b", DataType::bitmap()}};
  expression::Evaluator evaluator({bind_sql("BITMAP_CARDINALITY(b)", schema),
                                   bind_sql("RIGHT(BITMAP_TO_STRING(b), 8)", schema),
                                   bind_sql("BITMAP_TO_ARRAY(b)", schema)});
  expression::RowErrors errors;
  const auto columns = evaluator.evaluate(batch, {}, errors);
  CHECK(columns[0]->at<int64_t>(0) == 2147483648);
  CHECK(columns[1]->string_at(0) == "232,...}");
  REQUIRE(errors.first().has_value());
  CHECK(errors.first()->error.message() ==
        "Failed to convert bitmap to an array: it has 2147483648 values, and arrays of at most "
        "1073741824 fit; in BITMAP_TO_ARRAY");
}

TEST_CASE("what bitmaps are not made of") {
  for (const char* sql : {"BITMAP_BUILD(1)",
                          "BITMAP_BUILD(ARRAY[CAST(1 AS BIGINT)])",
                          "BITMAP_FROM_BYTES('{1}')",
                          "BITMAP_CARDINALITY(ARRAY[1])",
                          "BITMAP_AND(BITMAP_BUILD(ARRAY[1]), ARRAY[1])",
                          "CAST('{1}' AS BITMAP)",
                          "CAST(x'3a30000000000000' AS BITMAP)",
                          "CAST(BITMAP_BUILD(ARRAY[1]) AS INT)",
                          "CAST(BITMAP_BUILD(ARRAY[1]) AS ARRAY<INT>)",
                          "CAST(BITMAP_BUILD(ARRAY[1]) AS VARBINARY(4))",
                          "CAST(BITMAP_BUILD(ARRAY[1]) AS BINARY(30))",
                          "BITMAP_BUILD(ARRAY[1]) || 'x'",
                          "GREATEST(BITMAP_BUILD(ARRAY[1]), BITMAP_BUILD(ARRAY[2]))",
                          "JSON_OBJECT('b' VALUE BITMAP_BUILD(ARRAY[1]))",
                          "BITMAP_BUILD(ARRAY[1]) < BITMAP_BUILD(ARRAY[2])"}) {
    CHECK_THROWS_AS(type_of_sql(sql), Error);
  }
}

}  // namespace thalweg::functions
