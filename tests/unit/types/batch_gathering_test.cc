#include "thalweg/types/batch_gathering.h"

#include <random>

#include <doctest/doctest.h>

#include "thalweg/types/batch_merge.h"
#include "thalweg/types/column_builder.h"
#include "thalweg/types/column_operations.h"

namespace thalweg {

namespace {

ColumnPtr column_of(const DataType& type, int32_t rows, bool nulls, std::minstd_rand& random) {
  ColumnBuilder builder(type);
  for (int32_t row = 0; row < rows; ++row) {
    const auto number = static_cast<int64_t>(random());
    if (nulls && number % 3 == 0) {
      builder.append_null();
    } else if (type.is_character()) {
      builder.append_string(std::string(static_cast<size_t>(number % 30), 'a') + 'b');
    } else {
      builder.append_value(type.kind() == TypeKind::kDecimal   ? Value(Int128{number})
                           : type.kind() == TypeKind::kBoolean ? Value(number % 2 == 0)
                                                               : Value(number % 10'000));
    }
  }
  return builder.finish();
}

Batch batch_of(int32_t rows, std::minstd_rand& random) {
  std::vector<ColumnPtr> columns;
  for (const bool nulls : {false, true}) {
    for (const DataType& type : {DataType::string(),
                                 DataType::big_int(),
                                 DataType::integer(),
                                 DataType::small_int(),
                                 DataType::boolean(),
                                 DataType::decimal(30, 2)}) {
      columns.push_back(column_of(type, rows, nulls, random));
    }
  }
  auto constant = Column::make_constant(DataType::big_int(), rows);
  constant->mutable_values<int64_t>()[0] = static_cast<int64_t>(random());
  columns.push_back(constant);
  columns.push_back(
      Column::make_struct(DataType::row({{"x", DataType::big_int()}}), rows, {columns[1]}));
  Batch batch(rows, std::move(columns));
  std::vector<RowKind> kinds;
  std::vector<Mark> marks;
  for (int32_t row = 0; row < rows; ++row) {
    kinds.push_back(random() % 4 == 0 ? RowKind::kDelete : RowKind::kInsert);
    if (random() % 3 == 0) {
      marks.push_back({row, {static_cast<int64_t>(row)}});
    }
  }
  batch.set_kinds(std::move(kinds));
  batch.set_marks(std::move(marks));
  batch.set_event_times(column_of(DataType::big_int(), rows, false, random));
  return batch;
}

}  // namespace

TEST_CASE("rows gathered from batches are those selected from each and put together") {
  std::minstd_rand random(11);
  for (int round = 0; round < 20; ++round) {
    std::vector<BatchPart> parts;
    std::vector<Batch> selected;
    for (size_t part = random() % 4 + 1; part > 0; --part) {
      const auto rows = static_cast<int32_t>(random() % 100 + 1);
      parts.push_back({batch_of(rows, random), {}});
      for (int32_t row = 0; row < rows; ++row) {
        if (random() % 2 == 0 || row == 0) {
          parts.back().rows.push_back(row);
        }
      }
      selected.push_back(parts.back().batch.select(parts.back().rows));
    }
    const Batch expected = concat_batches(selected);
    const Batch found = gather_batches(parts);
    REQUIRE(found.row_count() == expected.row_count());
    CHECK(found.marks() == expected.marks());
    REQUIRE(found.columns().size() == expected.columns().size());
    for (int32_t row = 0; row < found.row_count(); ++row) {
      REQUIRE(found.kind(row) == expected.kind(row));
      REQUIRE(equal_values(*found.event_times(), row, *expected.event_times(), row));
      for (size_t column = 0; column < found.columns().size(); ++column) {
        REQUIRE(equal_values(found.column(column), row, expected.column(column), row));
      }
    }
  }
}

}  // namespace thalweg
