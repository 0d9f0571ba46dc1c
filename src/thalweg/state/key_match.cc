#include "thalweg/state/key_match.h"

#include <cmath>

#include "thalweg/state/value_codec.h"

namespace thalweg::state {

namespace {

template <typename T>
T stored_at(const std::byte* place) {
  T value;
  std::memcpy(&value, place, sizeof(T));
  return value;
}

/// Without a call for the usual widths.
bool same_bytes(const std::byte* left, const std::byte* right, size_t width) {
  switch (width) {
    case 8:
      return stored_at<uint64_t>(left) == stored_at<uint64_t>(right);
    case 4:
      return stored_at<uint32_t>(left) == stored_at<uint32_t>(right);
    default:
      return std::memcmp(left, right, width) == 0;
  }
}

template <typename T>
bool same_float(T left, T right) {
  return left == right || (std::isnan(left) && std::isnan(right));
}

}  // namespace

GenericKey::GenericKey(const TableShape& shape, std::span<const ColumnPtr> columns, size_t rows)
    : shape_(shape), columns_(columns), encoded_(columns.size()) {
  for (size_t key = 0; key < columns.size(); ++key) {
    const FieldStorage storage = shape.keys()[key].storage;
    if (storage != FieldStorage::kEncoded && storage != FieldStorage::kEncodedOpaque) {
      continue;
    }
    encoded_[key].resize(rows);
    for (size_t row = 0; row < rows; ++row) {
      encode_value(*columns[key], static_cast<int32_t>(row), encoded_[key][row]);
    }
  }
}

bool GenericKey::field_equal(const std::byte* record, size_t key, size_t row) const {
  const FieldShape& field = shape_.keys()[key];
  const Column& column = *columns_[key];
  const auto at = static_cast<int32_t>(row);
  const bool null = column.is_null(at);
  if (null || shape_.key_is_null(record, key)) {
    return null && shape_.key_is_null(record, key);
  }
  const std::byte* place = record + field.offset;
  switch (field.storage) {
    case FieldStorage::kText:
      return stored_at<StringView>(place) == column.at<StringView>(at);
    case FieldStorage::kEncoded:
      return stored_at<StringView>(place).view() == encoded_[key][row];
    case FieldStorage::kEncodedOpaque: {
      const auto stored = stored_at<StringView>(place);
      return canonical_part(stored.view()) == canonical_part(encoded_[key][row]);
    }
    default:
      break;
  }
  if (field.physical == PhysicalKind::kFloat) {
    return same_float(stored_at<float>(place), column.at<float>(at));
  }
  if (field.physical == PhysicalKind::kDouble) {
    return same_float(stored_at<double>(place), column.at<double>(at));
  }
  const size_t from = column.is_constant() ? 0 : row * field.width;
  return same_bytes(place, column.values<std::byte>().data() + from, field.width);
}

bool GenericKey::equal(const std::byte* record, size_t row) const {
  for (size_t key = 0; key < columns_.size(); ++key) {
    if (!field_equal(record, key, row)) {
      return false;
    }
  }
  return true;
}

void GenericKey::store(TableStorage& storage, std::byte* record, size_t row) const {
  for (size_t key = 0; key < columns_.size(); ++key) {
    const FieldShape& field = shape_.keys()[key];
    const Column& column = *columns_[key];
    const auto at = static_cast<int32_t>(row);
    if (column.is_null(at)) {
      shape_.set_key_null(record, key);
    } else if (field.storage == FieldStorage::kText) {
      storage.assign_text(record + field.offset, column.string_at(at));
    } else if (field.storage != FieldStorage::kPlain) {
      storage.assign_text(record + field.offset, encoded_[key][row]);
    } else {
      const size_t from = column.is_constant() ? 0 : row * field.width;
      std::memcpy(record + field.offset, column.values<std::byte>().data() + from, field.width);
    }
  }
}

}  // namespace thalweg::state
