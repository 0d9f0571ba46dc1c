#pragma once

#include <memory>
#include <vector>

#include "thalweg/expression/aggregate_function.h"
#include "thalweg/stream/operator.h"
#include "thalweg/types/data_type.h"

namespace thalweg::operators {

/// Windows of a number of rows of each key, in the order in which they come: Tumble.over(row
/// interval), Slide.over(..).every(..). Output columns: the keys, the aggregates; each window once,
/// +I, with its last row. Windows that the input leaves unfilled send nothing.
struct CountWindowSpec {
  /// Insert-only.
  Schema input;
  std::vector<ColumnIndex> keys;
  std::vector<expression::AggregateCall> aggregates;
  /// Rows of a window, and from the start of one to the start of the next.
  int64_t size = 1;
  int64_t slide = 1;
};

std::shared_ptr<const stream::OperatorFactory> make_count_window_aggregate(CountWindowSpec spec);

}  // namespace thalweg::operators
