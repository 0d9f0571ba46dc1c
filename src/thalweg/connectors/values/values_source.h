#pragma once

#include <memory>
#include <vector>

#include "thalweg/stream/source.h"

namespace thalweg::connectors {

/// Rows that are in memory already: VALUES, from_elements, a pandas frame. One split, one reader;
/// the position is the number of batches given.
std::shared_ptr<stream::TableSource> make_values_source(std::vector<Batch> batches);

}  // namespace thalweg::connectors
