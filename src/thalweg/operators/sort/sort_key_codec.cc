#include "thalweg/operators/sort/sort_key_codec.h"

#include <bit>
#include <cmath>
#include <limits>

#include "thalweg/common/error.h"

namespace thalweg::operators {

namespace {

/// Big-endian with the sign bit turned: unsigned bytes then stand as the numbers do.
template <typename Unsigned>
void put_ordered(Unsigned bits, std::string& bytes) {
  bits ^= Unsigned{1} << (sizeof(Unsigned) * 8 - 1);
  for (size_t i = sizeof(Unsigned); i > 0; --i) {
    bytes.push_back(static_cast<char>(static_cast<uint8_t>(bits >> ((i - 1) * 8))));
  }
}

void put_double(double value, std::string& bytes) {
  if (std::isnan(value)) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (value == 0.0) {
    value = 0.0;
  }
  auto bits = std::bit_cast<uint64_t>(value);
  // Below zero greater bits mean smaller numbers.
  if ((bits >> 63U) != 0) {
    bits ^= ~uint64_t{0} >> 1U;
  }
  put_ordered(bits, bytes);
}

/// Zero bytes are escaped, so that two of them end a text before any longer one.
void put_text(std::string_view text, std::string& bytes) {
  for (const char byte : text) {
    bytes.push_back(byte);
    if (byte == '\0') {
      bytes.push_back('\xFF');
    }
  }
  bytes.append(2, '\0');
}

void put_value(const Column& column, int32_t row, std::string& bytes) {
  switch (column.type().physical()) {
    case PhysicalKind::kBool:
      bytes.push_back(static_cast<char>(column.at<uint8_t>(row)));
      return;
    case PhysicalKind::kInt8:
      return put_ordered(static_cast<uint8_t>(column.at<int8_t>(row)), bytes);
    case PhysicalKind::kInt16:
      return put_ordered(static_cast<uint16_t>(column.at<int16_t>(row)), bytes);
    case PhysicalKind::kInt32:
      return put_ordered(static_cast<uint32_t>(column.at<int32_t>(row)), bytes);
    case PhysicalKind::kInt64:
      return put_ordered(static_cast<uint64_t>(column.at<int64_t>(row)), bytes);
    case PhysicalKind::kInt128:
      return put_ordered(static_cast<unsigned __int128>(column.at<Int128>(row)), bytes);
    case PhysicalKind::kFloat:
      return put_double(double{column.at<float>(row)}, bytes);
    case PhysicalKind::kDouble:
      return put_double(column.at<double>(row), bytes);
    case PhysicalKind::kString:
      return put_text(column.string_at(row), bytes);
    default:
      throw Error(
          ErrorCode::kNotSupported,
          fmt::format("Rows can't be ordered by a column of type {}", column.type().to_string()));
  }
}

}  // namespace

void encode_sort_key(std::span<const SortKey> keys,
                     std::span<const ColumnPtr> columns,
                     int32_t row,
                     std::string& bytes) {
  for (const SortKey& key : keys) {
    const Column& column = *columns[static_cast<size_t>(key.column.value)];
    const bool is_null = column.is_null(row);
    bytes.push_back(is_null == key.nulls_first ? '\0' : '\1');
    if (is_null) {
      continue;
    }
    const size_t begin = bytes.size();
    put_value(column, row, bytes);
    if (!key.ascending) {
      for (size_t i = begin; i < bytes.size(); ++i) {
        bytes[i] = static_cast<char>(~bytes[i]);
      }
    }
  }
}

}  // namespace thalweg::operators
