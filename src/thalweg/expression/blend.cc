#include "thalweg/expression/blend.h"

#include <algorithm>

#include "thalweg/types/column_builder.h"

namespace thalweg::expression {

namespace {

int32_t source_row(const BlendPart& part, size_t index) {
  return part.whole ? part.rows[index] : static_cast<int32_t>(index);
}

template <typename T>
void scatter(const BlendPart& part, Column& result) {
  const T* source = part.column->values<T>().data();
  T* target = result.mutable_values<T>().data();
  if (part.column->is_constant()) {
    for (const int32_t row : part.rows) {
      target[row] = source[0];
    }
    return;
  }
  for (size_t i = 0; i < part.rows.size(); ++i) {
    target[part.rows[i]] = source[source_row(part, i)];
  }
}

void scatter_fixed(const BlendPart& part, Column& result) {
  switch (width_of(result.type().physical())) {
    case 1:
      return scatter<uint8_t>(part, result);
    case 2:
      return scatter<uint16_t>(part, result);
    case 4:
      return scatter<uint32_t>(part, result);
    case 8:
      return scatter<uint64_t>(part, result);
    default:
      return scatter<Int128>(part, result);
  }
}

/// The base's values and NULLs, whatever lies over them.
template <typename T>
void copy_base(const Column& base, Column& result) {
  const auto source = base.values<T>();
  const auto target = result.mutable_values<T>();
  if (base.is_constant()) {
    std::fill(target.begin(), target.end(), source[0]);
  } else {
    std::copy(source.begin(), source.end(), target.begin());
  }
}

void copy_base_fixed(const Column& base, Column& result) {
  switch (width_of(result.type().physical())) {
    case 1:
      return copy_base<uint8_t>(base, result);
    case 2:
      return copy_base<uint16_t>(base, result);
    case 4:
      return copy_base<uint32_t>(base, result);
    case 8:
      return copy_base<uint64_t>(base, result);
    default:
      return copy_base<Int128>(base, result);
  }
}

bool has_nulls(int32_t rows, std::span<const BlendPart> parts, const ColumnPtr& base) {
  size_t covered = 0;
  bool found = base != nullptr && base->may_have_nulls();
  for (const BlendPart& part : parts) {
    covered += part.rows.size();
    found = found || part.column->may_have_nulls();
  }
  return found || (base == nullptr && covered < static_cast<size_t>(rows));
}

void start_validity(const ColumnPtr& base, Column& result) {
  const auto validity = result.mutable_validity();
  if (base == nullptr) {
    std::fill(validity.begin(), validity.end(), uint64_t{0});
  } else {
    result.add_nulls_of(*base);
  }
}

void blend_validity(const BlendPart& part, std::span<uint64_t> validity) {
  const bool may_be_null = part.column->may_have_nulls();
  for (size_t i = 0; i < part.rows.size(); ++i) {
    const auto row = static_cast<uint32_t>(part.rows[i]);
    const bool valid = !may_be_null || !part.column->is_null(source_row(part, i));
    const uint64_t bit = uint64_t{1} << (row & 63U);
    uint64_t& word = validity[row >> 6U];
    word = valid ? word | bit : word & ~bit;
  }
}

ColumnPtr blend_by_building(const DataType& type,
                            int32_t rows,
                            std::span<const BlendPart> parts,
                            const ColumnPtr& base) {
  struct Place {
    const Column* column = nullptr;
    int32_t row = 0;
  };

  std::vector<Place> places(static_cast<size_t>(rows));
  if (base != nullptr) {
    for (int32_t row = 0; row < rows; ++row) {
      places[static_cast<size_t>(row)] = {base.get(), row};
    }
  }
  for (const BlendPart& part : parts) {
    for (size_t i = 0; i < part.rows.size(); ++i) {
      places[static_cast<size_t>(part.rows[i])] = {part.column.get(), source_row(part, i)};
    }
  }
  ColumnBuilder builder(type);
  for (const Place& place : places) {
    if (place.column == nullptr) {
      builder.append_null();
    } else {
      builder.append_from(*place.column, place.row);
    }
  }
  return builder.finish();
}

}  // namespace

ColumnPtr blend(const DataType& type,
                int32_t rows,
                std::span<const BlendPart> parts,
                const ColumnPtr& base) {
  const PhysicalKind kind = type.physical();
  if (kind == PhysicalKind::kList || kind == PhysicalKind::kStruct ||
      kind == PhysicalKind::kHandle) {
    return blend_by_building(type, rows, parts, base);
  }
  auto result = Column::make(type, rows);
  if (base != nullptr) {
    copy_base_fixed(*base, *result);
    result->share_storage(*base);
  }
  const bool tracks_nulls = has_nulls(rows, parts, base);
  if (tracks_nulls) {
    start_validity(base, *result);
  }
  for (const BlendPart& part : parts) {
    if (part.rows.empty()) {
      continue;
    }
    scatter_fixed(part, *result);
    if (tracks_nulls) {
      blend_validity(part, result->mutable_validity());
    }
    result->share_storage(*part.column);
  }
  return result;
}

}  // namespace thalweg::expression
