#pragma once

#include <algorithm>

#include "thalweg/expression/row_kernel.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::functions {

/// A kernel that appends each row's result to a builder: for arrays, maps and rows.
/// `f(arguments, row, builder)` appends exactly one value. With `strict`, NULL arguments give NULL
/// without calling it.
template <typename F>
std::unique_ptr<expression::ScalarKernel> building_kernel(DataType type, bool strict, F f) {
  return expression::column_kernel(
      [type = std::move(type), strict, f](std::span<const ColumnPtr> arguments,
                                          int32_t rows,
                                          const expression::EvaluationContext&,
                                          expression::RowErrors&) {
        ColumnBuilder builder(type);
        for (int32_t row = 0; row < rows; ++row) {
          const bool has_null =
              strict && std::any_of(arguments.begin(), arguments.end(), [row](const auto& column) {
                return column->is_null(row);
              });
          if (has_null) {
            builder.append_null();
          } else {
            f(arguments, row, builder);
          }
        }
        return builder.finish();
      });
}

}  // namespace thalweg::functions
