// AND, OR, CASE and COALESCE over columns of some words of rows, with NULLs anywhere: against the
// rules applied to one row.
#include <doctest/doctest.h>

#include "functions/evaluate.h"
#include "thalweg/types/column_builder.h"
#include "thalweg/types/value.h"

namespace thalweg::functions {

namespace {

constexpr int32_t kRows = 200;

const Schema& schema() {
  static const Schema columns = {{"x", DataType::boolean()},
                                 {"y", DataType::boolean()},
                                 {"i", DataType::integer()},
                                 {"s", DataType::string()},
                                 {"j", DataType::integer()},
                                 {"a", DataType::array(DataType::integer())}};
  return columns;
}

/// TRUE, FALSE or NULL.
Value truth(int32_t number) {
  return number % 3 == 2 ? Value() : Value(number % 3 == 1);
}

/// All combinations of two truths, none of which lie alike in two words; numbers and texts with
/// NULLs in other rows.
std::vector<Value> row_of(int32_t row) {
  const Value number = row % 5 == 0 ? Value() : Value(int64_t{row});
  return {truth(row),
          truth(row / 3 + row / 64),
          number,
          row % 7 == 0 ? Value() : Value("a text of row " + std::to_string(row)),
          row % 2 == 0 ? Value() : Value(int64_t{-row}),
          row % 4 == 0 ? Value() : Value(ValueList{number})};
}

Batch make_batch() {
  std::vector<ColumnBuilder> builders = make_builders(schema());
  for (int32_t row = 0; row < kRows; ++row) {
    const std::vector<Value> values = row_of(row);
    for (size_t i = 0; i < values.size(); ++i) {
      builders[i].append_value(values[i]);
    }
  }
  std::vector<ColumnPtr> columns;
  for (ColumnBuilder& builder : builders) {
    columns.push_back(builder.finish());
  }
  return Batch(kRows, std::move(columns));
}

/// `expected(values of a row)` must be what the expression gives for each row.
template <typename Expected>
void check_rows(const std::string& sql, Expected expected) {
  static const Batch batch = make_batch();
  expression::Evaluator evaluator({bind_sql(sql, schema())});
  expression::RowErrors errors;
  const ColumnPtr column = evaluator.evaluate(batch, {}, errors)[0];
  REQUIRE(errors.empty());
  REQUIRE(column->size() == kRows);
  for (int32_t row = 0; row < kRows; ++row) {
    CHECK_MESSAGE(value_at(*column, row) == expected(row_of(row)), sql << ", row " << row);
  }
}

bool is(const Value& value, bool wanted) {
  return !value.is_null() && std::get<bool>(value.data) == wanted;
}

Value both(const Value& left, const Value& right) {
  if (is(left, false) || is(right, false)) {
    return Value(false);
  }
  return left.is_null() || right.is_null() ? Value() : Value(true);
}

Value either(const Value& left, const Value& right) {
  if (is(left, true) || is(right, true)) {
    return Value(true);
  }
  return left.is_null() || right.is_null() ? Value() : Value(false);
}

Value opposite_of(const Value& value) {
  if (value.is_null()) {
    return {};
  }
  return Value(is(value, false));
}

Value sum_of(const Value& left, const Value& right) {
  if (left.is_null() || right.is_null()) {
    return {};
  }
  return Value(std::get<int64_t>(left.data) + std::get<int64_t>(right.data));
}

Value first_of(std::initializer_list<Value> values) {
  for (const Value& value : values) {
    if (!value.is_null()) {
      return value;
    }
  }
  return {};
}

using Row = std::vector<Value>;

}  // namespace

TEST_CASE("AND and OR over words of rows") {
  check_rows("x AND y", [](const Row& row) { return both(row[0], row[1]); });
  check_rows("x OR y", [](const Row& row) { return either(row[0], row[1]); });
  check_rows("x AND CAST(NULL AS BOOLEAN)", [](const Row& row) { return both(row[0], {}); });
  check_rows("x OR CAST(NULL AS BOOLEAN)", [](const Row& row) { return either(row[0], {}); });
  check_rows("x IS NULL AND y",
             [](const Row& row) { return both(Value(row[0].is_null()), row[1]); });
  check_rows("x IS NULL OR y IS NULL",
             [](const Row& row) { return Value(row[0].is_null() || row[1].is_null()); });
  check_rows("x AND y OR NOT x",
             [](const Row& row) { return either(both(row[0], row[1]), opposite_of(row[0])); });
}

TEST_CASE("COALESCE lays each operand over the NULLs of those before it") {
  check_rows("COALESCE(i, j)", [](const Row& row) { return first_of({row[2], row[4]}); });
  check_rows("COALESCE(i, j, 7)",
             [](const Row& row) { return first_of({row[2], row[4], Value(int64_t{7})}); });
  check_rows("COALESCE(CAST(NULL AS INT), i, j + 1)",
             [](const Row& row) { return first_of({row[2], sum_of(row[4], Value(int64_t{1}))}); });
  check_rows("COALESCE(s, UPPER('none of them'))",
             [](const Row& row) { return first_of({row[3], Value(std::string("NONE OF THEM"))}); });
  check_rows("COALESCE(a, ARRAY[1])", [](const Row& row) {
    return first_of({row[5], Value(ValueList{Value(int64_t{1})})});
  });
}

TEST_CASE("CASE takes each value where it is due") {
  check_rows("CASE WHEN x THEN i ELSE j END",
             [](const Row& row) { return is(row[0], true) ? row[2] : row[4]; });
  check_rows("CASE WHEN x THEN s WHEN y THEN 'a text longer than twelve' END", [](const Row& row) {
    if (is(row[0], true)) {
      return row[3];
    }
    return is(row[1], true) ? Value(std::string("a text longer than twelve")) : Value();
  });
  check_rows("CASE WHEN x THEN i + 1 WHEN y THEN 3 ELSE i + j END", [](const Row& row) {
    if (is(row[0], true)) {
      return sum_of(row[2], Value(int64_t{1}));
    }
    if (is(row[1], true)) {
      return Value(int64_t{3});
    }
    return sum_of(row[2], row[4]);
  });
  check_rows("CASE WHEN y THEN a ELSE ARRAY[i] END",
             [](const Row& row) { return is(row[1], true) ? row[5] : Value(ValueList{row[2]}); });
  check_rows("CASE WHEN x IS NULL THEN i WHEN x THEN i ELSE i END",
             [](const Row& row) { return row[2]; });
}

}  // namespace thalweg::functions
