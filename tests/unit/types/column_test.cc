#include <doctest/doctest.h>

#include "thalweg/types/batch.h"
#include "thalweg/types/column_builder.h"
#include "thalweg/types/column_operations.h"

namespace thalweg {

namespace {

ColumnPtr strings(const std::vector<std::optional<std::string>>& values) {
  ColumnBuilder builder(DataType::string());
  for (const auto& value : values) {
    value ? builder.append_string(*value) : builder.append_null();
  }
  return builder.finish();
}

ColumnPtr integers(const std::vector<int32_t>& values) {
  ColumnBuilder builder(DataType::integer());
  for (const int32_t value : values) {
    builder.append(value);
  }
  return builder.finish();
}

/// Counts the references to objects, which are small numbers.
class CountingOperations final : public OpaqueOperations {
 public:
  void retain(void*) const override { ++alive; }

  void release(std::span<void* const> handles) const override {
    for (void* handle : handles) {
      alive -= handle != nullptr ? 1 : 0;
    }
  }

  std::string encode(void*) const override { return {}; }

  void* decode(std::string_view) const override { return nullptr; }

  std::string serialize(void*) const override { return {}; }

  std::string print(void* handle) const override {
    return std::to_string(reinterpret_cast<intptr_t>(handle));
  }

  mutable int alive = 0;
};

ColumnPtr objects(const std::shared_ptr<CountingOperations>& operations,
                  const std::vector<intptr_t>& numbers) {
  ColumnBuilder builder(DataType::opaque());
  builder.set_opaque_operations(operations);
  for (const intptr_t number : numbers) {
    operations->retain(nullptr);
    builder.append(reinterpret_cast<void*>(number));
  }
  return builder.finish();
}

}  // namespace

TEST_CASE("opaque objects live as long as a column that shows them, however it was made") {
  const auto operations = std::make_shared<CountingOperations>();
  ColumnPtr first = objects(operations, {1, 2, 3});
  ColumnPtr second = objects(operations, {4, 5});
  ColumnPtr gathered = gather(first, std::vector<int32_t>{2, 0, 2, -1});
  first.reset();
  ColumnPtr joined = concat(std::vector<ColumnPtr>{gathered, second});
  gathered.reset();
  second.reset();
  const ColumnPtr again = gather(joined, std::vector<int32_t>{4, 0, 2});
  joined.reset();
  CHECK(operations->alive > 0);
  CHECK(again->at<void*>(0) == reinterpret_cast<void*>(intptr_t{4}));
  CHECK(again->at<void*>(1) == reinterpret_cast<void*>(intptr_t{3}));
  CHECK(again->at<void*>(2) == reinterpret_cast<void*>(intptr_t{3}));
}

TEST_CASE("opaque objects are released once") {
  const auto operations = std::make_shared<CountingOperations>();
  {
    const ColumnPtr first = objects(operations, {1, 2, 3});
    const ColumnPtr gathered = gather(first, std::vector<int32_t>{0, 0, 1});
    const ColumnPtr joined = concat(std::vector<ColumnPtr>{first, gathered, first});
    CHECK(joined->size() == 9);
  }
  CHECK(operations->alive == 0);
}

TEST_CASE("gathered strings stay alive without their source") {
  ColumnPtr source = strings({"a long string that does not lie inline", std::nullopt, "short"});
  const std::vector<int32_t> rows{2, 0, -1, 1};
  const ColumnPtr gathered = gather(source, rows);
  source.reset();
  CHECK(gathered->string_at(0) == "short");
  CHECK(gathered->string_at(1) == "a long string that does not lie inline");
  CHECK(gathered->is_null(2));
  CHECK(gathered->is_null(3));
}

TEST_CASE("a constant column hashes, compares and flattens like the rows it stands for") {
  const ColumnPtr constant = constant_column(DataType::big_int(), Value(int64_t{7}), 3);
  const ColumnPtr flat = flatten(constant);
  CHECK(constant->stored_size() == 1);
  CHECK(flat->stored_size() == 3);
  std::vector<uint64_t> left(3);
  std::vector<uint64_t> right(3);
  hash_rows(std::vector<ColumnPtr>{constant}, left);
  hash_rows(std::vector<ColumnPtr>{flat}, right);
  CHECK(left == right);
  CHECK(equal_values(*constant, 2, *flat, 1));
}

TEST_CASE("hashes never change: key groups and snapshots depend on them") {
  std::vector<uint64_t> hashes(2);
  hash_rows(
      std::vector<ColumnPtr>{strings({"ann", "a string beyond twelve bytes"}), integers({1, 2})},
      hashes);
  std::vector<uint64_t> again(2);
  hash_rows(
      std::vector<ColumnPtr>{strings({"ann", "a string beyond twelve bytes"}), integers({1, 2})},
      again);
  CHECK(hashes == again);
  CHECK(hashes[0] != hashes[1]);
}

TEST_CASE("nested values survive building, gathering and reading back") {
  const DataType type =
      DataType::array(DataType::row({{"k", DataType::string()}, {"n", DataType::integer()}}));
  ColumnBuilder builder(type);
  const Value row(ValueList{Value(std::string("x")), Value(int64_t{1})});
  const Value list(ValueList{row, Value()});
  builder.append_value(list);
  builder.append_null();
  builder.append_value(Value(ValueList{}));
  const ColumnPtr column = builder.finish();
  const std::vector<int32_t> rows{2, 0, 1};
  const ColumnPtr gathered = gather(column, rows);
  CHECK(value_at(*gathered, 0) == Value(ValueList{}));
  CHECK(value_at(*gathered, 1) == list);
  CHECK(gathered->is_null(2));
}

TEST_CASE("rows are gathered and joined without their source") {
  const DataType type = DataType::row({{"k", DataType::string()}, {"n", DataType::integer()}});
  ColumnBuilder builder(type);
  const Value row(ValueList{Value(std::string("more than twelve bytes")), Value(int64_t{1})});
  const Value half(ValueList{Value(), Value(int64_t{2})});
  builder.append_value(row);
  builder.append_null();
  builder.append_value(half);
  ColumnPtr column = builder.finish();
  const std::vector<int32_t> rows{2, -1, 0, 1};
  ColumnPtr gathered = gather(column, rows);
  const std::vector<ColumnPtr> parts{gathered, column};
  column.reset();
  const ColumnPtr joined = concat(parts);
  gathered.reset();
  REQUIRE(joined->size() == 7);
  const Value expected[] = {half, Value(), row, Value(), row, Value(), half};
  for (int32_t i = 0; i < joined->size(); ++i) {
    CHECK(value_at(*joined, i) == expected[i]);
  }
}

TEST_CASE("a builder takes back the fields of a row that failed half-way") {
  ColumnBuilder builder(DataType::string());
  builder.append_string("kept");
  builder.append_null();
  builder.truncate(1);
  builder.append_string("after");
  const ColumnPtr column = builder.finish();
  CHECK(column->size() == 2);
  CHECK(column->string_at(1) == "after");
  CHECK_FALSE(column->is_null(1));
}

TEST_CASE("selecting rows keeps every watermark at the first row that follows it") {
  Batch batch(4, {integers({1, 2, 3, 4})});
  batch.set_marks({{1, {10}}, {2, {20}}, {4, {40}}});
  batch.set_kinds(
      {RowKind::kInsert, RowKind::kUpdateBefore, RowKind::kUpdateAfter, RowKind::kDelete});
  const std::vector<int32_t> rows{0, 3};
  const Batch chosen = batch.select(rows);
  CHECK(chosen.marks() == std::vector<Mark>{{1, {20}}, {2, {40}}});
  CHECK(chosen.kind(1) == RowKind::kDelete);
}

}  // namespace thalweg
