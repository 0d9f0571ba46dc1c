#pragma once

#include <optional>

#include "thalweg/expression/row_kernel.h"

namespace thalweg::functions {

/// A decimal that overflows is NULL; where the type is NOT NULL the row fails, as Flink's job does.
inline std::optional<Int128> checked_decimal(expression::RowFault& fault,
                                             std::optional<Int128> value,
                                             const DataType& type) {
  if (!value && !type.is_nullable()) {
    fault.raise(Error(ErrorCode::kNumericOverflow,
                      fmt::format("The value does not fit the NOT NULL type {}",
                                  type.as_nullable().to_string())));
  }
  return value;
}

}  // namespace thalweg::functions
