#pragma once

#include <memory>

#include "thalweg/connectors/nexmark/nexmark_generator.h"
#include "thalweg/stream/source.h"

namespace thalweg::connectors {

/// `events`: how many there are; 0 for no end. `limited`: no event is given before its time has
/// come by the clock, counted from the start.
std::shared_ptr<stream::TableSource> make_nexmark_source(
    std::shared_ptr<const NexmarkGenerator> generator, int64_t events, bool limited);

}  // namespace thalweg::connectors
