#pragma once

#include "thalweg/common/ids.h"

namespace thalweg::operators {

/// One item of ORDER BY.
struct SortKey {
  ColumnIndex column;
  bool ascending = true;
  /// Flink's default: NULLs first when ascending, last when descending.
  bool nulls_first = true;
};

}  // namespace thalweg::operators
