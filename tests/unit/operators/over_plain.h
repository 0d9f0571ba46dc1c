#pragma once

#include <optional>
#include <string>
#include <vector>

#include "thalweg/operators/over/over_aggregate.h"

namespace thalweg::operators {

/// A row for the plain evaluator: the partition's number, the column of the order (NULL where
/// nullopt), the value.
struct PlainRow {
  int64_t partition = 0;
  std::optional<int64_t> order;
  std::optional<int64_t> value;
};

/// OVER as it is defined, one row and one frame at a time: the reference for the operators. Rows
/// are given in the order of partitions and, within them, of the window. Each result is the texts
/// of COUNT(*), SUM(value), MIN(value), COUNT(DISTINCT value), SUM(value) FILTER (value > 3) and
/// LAST_VALUE(value) over the row's frame.
std::vector<std::string> plain_over(const std::vector<PlainRow>& rows,
                                    const expression::OverFrame& frame,
                                    const SortKey& key);

}  // namespace thalweg::operators
