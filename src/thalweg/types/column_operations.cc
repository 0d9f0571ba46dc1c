#include "thalweg/types/column_operations.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "thalweg/common/check.h"
#include "thalweg/types/column_builder.h"

namespace thalweg {

namespace {

template <typename T>
void gather_values(const Column& column, std::span<const int32_t> rows, bool pads, Column& result) {
  const T* source = column.values<T>().data();
  T* target = result.mutable_values<T>().data();
  if (pads) {
    for (size_t i = 0; i < rows.size(); ++i) {
      target[i] = rows[i] >= 0 ? source[rows[i]] : T{};
    }
    return;
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    target[i] = source[rows[i]];
  }
}

/// `pads`: there are rows below 0.
void gather_fixed(const Column& column, std::span<const int32_t> rows, bool pads, Column& result) {
  switch (width_of(column.type().physical())) {
    case 1:
      return gather_values<uint8_t>(column, rows, pads, result);
    case 2:
      return gather_values<uint16_t>(column, rows, pads, result);
    case 4:
      return gather_values<uint32_t>(column, rows, pads, result);
    case 8:
      return gather_values<uint64_t>(column, rows, pads, result);
    default:
      return gather_values<Int128>(column, rows, pads, result);
  }
}

/// 64 rows to a word.
void gather_validity(const Column& column, std::span<const int32_t> rows, Column& result) {
  const std::span<const uint64_t> source = column.validity();
  const std::span<uint64_t> validity = result.mutable_validity();
  for (size_t begin = 0; begin < rows.size(); begin += 64) {
    const size_t count = std::min<size_t>(64, rows.size() - begin);
    uint64_t nulls = 0;
    for (size_t i = 0; i < count; ++i) {
      const int32_t row = rows[begin + i];
      const auto index = static_cast<uint32_t>(row);
      const bool is_null =
          row < 0 || (!source.empty() && ((source[index / 64] >> (index % 64)) & 1U) == 0);
      nulls |= uint64_t{is_null} << i;
    }
    validity[begin / 64] ^= nulls;
  }
}

ColumnPtr gather_by_building(const Column& column, std::span<const int32_t> rows) {
  ColumnBuilder builder(column.type());
  for (const int32_t row : rows) {
    if (row < 0) {
      builder.append_null();
    } else {
      builder.append_from(column, row);
    }
  }
  return builder.finish();
}

bool needs_building(const Column& column) {
  const PhysicalKind kind = column.type().physical();
  return kind == PhysicalKind::kList || kind == PhysicalKind::kStruct;
}

bool is_flat_struct(const Column& column) {
  return column.type().physical() == PhysicalKind::kStruct && !column.is_constant();
}

/// A row of each child at the same places: texts stay where they are.
ColumnPtr gather_struct(const Column& column, std::span<const int32_t> rows) {
  std::vector<ColumnPtr> children;
  children.reserve(column.child_count());
  for (size_t i = 0; i < column.child_count(); ++i) {
    children.push_back(gather(column.child(i), rows));
  }
  auto result =
      Column::make_struct(column.type(), static_cast<int32_t>(rows.size()), std::move(children));
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || column.is_null(rows[i])) {
      result->set_null(static_cast<int32_t>(i));
    }
  }
  return result;
}

ColumnPtr concat_structs(std::span<const ColumnPtr> parts) {
  int32_t size = 0;
  for (const ColumnPtr& part : parts) {
    size += part->size();
  }
  std::vector<ColumnPtr> children;
  for (size_t i = 0; i < parts[0]->child_count(); ++i) {
    std::vector<ColumnPtr> child;
    for (const ColumnPtr& part : parts) {
      child.push_back(part->child(i));
    }
    children.push_back(concat(child));
  }
  auto result = Column::make_struct(parts[0]->type(), size, std::move(children));
  int32_t offset = 0;
  for (const ColumnPtr& part : parts) {
    for (int32_t row = 0; row < part->size(); ++row) {
      if (part->is_null(row)) {
        result->set_null(offset + row);
      }
    }
    offset += part->size();
  }
  return result;
}

/// `target` holds values copied from `source`: keeps alive what they refer to.
void keep_referents(Column& target, const ColumnPtr& source) {
  target.share_storage(*source);
  if (source->opaque_operations() != nullptr) {
    target.borrow_handles(source);
  }
}

