#include "thalweg/types/value.h"

#include "thalweg/common/check.h"
#include "thalweg/types/column_builder.h"
#include "thalweg/types/column_operations.h"

namespace thalweg {

bool Value::operator==(const Value& other) const {
  if (data.index() != other.data.index()) {
    return false;
  }
  if (std::holds_alternative<std::shared_ptr<const ValueList>>(data)) {
    return list() == other.list();
  }
  return data == other.data;
}

namespace {

Value nested_value(const Column& column, int32_t row) {
  ValueList list;
  if (column.type().physical() == PhysicalKind::kStruct) {
    for (size_t i = 0; i < column.child_count(); ++i) {
      list.push_back(value_at(*column.child(i), column.is_constant() ? 0 : row));
    }
    return Value(std::move(list));
  }
  for (int32_t element = column.list_begin(row); element < column.list_end(row); ++element) {
    for (size_t i = 0; i < column.child_count(); ++i) {
      list.push_back(value_at(*column.child(i), element));
    }
  }
  return Value(std::move(list));
}

}  // namespace

Value value_at(const Column& column, int32_t row) {
  if (column.is_null(row)) {
    return {};
  }
  switch (column.type().physical()) {
    case PhysicalKind::kBool:
      return Value(column.at<uint8_t>(row) != 0);
    case PhysicalKind::kInt8:
      return Value(int64_t{column.at<int8_t>(row)});
    case PhysicalKind::kInt16:
      return Value(int64_t{column.at<int16_t>(row)});
    case PhysicalKind::kInt32:
      return Value(int64_t{column.at<int32_t>(row)});
    case PhysicalKind::kInt64:
      return Value(column.at<int64_t>(row));
    case PhysicalKind::kInt128:
      return Value(column.at<Int128>(row));
    case PhysicalKind::kFloat:
      return Value(double{column.at<float>(row)});
    case PhysicalKind::kDouble:
      return Value(column.at<double>(row));
    case PhysicalKind::kString:
      return Value(std::string(column.string_at(row)));
    case PhysicalKind::kList:
    case PhysicalKind::kStruct:
      return nested_value(column, row);
    case PhysicalKind::kHandle:
      unreachable("an opaque object has no Value");
  }
  unreachable("physical kind");
}

ColumnPtr constant_column(const DataType& type, const Value& value, int32_t size) {
  if (value.is_null()) {
    return Column::make_null(type, size);
  }
  ColumnBuilder builder(type);
  builder.append_value(value);
  const ColumnPtr one = builder.finish();
  if (type.is_nested()) {
    const std::vector<int32_t> rows(static_cast<size_t>(size), 0);
    return gather(one, rows);
  }
  auto column = Column::make_constant(type, size);
  if (size > 0) {
    std::memcpy(column->mutable_values<std::byte>().data(),
                one->values<std::byte>().data(),
                width_of(type.physical()));
  }
  column->share_storage(*one);
  return column;
}

}  // namespace thalweg
