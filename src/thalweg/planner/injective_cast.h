#pragma once

#include "thalweg/types/data_type.h"

namespace thalweg::planner {

/// Whether a cast keeps different values different, so that a key stays one:
/// LogicalTypeCasts.supportsInjectiveCast of Flink 2.3, for flat types.
bool is_injective_cast(const DataType& from, const DataType& to);

}  // namespace thalweg::planner
