#pragma once

#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/types/batch.h"
#include "thalweg/types/data_type.h"

namespace thalweg::operators {

/// The fields of `schema` at `columns`.
inline Schema fields_at(const Schema& schema, const std::vector<ColumnIndex>& columns) {
  Schema fields;
  fields.reserve(columns.size());
  for (const ColumnIndex column : columns) {
    fields.push_back(schema[static_cast<size_t>(column.value)]);
  }
  return fields;
}

/// The columns of `batch` at `columns`.
inline std::vector<ColumnPtr> columns_at(const Batch& batch,
                                         const std::vector<ColumnIndex>& columns) {
  std::vector<ColumnPtr> result;
  result.reserve(columns.size());
  for (const ColumnIndex column : columns) {
    result.push_back(batch.column_ptr(static_cast<size_t>(column.value)));
  }
  return result;
}

}  // namespace thalweg::operators
