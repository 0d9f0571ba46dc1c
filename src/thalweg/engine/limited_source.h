#pragma once

#include <memory>

#include "thalweg/stream/source.h"

namespace thalweg::engine {

/// The source, of which each reader ends after `limit` rows: what a LIMIT right above it needs, so
/// that a job over a source without an end comes to one. Whoever restarts from a checkpoint counts
/// anew; the LIMIT itself stays in the plan.
std::shared_ptr<stream::TableSource> limited_source(std::shared_ptr<stream::TableSource> source,
                                                    int64_t limit);

}  // namespace thalweg::engine
