#include "thalweg/types/hash.h"

#include <bit>
#include <cmath>
#include <limits>

#include "thalweg/common/check.h"
#include "thalweg/types/column_operations.h"

namespace thalweg {

namespace {

constexpr uint64_t kNullHash = 0x8BB84B93962EACC9ULL;

uint64_t hash_one(const Column& column, int32_t row);

uint64_t hash_text(const StringView& text) {
  return text.is_inline() ? mix_hash(text.word(0), text.word(1)) : hash_bytes(text.view());
}

uint64_t hash_double(double value) {
  if (value == 0.0) {
    value = 0.0;  // -0.0 equals 0.0
  } else if (std::isnan(value)) {
    value = std::numeric_limits<double>::quiet_NaN();
  }
  return std::bit_cast<uint64_t>(value);
}

uint64_t hash_list(const Column& column, int32_t row) {
  uint64_t hash = kNullHash + 1;
  for (int32_t element = column.list_begin(row); element < column.list_end(row); ++element) {
    for (size_t child = 0; child < column.child_count(); ++child) {
      hash = mix_hash(hash, hash_one(*column.child(child), element));
    }
  }
  return hash;
}

uint64_t hash_struct(const Column& column, int32_t row) {
  uint64_t hash = kNullHash + 2;
  for (size_t child = 0; child < column.child_count(); ++child) {
    hash = mix_hash(hash, hash_one(*column.child(child), column.is_constant() ? 0 : row));
  }
  return hash;
}

uint64_t hash_one(const Column& column, int32_t row) {
  if (column.is_null(row)) {
    return kNullHash;
  }
  switch (column.type().physical()) {
    case PhysicalKind::kBool:
      return column.at<uint8_t>(row);
    case PhysicalKind::kInt8:
      return static_cast<uint64_t>(column.at<int8_t>(row));
    case PhysicalKind::kInt16:
      return static_cast<uint64_t>(column.at<int16_t>(row));
    case PhysicalKind::kInt32:
      return static_cast<uint64_t>(column.at<int32_t>(row));
    case PhysicalKind::kInt64:
      return static_cast<uint64_t>(column.at<int64_t>(row));
    case PhysicalKind::kInt128: {
      const auto value = static_cast<unsigned __int128>(column.at<Int128>(row));
      return mix_hash(static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64U));
    }
    case PhysicalKind::kFloat:
      return hash_double(double{column.at<float>(row)});
    case PhysicalKind::kDouble:
      return hash_double(column.at<double>(row));
    case PhysicalKind::kString:
      return hash_text(column.at<StringView>(row));
    case PhysicalKind::kList:
      return hash_list(column, row);
    case PhysicalKind::kStruct:
      return hash_struct(column, row);
    case PhysicalKind::kHandle:
      return hash_bytes(column.opaque_operations()->encode(column.at<void*>(row)));
  }
  unreachable("physical kind");
}

template <typename T>
bool hash_integers(const Column& column, std::span<uint64_t> hashes) {
  if (column.is_constant() || column.may_have_nulls()) {
    return false;
  }
  const T* values = column.values<T>().data();
  for (size_t i = 0; i < hashes.size(); ++i) {
    hashes[i] = mix_hash(hashes[i], static_cast<uint64_t>(values[i]));
  }
  return true;
}

bool hash_fast(const Column& column, std::span<uint64_t> hashes) {
  switch (column.type().physical()) {
    case PhysicalKind::kInt32:
      return hash_integers<int32_t>(column, hashes);
    case PhysicalKind::kInt64:
      return hash_integers<int64_t>(column, hashes);
    case PhysicalKind::kString: {
      if (column.is_constant() || column.may_have_nulls()) {
        return false;
      }
      const StringView* values = column.values<StringView>().data();
      for (size_t i = 0; i < hashes.size(); ++i) {
        hashes[i] = mix_hash(hashes[i], hash_text(values[i]));
      }
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

void hash_rows(std::span<const ColumnPtr> columns, std::span<uint64_t> hashes) {
  std::fill(hashes.begin(), hashes.end(), uint64_t{0});
  for (const ColumnPtr& column : columns) {
    if (hash_fast(*column, hashes)) {
      continue;
    }
    if (column->is_constant() && column->size() > 0) {
      const uint64_t one = hash_one(*column, 0);
      for (uint64_t& hash : hashes) {
        hash = mix_hash(hash, one);
      }
      continue;
    }
    for (size_t i = 0; i < hashes.size(); ++i) {
      hashes[i] = mix_hash(hashes[i], hash_one(*column, static_cast<int32_t>(i)));
    }
  }
}

}  // namespace thalweg