template <typename T>
int compare_numbers(T left, T right) {
  return left < right ? -1 : (right < left ? 1 : 0);
}

template <typename T>
int compare_floats(T left, T right) {
  if (std::isnan(left) || std::isnan(right)) {
    return compare_numbers(static_cast<int>(std::isnan(left)), static_cast<int>(std::isnan(right)));
  }
  return compare_numbers(left, right);
}

int compare_lists(const Column& left, int32_t left_row, const Column& right, int32_t right_row) {
  const int32_t left_size = left.list_end(left_row) - left.list_begin(left_row);
  const int32_t right_size = right.list_end(right_row) - right.list_begin(right_row);
  for (int32_t i = 0; i < std::min(left_size, right_size); ++i) {
    for (size_t child = 0; child < left.child_count(); ++child) {
      const int order = compare_values(*left.child(child),
                                       left.list_begin(left_row) + i,
                                       *right.child(child),
                                       right.list_begin(right_row) + i);
      if (order != 0) {
        return order;
      }
    }
  }
  return compare_numbers(left_size, right_size);
}

int compare_structs(const Column& left, int32_t left_row, const Column& right, int32_t right_row) {
  for (size_t child = 0; child < left.child_count(); ++child) {
    const int order = compare_values(*left.child(child),
                                     left.is_constant() ? 0 : left_row,
                                     *right.child(child),
                                     right.is_constant() ? 0 : right_row);
    if (order != 0) {
      return order;
    }
  }
  return 0;
}

}  // namespace

ColumnPtr gather(const ColumnPtr& column, std::span<const int32_t> rows) {
  const auto size = static_cast<int32_t>(rows.size());
  int32_t signs = 0;
  for (const int32_t row : rows) {
    signs |= row;
  }
  const bool pads = signs < 0;
  if (column->is_constant() && !pads && !needs_building(*column)) {
    auto result = Column::make_constant(column->type(), size);
    if (size > 0) {
      std::memcpy(result->mutable_values<std::byte>().data(),
                  column->values<std::byte>().data(),
                  width_of(column->type().physical()));
      if (column->is_null(0)) {
        result->set_null(0);
      }
    }
    keep_referents(*result, column);
    return result;
  }
  if (is_flat_struct(*column)) {
    return gather_struct(*column, rows);
  }
  if (needs_building(*column)) {
    return gather_by_building(*column, rows);
  }
  if (column->is_constant()) {
    return gather(flatten(column), rows);
  }
  auto result = Column::make_unfilled(column->type(), size);
  gather_fixed(*column, rows, pads, *result);
  if (pads || column->may_have_nulls()) {
    gather_validity(*column, rows, *result);
  }
  keep_referents(*result, column);
  return result;
}

ColumnPtr slice_column(const ColumnPtr& column, int32_t begin, int32_t end) {
  if (begin == 0 && end == column->size()) {
    return column;
  }
  std::vector<int32_t> rows(static_cast<size_t>(end - begin));
  for (int32_t row = begin; row < end; ++row) {
    rows[static_cast<size_t>(row - begin)] = row;
  }
  return gather(column, rows);
}

ColumnPtr flatten(const ColumnPtr& column) {
  if (!column->is_constant()) {
    return column;
  }
  const int32_t size = column->size();
  const std::vector<int32_t> rows(static_cast<size_t>(size), 0);
  if (needs_building(*column)) {
    return gather_by_building(*column, rows);
  }
  auto result = Column::make_unfilled(column->type(), size);
  gather_fixed(*column, rows, false, *result);
  if (size > 0 && column->is_null(0)) {
    auto validity = result->mutable_validity();
    std::fill(validity.begin(), validity.end(), uint64_t{0});
  }
  keep_referents(*result, column);
  return result;
}

