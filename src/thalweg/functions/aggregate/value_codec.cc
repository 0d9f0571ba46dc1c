#include "thalweg/functions/aggregate/value_codec.h"

#include <bit>
#include <cstring>

#include "thalweg/common/error.h"

namespace thalweg::functions {

namespace {

/// Big-endian with the sign bit turned: unsigned bytes order as the numbers do.
template <typename Unsigned>
void put_ordered(std::string& bytes, Unsigned value) {
  value = static_cast<Unsigned>(value ^ Unsigned{1} << (sizeof(Unsigned) * 8 - 1));
  for (size_t i = sizeof(Unsigned); i > 0; --i) {
    bytes += static_cast<char>(value >> ((i - 1) * 8));
  }
}

template <typename Unsigned>
Unsigned take_ordered(std::string_view& bytes) {
  Unsigned value = 0;
  for (size_t i = 0; i < sizeof(Unsigned); ++i) {
    value = static_cast<Unsigned>(value << 8U | static_cast<unsigned char>(bytes[i]));
  }
  bytes.remove_prefix(sizeof(Unsigned));
  return static_cast<Unsigned>(value ^ Unsigned{1} << (sizeof(Unsigned) * 8 - 1));
}

/// A negative number's bits are turned, all but the sign.
uint64_t order_double(double value) {
  const auto bits = std::bit_cast<uint64_t>(value == 0 ? 0.0 : value);
  return bits >> 63U != 0 ? bits ^ ~(uint64_t{1} << 63U) : bits;
}

double unorder_double(uint64_t bits) {
  return std::bit_cast<double>(bits >> 63U != 0 ? bits ^ ~(uint64_t{1} << 63U) : bits);
}

void put_size(std::string& bytes, size_t size) {
  put_ordered(bytes, static_cast<uint32_t>(size));
}

/// Ends with two zero bytes; a zero in the text is followed by 0xFF. Keeps the texts' order.
void put_text(std::string& bytes, std::string_view text) {
  for (const char c : text) {
    bytes += c;
    if (c == '\0') {
      bytes += '\xFF';
    }
  }
  bytes.append(2, '\0');
}

std::string take_text(std::string_view& bytes) {
  std::string text;
  for (;;) {
    const size_t zero = bytes.find('\0');
    text += bytes.substr(0, zero);
    const bool is_end = bytes[zero + 1] == '\0';
    bytes.remove_prefix(zero + 2);
    if (is_end) {
      return text;
    }
    text += '\0';
  }
}

void encode_nested(std::string& bytes, const Column& column, int32_t row) {
  if (column.type().physical() == PhysicalKind::kStruct) {
    for (size_t child = 0; child < column.child_count(); ++child) {
      encode_value(bytes, *column.child(child), column.is_constant() ? 0 : row);
    }
    return;
  }
  put_size(bytes, static_cast<size_t>(column.list_end(row) - column.list_begin(row)));
  for (int32_t i = column.list_begin(row); i < column.list_end(row); ++i) {
    for (size_t child = 0; child < column.child_count(); ++child) {
      encode_value(bytes, *column.child(child), i);
    }
  }
}

void decode_nested(std::string_view& bytes, ColumnBuilder& builder) {
  if (builder.type().physical() == PhysicalKind::kStruct) {
    for (size_t child = 0; child < builder.child_count(); ++child) {
      decode_value(bytes, builder.child(child));
    }
    builder.append_struct();
    return;
  }
  const auto size = take_ordered<uint32_t>(bytes);
  for (uint32_t i = 0; i < size; ++i) {
    for (size_t child = 0; child < builder.child_count(); ++child) {
      decode_value(bytes, builder.child(child));
    }
  }
  builder.append_list();
}

}  // namespace

void encode_value(std::string& bytes, const Column& column, int32_t row) {
  if (column.is_null(row)) {
    bytes += '\0';
    return;
  }
  bytes += '\1';
  switch (column.type().physical()) {
    case PhysicalKind::kBool:
      bytes += static_cast<char>(column.at<uint8_t>(row));
      return;
    case PhysicalKind::kInt8:
      return put_ordered(bytes, static_cast<uint8_t>(column.at<int8_t>(row)));
    case PhysicalKind::kInt16:
      return put_ordered(bytes, static_cast<uint16_t>(column.at<int16_t>(row)));
    case PhysicalKind::kInt32:
      return put_ordered(bytes, static_cast<uint32_t>(column.at<int32_t>(row)));
    case PhysicalKind::kInt64:
      return put_ordered(bytes, static_cast<uint64_t>(column.at<int64_t>(row)));
    case PhysicalKind::kInt128:
      return put_ordered(bytes, static_cast<unsigned __int128>(column.at<Int128>(row)));
    case PhysicalKind::kFloat:
      return put_ordered(bytes, order_double(double{column.at<float>(row)}));
    case PhysicalKind::kDouble:
      return put_ordered(bytes, order_double(column.at<double>(row)));
    case PhysicalKind::kString:
      return put_text(bytes, column.string_at(row));
    case PhysicalKind::kList:
    case PhysicalKind::kStruct:
      return encode_nested(bytes, column, row);
    case PhysicalKind::kHandle:
      throw Error(ErrorCode::kNotSupported, "Python objects cannot be collected by this function");
  }
}

void decode_value(std::string_view& bytes, ColumnBuilder& builder) {
  const bool is_valid = bytes[0] != '\0';
  bytes.remove_prefix(1);
  if (!is_valid) {
    builder.append_null();
    return;
  }
  switch (builder.type().physical()) {
    case PhysicalKind::kBool:
      builder.append(static_cast<uint8_t>(bytes[0]));
      bytes.remove_prefix(1);
      return;
    case PhysicalKind::kInt8:
      return builder.append(static_cast<int8_t>(take_ordered<uint8_t>(bytes)));
    case PhysicalKind::kInt16:
      return builder.append(static_cast<int16_t>(take_ordered<uint16_t>(bytes)));
    case PhysicalKind::kInt32:
      return builder.append(static_cast<int32_t>(take_ordered<uint32_t>(bytes)));
    case PhysicalKind::kInt64:
      return builder.append(static_cast<int64_t>(take_ordered<uint64_t>(bytes)));
    case PhysicalKind::kInt128:
      return builder.append(static_cast<Int128>(take_ordered<unsigned __int128>(bytes)));
    case PhysicalKind::kFloat:
      return builder.append(static_cast<float>(unorder_double(take_ordered<uint64_t>(bytes))));
    case PhysicalKind::kDouble:
      return builder.append(unorder_double(take_ordered<uint64_t>(bytes)));
    case PhysicalKind::kString:
      return builder.append_string(take_text(bytes));
    case PhysicalKind::kList:
    case PhysicalKind::kStruct:
      return decode_nested(bytes, builder);
    case PhysicalKind::kHandle:
      throw Error(ErrorCode::kNotSupported, "Python objects cannot be collected by this function");
  }
}

}  // namespace thalweg::functions
