// A function's value of a row must not depend on the batch around it: alone, in a batch, from
// constant columns, or within a branch of CASE.
#include <doctest/doctest.h>

#include "functions/evaluate.h"
#include "thalweg/types/column_builder.h"
#include "thalweg/types/column_operations.h"
#include "thalweg/types/text.h"

namespace thalweg::functions {

namespace {

using expression::Evaluator;
using expression::ExpressionPtr;
using expression::RowErrors;

Schema columns_schema() {
  return {{"i", DataType::integer()},
          {"j", DataType::integer()},
          {"l", DataType::big_int()},
          {"d", DataType::float64()},
          {"dc", DataType::decimal(10, 2)},
          {"s", DataType::string()},
          {"p", DataType::string()},
          {"t", DataType::timestamp(3)},
          {"t9", DataType::timestamp(9)},
          {"z", DataType::timestamp_ltz(3)},
          {"dt", DataType::date()},
          {"b", DataType::boolean()},
          {"arr", DataType::array(DataType::integer())},
          {"m", DataType::map(DataType::string(), DataType::integer())}};
}

Value list(std::initializer_list<Value> values) {
  return Value(ValueList(values));
}

Value integer(int64_t value) {
  return Value(value);
}

Value text(const char* value) {
  return Value(std::string(value));
}

/// Rows with every column filled, with short and long texts, and with NULLs here and there.
std::vector<std::vector<Value>> rows() {
  const Int128 billion = 1'000'000'000;
  return {
      {integer(3),
       integer(2),
       integer(40),
       Value(1.5),
       Value(Int128{1234}),
       text("pear,apple"),
       text("p"),
       integer(1'700'000'000'123),
       Value(Int128{1'700'000'000} * billion + 5),
       integer(1'700'000'000'000),
       integer(19800),
       Value(true),
       list({integer(1), integer(2)}),
       list({text("a"), integer(1), text("b"), Value()})},
      {integer(-7),
       integer(0),
       integer(-1),
       Value(-0.25),
       Value(Int128{-50}),
       text("a longer text, with ünïcode"),
       text("longer"),
       integer(-1),
       Value(Int128{-1}),
       integer(0),
       integer(-1),
       Value(false),
       list({}),
       list({})},
      {Value(),
       integer(5),
       Value(),
       Value(),
       Value(),
       text(""),
       text(""),
       Value(),
       Value(),
       Value(),
       Value(),
       Value(),
       list({Value()}),
       Value()},
      {integer(2147483647),
       Value(),
       integer(9),
       Value(1e20),
       Value(Int128{99999999}),
       Value(),
       Value(),
       integer(951'782'400'000),
       Value(Int128{951'782'400} * billion),
       integer(1),
       integer(11016),
       Value(true),
       Value(),
       list({text("z"), integer(9)})},
  };
}

std::vector<ColumnPtr> flat_columns(const std::vector<std::vector<Value>>& values) {
  std::vector<ColumnBuilder> builders = make_builders(columns_schema());
  for (const auto& row : values) {
    for (size_t i = 0; i < row.size(); ++i) {
      builders[i].append_value(row[i]);
    }
  }
  std::vector<ColumnPtr> columns;
  for (ColumnBuilder& builder : builders) {
    columns.push_back(builder.finish());
  }
  return columns;
}

/// One text for each row: its value, or the message of its failure.
std::vector<std::string> outcomes(const ExpressionPtr& expression, const Batch& batch) {
  Evaluator evaluator({expression});
  RowErrors errors;
  expression::EvaluationContext context;
  context.time_zone = "Europe/Berlin";
  const auto columns = evaluator.evaluate(batch, context, errors);
  REQUIRE(columns[0]->size() == batch.row_count());
  std::vector<std::string> texts(static_cast<size_t>(batch.row_count()));
  for (const RowFailure& failure : errors.failures()) {
    texts[static_cast<size_t>(failure.row)] = "ERROR " + failure.error.message();
  }
  for (int32_t row = 0; row < batch.row_count(); ++row) {
    std::string& shown = texts[static_cast<size_t>(row)];
    if (shown.empty()) {
      text::append_value(
          shown, *columns[0], row, text::Style::kCast, TimeZone::find(context.time_zone));
    }
  }
  return texts;
}

const std::vector<std::string>& expressions() {
  static const std::vector<std::string> all = {
      "i + j",
      "i - 1",
      "i * j",
      "i / j",
      "i % j",
      "-i",
      "l / 3",
      "d / 3",
      "dc * dc",
      "dc / j",
      "dc + i",
      "dc % 7",
      "i = j",
      "s = p",
      "s < p",
      "d > 1",
      "dc >= 1",
      "CAST(dt AS TIMESTAMP(3)) < t",
      "t = t9",
      "s IS NOT DISTINCT FROM p",
      "arr = arr",
      "NOT b",
      "b IS TRUE",
      "i IS NULL",
      "b AND i > 0",
      "b OR i / j > 1",
      "CASE WHEN b THEN s ELSE p END",
      "CASE WHEN i > 0 THEN i / j END",
      "CASE WHEN j <> 0 THEN i / j ELSE -1 END",
      "COALESCE(i, j, 0)",
      "COALESCE(s, p, 'none')",
      "IF(b, arr, ARRAY[j])",
      "NULLIF(i, 3)",
      "GREATEST(i, j)",
      "LEAST(s, p)",
      "ABS(d)",
      "ROUND(d, 1)",
      "ROUND(dc, j)",
      "FLOOR(dc)",
      "POWER(d, 2)",
      "SIGN(dc)",
      "UPPER(s)",
      "SUBSTRING(s, 2, 3)",
      "SUBSTRING(s, j)",
      "TRIM(BOTH 'p' FROM s)",
      "LPAD(s, 12, '*')",
      "s || p",
      "CONCAT(s, '-', p)",
      "CONCAT_WS('/', s, p)",
      "REPLACE(s, 'e', 'EE')",
      "POSITION(p IN s)",
      "s LIKE '%e%'",
      "s LIKE p",
      "s SIMILAR TO '%(a|e)%'",
      "REGEXP_REPLACE(s, '[aeiou]', '')",
      "REGEXP_EXTRACT(s, '(\\w+),', 1)",
      "REGEXP_EXTRACT_ALL(s, '(e.)')",
      "SPLIT_INDEX(s, ',', 1)",
      "SPLIT(s, ',')",
      "REVERSE(s)",
      "INITCAP(s)",
      "MD5(s)",
      "TO_BASE64(s)",
      "HEX(l)",
      "PRINTF('%s:%d', s, i)",
      "CAST(i AS STRING)",
      "CAST(i AS TINYINT)",
      "CAST(d AS INT)",
      "CAST(d AS DECIMAL(5, 1))",
      "CAST(dc AS DECIMAL(5, 1))",
      "TRY_CAST(s AS INT)",
      "CAST(p AS INT)",
      "CAST(t AS STRING)",
      "CAST(t AS DATE)",
      "CAST(t AS TIMESTAMP_LTZ(3))",
      "CAST(z AS TIMESTAMP(9))",
      "CAST(t9 AS TIMESTAMP(3))",
      "CAST(dt AS TIMESTAMP(3))",
      "CAST(arr AS ARRAY<STRING>)",
      "CAST(m AS STRING)",
      "CAST(b AS INT)",
      "YEAR(dt)",
      "EXTRACT(HOUR FROM z)",
      "EXTRACT(NANOSECOND FROM t9)",
      "FLOOR(z TO DAY)",
      "CEIL(t9 TO SECOND)",
      "t + INTERVAL '1' MONTH",
      "dt - INTERVAL '3' DAY",
      "t9 + INTERVAL '1' SECOND",
      "TIMESTAMPADD(HOUR, j, t)",
      "TIMESTAMPDIFF(MONTH, t, z)",
      "DATE_FORMAT(t, 'yyyy-MM-dd')",
      "DATE_FORMAT(z, 'HH:mm:ss.SSS')",
      "TO_TIMESTAMP(s)",
      "FROM_UNIXTIME(l)",
      "UNIX_TIMESTAMP(s)",
      "TO_TIMESTAMP_LTZ(l, 0)",
      "ARRAY[i, j]",
      "MAP['x', i]",
      "ROW(i, s)",
      "arr[1]",
      "arr[j]",
      "m['a']",
      "CARDINALITY(arr)",
      "ARRAY_CONTAINS(arr, j)",
      "ARRAY_CONCAT(arr, ARRAY[i])",
      "ARRAY_SORT(arr)",
      "ARRAY_REVERSE(arr)",
      "MAP_KEYS(m)",
      "MAP_UNION(m, MAP['q', i])",
      "JSON_VALUE(s, '$.a')",
      "JSON_OBJECT('k' VALUE i)",
      "JSON_STRING(arr)",
      "JSON_STRING(m)",
      "i IN (1, 3, 5)",
      "i BETWEEN j AND 10",
  };
  return all;
}

}  // namespace

TEST_CASE("a row's value does not depend on the batch around it") {
  const auto values = rows();
  const auto columns = flat_columns(values);
  const auto size = static_cast<int32_t>(values.size());
  for (const std::string& sql : expressions()) {
    const ExpressionPtr expression = bind_sql(sql, columns_schema());
    const auto whole = outcomes(expression, Batch(size, columns));
    for (int32_t row = 0; row < size; ++row) {
      std::vector<ColumnPtr> alone;
      std::vector<ColumnPtr> constant;
      for (size_t i = 0; i < columns.size(); ++i) {
        alone.push_back(slice_column(columns[i], row, row + 1));
        constant.push_back(
            constant_column(columns[i]->type(), values[static_cast<size_t>(row)][i], 3));
      }
      const std::string& expected = whole[static_cast<size_t>(row)];
      CHECK_MESSAGE(outcomes(expression, Batch(1, alone))[0] == expected, sql << " row " << row);
      for (const std::string& repeated : outcomes(expression, Batch(3, constant))) {
        CHECK_MESSAGE(repeated == expected, sql << " constant row " << row);
      }
    }
    // Every other row, as a branch of CASE sees them.
    const std::vector<int32_t> some = {1, 3};
    std::vector<ColumnPtr> chosen;
    for (const ColumnPtr& column : columns) {
      chosen.push_back(gather(column, some));
    }
    const auto picked = outcomes(expression, Batch(2, chosen));
    CHECK_MESSAGE((picked == std::vector<std::string>{whole[1], whole[3]}), sql);
  }
}

}  // namespace thalweg::functions
