#include "thalweg/operators/row_codec.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "thalweg/common/check.h"
#include "thalweg/common/error.h"

namespace thalweg::operators {

namespace {

template <typename T>
void put(const T& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <typename T>
T take(std::string_view& bytes) {
  check(bytes.size() >= sizeof(T), "row bytes end too early");
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes.remove_prefix(sizeof(T));
  return value;
}

template <typename T>
T canonical(T value) {
  if (std::isnan(value)) {
    return std::numeric_limits<T>::quiet_NaN();
  }
  return value == T{0} ? T{0} : value;
}

void put_text(std::string_view text, std::string& bytes) {
  put(static_cast<uint32_t>(text.size()), bytes);
  bytes.append(text);
}

std::string_view take_text(std::string_view& bytes) {
  const auto size = take<uint32_t>(bytes);
  check(bytes.size() >= size, "row bytes end too early");
  const std::string_view text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return text;
}

void put_list(const Column& column, int32_t row, std::string& bytes) {
  const int32_t begin = column.list_begin(row);
  const int32_t end = column.list_end(row);
  put(static_cast<uint32_t>(end - begin), bytes);
  for (int32_t element = begin; element < end; ++element) {
    for (size_t child = 0; child < column.child_count(); ++child) {
      encode_value(*column.child(child), element, bytes);
    }
  }
}

void take_list(std::string_view& bytes, ColumnBuilder& builder) {
  const auto size = take<uint32_t>(bytes);
  for (uint32_t element = 0; element < size; ++element) {
    for (size_t child = 0; child < builder.child_count(); ++child) {
      decode_value(bytes, builder.child(child));
    }
  }
  builder.append_list();
}

}  // namespace

void encode_value(const Column& column, int32_t row, std::string& bytes) {
  const bool is_null = column.is_null(row);
  bytes.push_back(is_null ? '\1' : '\0');
  if (is_null) {
    return;
  }
  switch (column.type().physical()) {
    case PhysicalKind::kBool:
    case PhysicalKind::kInt8:
      return put(column.at<uint8_t>(row), bytes);
    case PhysicalKind::kInt16:
      return put(column.at<int16_t>(row), bytes);
    case PhysicalKind::kInt32:
      return put(column.at<int32_t>(row), bytes);
    case PhysicalKind::kInt64:
      return put(column.at<int64_t>(row), bytes);
    case PhysicalKind::kInt128:
      return put(column.at<Int128>(row), bytes);
    case PhysicalKind::kFloat:
      return put(canonical(column.at<float>(row)), bytes);
    case PhysicalKind::kDouble:
      return put(canonical(column.at<double>(row)), bytes);
    case PhysicalKind::kString:
      return put_text(column.string_at(row), bytes);
    case PhysicalKind::kList:
      return put_list(column, row, bytes);
    case PhysicalKind::kStruct:
      for (size_t child = 0; child < column.child_count(); ++child) {
        encode_value(*column.child(child), column.is_constant() ? 0 : row, bytes);
      }
      return;
    case PhysicalKind::kHandle:
      throw Error(ErrorCode::kNotSupported,
                  "Untyped Python objects can't be kept in this operator's state")
          .hint("give the stream a type (output_type=...)");
  }
  unreachable("physical kind");
}

void encode_row(std::span<const ColumnPtr> columns, int32_t row, std::string& bytes) {
  for (const ColumnPtr& column : columns) {
    encode_value(*column, row, bytes);
  }
}

void decode_value(std::string_view& bytes, ColumnBuilder& builder) {
  if (take<char>(bytes) != '\0') {
    builder.append_null();
    return;
  }
  switch (builder.type().physical()) {
    case PhysicalKind::kBool:
    case PhysicalKind::kInt8:
      return builder.append(take<uint8_t>(bytes));
    case PhysicalKind::kInt16:
      return builder.append(take<int16_t>(bytes));
    case PhysicalKind::kInt32:
      return builder.append(take<int32_t>(bytes));
    case PhysicalKind::kInt64:
      return builder.append(take<int64_t>(bytes));
    case PhysicalKind::kInt128:
      return builder.append(take<Int128>(bytes));
    case PhysicalKind::kFloat:
      return builder.append(take<float>(bytes));
    case PhysicalKind::kDouble:
      return builder.append(take<double>(bytes));
    case PhysicalKind::kString:
      return builder.append_string(take_text(bytes));
    case PhysicalKind::kList:
      return take_list(bytes, builder);
    case PhysicalKind::kStruct:
      for (size_t child = 0; child < builder.child_count(); ++child) {
        decode_value(bytes, builder.child(child));
      }
      return builder.append_struct();
    case PhysicalKind::kHandle:
      unreachable("untyped objects are never encoded");
  }
  unreachable("physical kind");
}

void decode_row(std::string_view bytes, std::span<ColumnBuilder> builders) {
  for (ColumnBuilder& builder : builders) {
    decode_value(bytes, builder);
  }
}

}  // namespace thalweg::operators