ColumnPtr concat(std::span<const ColumnPtr> parts) {
  check(!parts.empty(), "concat of nothing");
  if (parts.size() == 1) {
    return parts[0];
  }
  if (std::all_of(parts.begin(), parts.end(), [](const ColumnPtr& part) {
        return is_flat_struct(*part);
      })) {
    return concat_structs(parts);
  }
  const bool build = std::any_of(
      parts.begin(), parts.end(), [](const ColumnPtr& part) { return needs_building(*part); });
  if (build) {
    ColumnBuilder builder(parts[0]->type());
    for (const ColumnPtr& part : parts) {
      for (int32_t row = 0; row < part->size(); ++row) {
        builder.append_from(*part, row);
      }
    }
    return builder.finish();
  }
  int32_t size = 0;
  for (const ColumnPtr& part : parts) {
    size += part->size();
  }
  auto result = Column::make_unfilled(parts[0]->type(), size);
  const size_t width = width_of(parts[0]->type().physical());
  std::byte* target = reinterpret_cast<std::byte*>(result->mutable_values<uint8_t>().data());
  int32_t offset = 0;
  for (const ColumnPtr& part : parts) {
    const ColumnPtr flat = flatten(part);
    if (flat->size() > 0) {
      std::memcpy(target + static_cast<size_t>(offset) * width,
                  flat->values<std::byte>().data(),
                  static_cast<size_t>(flat->size()) * width);
    }
    if (flat->may_have_nulls()) {
      for (int32_t row = 0; row < flat->size(); ++row) {
        if (flat->is_null(row)) {
          result->set_null(offset + row);
        }
      }
    }
    keep_referents(*result, flat);
    offset += part->size();
  }
  return result;
}

int compare_values(const Column& left, int32_t left_row, const Column& right, int32_t right_row) {
  const bool left_null = left.is_null(left_row);
  const bool right_null = right.is_null(right_row);
  if (left_null || right_null) {
    return compare_numbers(static_cast<int>(right_null), static_cast<int>(left_null));
  }
  switch (left.type().physical()) {
    case PhysicalKind::kBool:
      return compare_numbers(left.at<uint8_t>(left_row), right.at<uint8_t>(right_row));
    case PhysicalKind::kInt8:
      return compare_numbers(left.at<int8_t>(left_row), right.at<int8_t>(right_row));
    case PhysicalKind::kInt16:
      return compare_numbers(left.at<int16_t>(left_row), right.at<int16_t>(right_row));
    case PhysicalKind::kInt32:
      return compare_numbers(left.at<int32_t>(left_row), right.at<int32_t>(right_row));
    case PhysicalKind::kInt64:
      return compare_numbers(left.at<int64_t>(left_row), right.at<int64_t>(right_row));
    case PhysicalKind::kInt128:
      return compare_numbers(left.at<Int128>(left_row), right.at<Int128>(right_row));
    case PhysicalKind::kFloat:
      return compare_floats(left.at<float>(left_row), right.at<float>(right_row));
    case PhysicalKind::kDouble:
      return compare_floats(left.at<double>(left_row), right.at<double>(right_row));
    case PhysicalKind::kString: {
      const auto order = left.at<StringView>(left_row) <=> right.at<StringView>(right_row);
      return order < 0 ? -1 : (order > 0 ? 1 : 0);
    }
    case PhysicalKind::kList:
      return compare_lists(left, left_row, right, right_row);
    case PhysicalKind::kStruct:
      return compare_structs(left, left_row, right, right_row);
    case PhysicalKind::kHandle:
      return left.opaque_operations()
          ->encode(left.at<void*>(left_row))
          .compare(right.opaque_operations()->encode(right.at<void*>(right_row)));
  }
  unreachable("physical kind");
}

bool equal_values(const Column& left, int32_t left_row, const Column& right, int32_t right_row) {
  return compare_values(left, left_row, right, right_row) == 0;
}

void selected_rows(const Column& condition, std::vector<int32_t>& rows) {
  rows.clear();
  if (condition.is_constant()) {
    if (condition.size() > 0 && !condition.is_null(0) && condition.at<uint8_t>(0) != 0) {
      rows.resize(static_cast<size_t>(condition.size()));
      for (size_t i = 0; i < rows.size(); ++i) {
        rows[i] = static_cast<int32_t>(i);
      }
    }
    return;
  }
  const auto values = condition.values<uint8_t>();
  rows.resize(values.size());
  size_t count = 0;
  if (!condition.may_have_nulls()) {
    for (size_t i = 0; i < values.size(); ++i) {
      rows[count] = static_cast<int32_t>(i);
      count += static_cast<size_t>(values[i] != 0);
    }
  } else {
    for (size_t i = 0; i < values.size(); ++i) {
      rows[count] = static_cast<int32_t>(i);
      count += static_cast<size_t>(values[i] != 0 && !condition.is_null(static_cast<int32_t>(i)));
    }
  }
  rows.resize(count);
}

}  // namespace thalweg
