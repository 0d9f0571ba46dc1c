#include "thalweg/operators/sort/row_order.h"

#include <algorithm>
#include <numeric>

#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

int compare_rows(std::span<const SortKey> keys,
                 std::span<const ColumnPtr> left,
                 int32_t left_row,
                 std::span<const ColumnPtr> right,
                 int32_t right_row) {
  for (const SortKey& key : keys) {
    const Column& left_column = *left[static_cast<size_t>(key.column.value)];
    const Column& right_column = *right[static_cast<size_t>(key.column.value)];
    const bool left_null = left_column.is_null(left_row);
    const bool right_null = right_column.is_null(right_row);
    if (left_null || right_null) {
      if (left_null != right_null) {
        return left_null == key.nulls_first ? -1 : 1;
      }
      continue;
    }
    const int order = compare_values(left_column, left_row, right_column, right_row);
    if (order != 0) {
      return key.ascending ? order : -order;
    }
  }
  return 0;
}

std::vector<int32_t> sorted_rows(std::span<const SortKey> keys,
                                 std::span<const ColumnPtr> columns,
                                 int32_t rows) {
  std::vector<int32_t> order(static_cast<size_t>(rows));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int32_t left, int32_t right) {
    return compare_rows(keys, columns, left, columns, right) < 0;
  });
  return order;
}

}  // namespace thalweg::operators
