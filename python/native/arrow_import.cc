#include "arrow_import.h"

#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "arrow_c_data.h"
#include "value_writer.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

constexpr int64_t kNanosOfSecond = 1'000'000'000;
constexpr int64_t kNanosOfMilli = 1'000'000;

bool bit_at(const uint8_t* bits, int64_t index) {
  return ((bits[index / 8] >> (index % 8)) & 1) != 0;
}

template <typename T>
const T* buffer(const ArrowArray& array, int64_t index) {
  return static_cast<const T*>(array.buffers[index]);
}

/// Arrow's formats that a column is made of: the first is the type's own.
bool fits(std::string_view format, const DataType& type) {
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return format == "b";
    case TypeKind::kTinyInt:
      return format == "c";
    case TypeKind::kSmallInt:
      return format == "s";
    case TypeKind::kInt:
      return format == "i";
    case TypeKind::kBigInt:
      return format == "l";
    case TypeKind::kFloat:
      return format == "f";
    case TypeKind::kDouble:
      return format == "g";
    case TypeKind::kDecimal:
      return format == fmt::format("d:{},{}", type.precision(), type.scale());
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      return format == "u";
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
      return format == "z";
    case TypeKind::kDate:
      return format == "tdD";
    case TypeKind::kTime:
      return format == "ttm";
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return format.size() >= 4 && format.substr(0, 2) == "ts";
    default:
      return false;
  }
}

void copy_validity(const ArrowArray& array, Column& column) {
  const auto* bits = buffer<uint8_t>(array, 0);
  if (bits == nullptr || array.null_count == 0) {
    return;
  }
  const std::span<uint64_t> validity = column.mutable_validity();
  for (int64_t row = 0; row < array.length; ++row) {
    if (!bit_at(bits, array.offset + row)) {
      const auto index = static_cast<size_t>(row);
      validity[index >> 6U] &= ~(uint64_t{1} << (index & 63U));
    }
  }
}

void copy_bits(const ArrowArray& array, Column& column) {
  const auto* bits = buffer<uint8_t>(array, 1);
  const std::span<uint8_t> values = column.mutable_values<uint8_t>();
  for (size_t row = 0; row < values.size(); ++row) {
    values[row] = bit_at(bits, array.offset + static_cast<int64_t>(row)) ? 1 : 0;
  }
}

void copy_plain(const ArrowArray& array, Column& column) {
  const size_t width = width_of(column.type().physical());
  const auto rows = static_cast<size_t>(array.length);
  std::memcpy(column.mutable_values<std::byte>().data(),
              buffer<std::byte>(array, 1) + static_cast<size_t>(array.offset) * width,
              rows * width);
}

/// One copy of all bytes; the views point into it.
void copy_texts(const ArrowArray& array, Column& column) {
  const int32_t* offsets = buffer<int32_t>(array, 1) + array.offset;
  const std::span<StringView> views = column.mutable_values<StringView>();
  const auto total = static_cast<size_t>(offsets[views.size()] - offsets[0]);
  if (total == 0) {
    return;  // texts of nothing need no buffer
  }
  char* bytes = column.heap().allocate(total);
  std::memcpy(bytes, buffer<char>(array, 2) + offsets[0], total);
  for (size_t row = 0; row < views.size(); ++row) {
    views[row] = StringView(std::string_view(bytes + (offsets[row] - offsets[0]),
                                             static_cast<size_t>(offsets[row + 1] - offsets[row])));
  }
}

int64_t nanos_of_unit(char unit) {
  return unit == 's' ? kNanosOfSecond : unit == 'm' ? kNanosOfMilli : unit == 'u' ? 1000 : 1;
}

Int128 floor_to(Int128 value, int64_t step) {
  const Int128 rest = value % step;
  return value - rest - (rest < 0 ? step : 0);
}

/// Times of any unit, cut to the digits of the column's type.
void copy_times(const ArrowArray& array, char unit, Column& column) {
  const int64_t* times = buffer<int64_t>(array, 1) + array.offset;
  const int64_t nanos = nanos_of_unit(unit);
  int64_t step = 1;
  for (int32_t digits = column.type().precision(); digits < 9; ++digits) {
    step *= 10;
  }
  const auto rows = static_cast<size_t>(array.length);
  const bool in_milliseconds = column.type().physical() == PhysicalKind::kInt64;
  for (size_t row = 0; row < rows; ++row) {
    const Int128 time = floor_to(Int128{times[row]} * nanos, step);
    if (in_milliseconds) {
      column.mutable_values<int64_t>()[row] = static_cast<int64_t>(time / kNanosOfMilli);
    } else {
      column.mutable_values<Int128>()[row] = time;
    }
  }
}

void copy_values(const ArrowArray& array, std::string_view format, Column& column) {
  switch (column.type().kind()) {
    case TypeKind::kBoolean:
      return copy_bits(array, column);
    case TypeKind::kChar:
    case TypeKind::kVarChar:
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
      return copy_texts(array, column);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return copy_times(array, format[2], column);
    default:
      return copy_plain(array, column);
  }
}

template <typename Exported>
const Exported& exported(nb::handle capsule, const char* name) {
  auto* pointer = static_cast<const Exported*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (pointer == nullptr) {
    throw nb::python_error();
  }
  return *pointer;
}

}  // namespace

ColumnPtr column_of_arrow(nb::handle array, const DataType& type) {
  // The capsules own what they point to: Python's side releases it with them.
  const nb::object capsules = array.attr("__arrow_c_array__")();
  const nb::object schema_capsule = capsules[0];
  const nb::object array_capsule = capsules[1];
  const std::string_view format = exported<ArrowSchema>(schema_capsule, "arrow_schema").format;
  const auto& given = exported<ArrowArray>(array_capsule, "arrow_array");
  if (!fits(format, type)) {
    throw ValueRefused{fmt::format(
        "{} does not take an Arrow array of the format \"{}\"", type.to_string(), format)};
  }
  MutableColumnPtr column = Column::make(type, static_cast<int32_t>(given.length));
  if (given.length > 0) {
    copy_values(given, format, *column);
    copy_validity(given, *column);
  }
  if (column->may_have_nulls() && !type.is_nullable()) {
    throw ValueRefused{fmt::format("{} does not take None", type.to_string())};
  }
  return column;
}

}  // namespace thalweg::binding
