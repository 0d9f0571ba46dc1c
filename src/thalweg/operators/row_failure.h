#pragma once

#include "thalweg/types/batch.h"

namespace thalweg::operators {

/// Ends the job with a row's error: the message also shows the row, its fields as text, and where
/// it was read. `failure.row` is a row of `batch`.
[[noreturn]] void throw_row_failure(const RowFailure& failure, const Batch& batch);

}  // namespace thalweg::operators
