#include "thalweg/expression/row_kernel.h"

#include <algorithm>

namespace thalweg::expression {

MutableColumnPtr make_strict_result(const DataType& type,
                                    std::span<const ColumnPtr> arguments,
                                    int32_t rows) {
  const bool constant = std::all_of(arguments.begin(),
                                    arguments.end(),
                                    [](const ColumnPtr& column) { return column->is_constant(); });
  MutableColumnPtr result = constant ? Column::make_constant(type, rows) : Column::make(type, rows);
  for (const ColumnPtr& argument : arguments) {
    result->add_nulls_of(*argument);
  }
  return result;
}

void repeat_constant_failure(const RowErrors& one, int32_t rows, RowErrors& errors) {
  for (const RowFailure& failure : one.failures()) {
    for (int32_t row = 0; row < rows; ++row) {
      errors.add(row, failure.error);
    }
  }
}

}  // namespace thalweg::expression
