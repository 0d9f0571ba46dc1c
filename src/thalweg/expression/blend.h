#pragma once

#include <span>
#include <vector>

#include "thalweg/types/column.h"

namespace thalweg::expression {

/// Values for some rows of a result: `column` has one row for each of `rows`, or, when it is
/// `whole`, one for each row of the result.
struct BlendPart {
  ColumnPtr column;
  std::vector<int32_t> rows;
  bool whole = false;
};

/// One column from the parts of a conditional, each laid over those before it, the first over
/// `base`, a column of all rows. Without a base, rows in no part are NULL. Opaque objects pass
/// through untouched.
ColumnPtr blend(const DataType& type,
                int32_t rows,
                std::span<const BlendPart> parts,
                const ColumnPtr& base = nullptr);

}  // namespace thalweg::expression
