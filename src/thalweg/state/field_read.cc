#include "thalweg/state/field_read.h"

#include <cmath>

#include "thalweg/common/check.h"
#include "thalweg/state/value_codec.h"

namespace thalweg::state {

namespace {

template <typename T>
T stored_at(const std::byte* record, const FieldShape& field) {
  T value;
  std::memcpy(&value, record + field.offset, sizeof(T));
  return value;
}

template <typename T>
int compare_numbers(const std::byte* left, const std::byte* right, const FieldShape& field) {
  const T a = stored_at<T>(left, field);
  const T b = stored_at<T>(right, field);
  return a < b ? -1 : (b < a ? 1 : 0);
}

template <typename T>
int compare_floats(const std::byte* left, const std::byte* right, const FieldShape& field) {
  const bool left_nan = std::isnan(stored_at<T>(left, field));
  const bool right_nan = std::isnan(stored_at<T>(right, field));
  if (left_nan || right_nan) {
    return static_cast<int>(left_nan) - static_cast<int>(right_nan);
  }
  return compare_numbers<T>(left, right, field);
}

int compare_texts(std::string_view left, std::string_view right) {
  const int order = left.compare(right);
  return order < 0 ? -1 : (order > 0 ? 1 : 0);
}

}  // namespace

void append_stored(const std::byte* record,
                   const FieldShape& field,
                   ColumnBuilder& builder,
                   const std::shared_ptr<const OpaqueOperations>& opaque) {
  switch (field.storage) {
    case FieldStorage::kText:
      return builder.append_string(stored_at<StringView>(record, field).view());
    case FieldStorage::kEncoded:
    case FieldStorage::kEncodedOpaque:
      return decode_value(stored_at<StringView>(record, field).view(), builder, opaque);
    case FieldStorage::kObject:
      unreachable("an object is read as a value");
    case FieldStorage::kPlain:
      break;
  }
  switch (field.width) {
    case 1:
      return builder.append(stored_at<uint8_t>(record, field));
    case 2:
      return builder.append(stored_at<uint16_t>(record, field));
    case 4:
      return builder.append(stored_at<uint32_t>(record, field));
    case 8:
      return builder.append(stored_at<uint64_t>(record, field));
    default:
      return builder.append(stored_at<Int128>(record, field));
  }
}

int compare_stored(const std::byte* left, const std::byte* right, const FieldShape& field) {
  if (field.storage == FieldStorage::kEncodedOpaque) {
    const auto a = stored_at<StringView>(left, field);
    const auto b = stored_at<StringView>(right, field);
    return compare_texts(canonical_part(a.view()), canonical_part(b.view()));
  }
  if (field.storage != FieldStorage::kPlain) {
    const auto a = stored_at<StringView>(left, field);
    const auto b = stored_at<StringView>(right, field);
    return compare_texts(a.view(), b.view());
  }
  switch (field.physical) {
    case PhysicalKind::kBool:
      return compare_numbers<uint8_t>(left, right, field);
    case PhysicalKind::kInt8:
      return compare_numbers<int8_t>(left, right, field);
    case PhysicalKind::kInt16:
      return compare_numbers<int16_t>(left, right, field);
    case PhysicalKind::kInt32:
      return compare_numbers<int32_t>(left, right, field);
    case PhysicalKind::kInt64:
      return compare_numbers<int64_t>(left, right, field);
    case PhysicalKind::kInt128:
      return compare_numbers<Int128>(left, right, field);
    case PhysicalKind::kFloat:
      return compare_floats<float>(left, right, field);
    case PhysicalKind::kDouble:
      return compare_floats<double>(left, right, field);
    default:
      unreachable("a plain field of another kind");
  }
}

}  // namespace thalweg::state
