#pragma once

#include <span>

#include "thalweg/types/batch.h"

namespace thalweg {

/// All rows of all pieces, one after the other, with their kinds and marks. The origin stays where
/// all pieces share a split. At least one piece; the columns have the same types.
Batch concat_batches(std::span<const Batch> pieces);

}  // namespace thalweg
