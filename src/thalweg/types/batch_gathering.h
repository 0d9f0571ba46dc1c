#pragma once

#include <span>
#include <vector>

#include "thalweg/types/batch.h"

namespace thalweg {

/// Chosen rows of a batch, ascending.
struct BatchPart {
  Batch batch;
  std::vector<int32_t> rows;
};

/// As selecting from each part and putting the selections together, with each value copied once. At
/// least one part; the columns have the same types.
Batch gather_batches(std::span<const BatchPart> parts);

}  // namespace thalweg
