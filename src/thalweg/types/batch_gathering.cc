#include "thalweg/types/batch_gathering.h"

#include <algorithm>

#include "thalweg/types/batch_merge.h"
#include "thalweg/types/column_operations.h"

namespace thalweg {

namespace {

bool is_plain(const Column& column) {
  const PhysicalKind kind = column.type().physical();
  return !column.is_constant() && !column.may_have_nulls() && kind != PhysicalKind::kList &&
         kind != PhysicalKind::kStruct && kind != PhysicalKind::kHandle;
}

template <typename T>
void append_chosen(const Column& column, std::span<const int32_t> rows, std::span<T> target) {
  const T* const source = column.values<T>().data();
  for (size_t i = 0; i < rows.size(); ++i) {
    target[i] = source[rows[i]];
  }
}

template <typename T>
void gather_values(std::span<const BatchPart> parts, size_t column, Column& result) {
  std::span<T> target = result.mutable_values<T>();
  for (const BatchPart& part : parts) {
    append_chosen<T>(part.batch.column(column), part.rows, target);
    target = target.subspan(part.rows.size());
  }
}

ColumnPtr gather_plain(std::span<const BatchPart> parts, size_t column, int32_t rows) {
  const DataType& type = parts[0].batch.column(column).type();
  const MutableColumnPtr result = Column::make_unfilled(type, rows);
  switch (width_of(type.physical())) {
    case 1:
      gather_values<uint8_t>(parts, column, *result);
      break;
    case 2:
      gather_values<uint16_t>(parts, column, *result);
      break;
    case 4:
      gather_values<uint32_t>(parts, column, *result);
      break;
    case 8:
      gather_values<uint64_t>(parts, column, *result);
      break;
    default:
      gather_values<Int128>(parts, column, *result);
  }
  for (const BatchPart& part : parts) {
    result->share_storage(part.batch.column(column));
  }
  return result;
}

ColumnPtr gather_column(std::span<const BatchPart> parts, size_t column, int32_t rows) {
  if (std::all_of(parts.begin(), parts.end(), [column](const BatchPart& part) {
        return is_plain(part.batch.column(column));
      })) {
    return gather_plain(parts, column, rows);
  }
  std::vector<ColumnPtr> chosen;
  chosen.reserve(parts.size());
  for (const BatchPart& part : parts) {
    chosen.push_back(gather(part.batch.column_ptr(column), part.rows));
  }
  return concat(chosen);
}

}  // namespace

Batch gather_batches(std::span<const BatchPart> parts) {
  if (parts.size() == 1) {
    return parts[0].batch.select(parts[0].rows);
  }
  // All but the columns.
  std::vector<Batch> bare;
  bare.reserve(parts.size());
  for (const BatchPart& part : parts) {
    bare.push_back(part.batch.with_columns({}).select(part.rows));
  }
  const Batch result = concat_batches(bare);
  std::vector<ColumnPtr> columns;
  columns.reserve(parts[0].batch.columns().size());
  for (size_t column = 0; column < parts[0].batch.columns().size(); ++column) {
    columns.push_back(gather_column(parts, column, result.row_count()));
  }
  return result.with_columns(std::move(columns));
}

}  // namespace thalweg
