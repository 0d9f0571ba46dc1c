#include "thalweg/expression/blend.h"

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

ColumnPtr blend_by_building(const DataType& type, int32_t rows, std::span<const BlendPart> parts) {
  struct Place {
    const BlendPart* part = nullptr;
    int32_t row = 0;
  };

  std::vector<Place> places(static_cast<size_t>(rows));
  for (const BlendPart& part : parts) {
    for (size_t i = 0; i < part.rows.size(); ++i) {
      places[static_cast<size_t>(part.rows[i])] = {&part, source_row(part, i)};
    }
  }
  ColumnBuilder builder(type);
  for (const Place& place : places) {
    if (place.part == nullptr) {
      builder.append_null();
    } else {
      builder.append_from(*place.part->column, place.row);
    }
  }
  return builder.finish();
}

}  // namespace

ColumnPtr blend(const DataType& type, int32_t rows, std::span<const BlendPart> parts) {
  const PhysicalKind kind = type.physical();
  if (kind == PhysicalKind::kList || kind == PhysicalKind::kStruct ||
      kind == PhysicalKind::kHandle) {
    return blend_by_building(type, rows, parts);
  }
  auto result = Column::make(type, rows);
  size_t covered = 0;
  for (const BlendPart& part : parts) {
    covered += part.rows.size();
  }
  if (covered < static_cast<size_t>(rows)) {
    auto validity = result->mutable_validity();
    std::fill(validity.begin(), validity.end(), uint64_t{0});
    for (const BlendPart& part : parts) {
      for (const int32_t row : part.rows) {
        const auto bit = static_cast<uint32_t>(row);
        validity[bit >> 6U] |= uint64_t{1} << (bit & 63U);
      }
    }
  }
  for (const BlendPart& part : parts) {
    if (part.rows.empty()) {
      continue;
    }
    scatter_fixed(part, *result);
    if (part.column->may_have_nulls()) {
      for (size_t i = 0; i < part.rows.size(); ++i) {
        if (part.column->is_null(source_row(part, i))) {
          result->set_null(part.rows[i]);
        }
      }
    }
    result->share_storage(*part.column);
  }
  return result;
}

}  // namespace thalweg::expression
